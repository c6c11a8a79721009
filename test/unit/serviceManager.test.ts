import { FFIType } from 'bun:ffi'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCLibrary } from '../../src/base/cLibrary.ts'
import { serviceManagerOf } from '../../src/cli/serviceManager.ts'
import { Corkboard, until } from '../helpers/process.ts'

const { i32, ptr, u64, i64 } = FFIType
const library = openCLibrary({
  socket: { args: [i32, i32, i32], returns: i32 },
  bind: { args: [i32, ptr, i32], returns: i32 },
  recv: { args: [i32, ptr, u64, i32], returns: i64 },
})
const MSG_DONTWAIT = 0x40

let folder: string
let path: string
let handle: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-notify-'))
  path = join(folder, 'notify')
  handle = library?.symbols.socket(1, 2, 0) ?? -1
  const address = Buffer.concat([Buffer.from([1, 0]), Buffer.from(`${path}\0`)])
  expect(library?.symbols.bind(handle, address, address.length)).toBe(0)
})
afterEach(async () => {
  closeSync(handle)
  await rm(folder, { recursive: true })
})

/** Returns the messages that have arrived since the last call. */
function received(): string[] {
  const messages: string[] = []
  const buffer = Buffer.alloc(256)
  for (;;) {
    const size = Number(library?.symbols.recv(handle, buffer, buffer.length, MSG_DONTWAIT) ?? -1)
    if (size < 0) return messages
    messages.push(buffer.toString('utf8', 0, size))
  }
}

test.skipIf(process.platform !== 'linux')(
  'systemd is told when the server is ready, that it works, and when it stops',
  async () => {
    const server = new Corkboard(['serve', '--port', '0', '--data', join(folder, 'data')], {
      variables: { NOTIFY_SOCKET: path, WATCHDOG_USEC: '100000' },
    })
    const messages: string[] = []
    const has = (message: string) => {
      messages.push(...received())
      return messages.includes(message)
    }
    await until(() => has('READY=1'))
    expect(messages).toEqual(['READY=1'])
    await until(() => has('WATCHDOG=1'))
    expect(await server.end('SIGTERM')).toBe(0)
    expect(has('STOPPING=1')).toBeTrue()
  },
)

test('without systemd, or with a wrong socket, nothing happens', () => {
  for (const socket of [undefined, '', 'relative', `/${'x'.repeat(200)}`, '/none/there', '@none']) {
    const manager = serviceManagerOf({ NOTIFY_SOCKET: socket })
    manager.ready()
    manager.stopping()
  }
  expect(received()).toEqual([])
})
