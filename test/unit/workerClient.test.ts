import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  spawnProcess,
  spawnThread,
  WorkerClient,
  type WorkerResponse,
} from '../../src/worker/workerClient.ts'

interface Doubled extends WorkerResponse {
  readonly twice?: number
}

/** Doubles a number. Fails for 0, and crashes for -1. */
const DOUBLING = `
const respond = (id, ask, send) => {
  if (ask < 0) throw new Error('that was too much')
  const response = ask === 0 ? { failure: 'no nothing' } : { twice: 2 * ask }
  setTimeout(() => send({ ...response, id }), 20 - ask)
}`
const THREAD = `${DOUBLING}
self.onmessage = ({ data: { id, ask } }) => respond(id, ask, response => self.postMessage(response))`
const PROCESS = `${DOUBLING}
process.on('uncaughtException', () => process.exit(7))
process.on('disconnect', () => process.exit())
process.on('message', ({ id, ask }) => respond(id, ask, response => process.send(response)))`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-worker-'))
  await Bun.write(join(folder, 'thread.js'), THREAD)
  await Bun.write(join(folder, 'process.js'), PROCESS)
})
afterAll(() => rm(folder, { recursive: true }))

const startThread = (name = 'thread.js') => spawnThread(join(folder, name))
const startProcess = (name = 'process.js') => spawnProcess([process.execPath, join(folder, name)])
const open = (start: ReturnType<typeof spawnThread>) =>
  new WorkerClient<{ ask: number }, Doubled>(start, 'the doubling failed')

describe.each([
  ['thread', startThread, 'that was too much', 'none.js'],
  ['process', startProcess, 'it ended with 7', 'it ended with 1'],
] as const)('A worker in a %s', (_, start, crashReason, missingReason) => {
  test('gives each request its response, in any order', async () => {
    const worker = open(start())
    const responses = await Promise.all([1, 7, 3].map(ask => worker.request({ ask })))
    expect(responses).toEqual([{ twice: 2 }, { twice: 14 }, { twice: 6 }])
    worker.close()
  })

  test('reports a failed request, and continues', async () => {
    const worker = open(start())
    expect(worker.request({ ask: 0 })).rejects.toThrow('the doubling failed: no nothing')
    expect(await worker.request({ ask: 1 })).toEqual({ twice: 2 })
    expect(worker.hasEnded).toBeFalse()
    worker.close()
  })

  test.each([
    ['crashes', () => open(start()).request({ ask: -1 }), crashReason],
    ['does not exist', () => open(start('none.js')).request({ ask: 1 }), missingReason],
  ])('that %s fails its requests', async (_case, ask, reason) => {
    expect(ask()).rejects.toThrow(reason)
  })

  test('is ended if a response takes too long, and fails its requests', async () => {
    const worker = new WorkerClient<{ ask: number }, Doubled>(start(), 'the doubling failed', 1)
    const all = await Promise.allSettled([1, 2].map(ask => worker.request({ ask })))
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(worker.hasEnded).toBeTrue()
    expect(worker.request({ ask: 3 })).rejects.toThrow('the doubling failed: it gave no response for 1 ms')
  })

  test('fails pending and later requests once it was closed', async () => {
    const worker = open(start())
    const waiting = worker.request({ ask: 1 })
    worker.close()
    expect(worker.hasEnded).toBeTrue()
    expect(waiting).rejects.toThrow('it was closed')
    expect(worker.request({ ask: 1 })).rejects.toThrow('it was closed')
  })
})

test.each([
  [
    'thread',
    (path: string) => spawnThread(path),
    'self.onmessage = event => reply(event.data)',
    'self.postMessage',
  ],
  [
    'process',
    (path: string) => spawnProcess([process.execPath, path], { GIVEN: 'yes' }),
    "process.on('message', reply)",
    'process.send',
  ],
] as const)('A worker in a %s inherits no variables', async (kind, start, listen, send) => {
  const path = join(folder, `variables-${kind}.js`)
  const names = `Object.keys(process.env).filter(name => !/^(NODE_|BUN_)/.test(name)).join(',')`
  await Bun.write(path, `const reply = ({ id }) => ${send}({ id, names: ${names} })\n${listen}`)
  const worker = new WorkerClient<object, WorkerResponse & { names: string }>(start(path), 'it failed')
  expect(Object.keys(process.env).length).toBeGreaterThan(0)
  expect((await worker.request({})).names).toBe(kind === 'process' ? 'GIVEN' : '')
  worker.close()
})
