import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { withData } from '../helpers/data.ts'
import { COMMAND, MAIN } from '../helpers/process.ts'
import { serve } from './load.ts'
import { fillTables } from './rows.ts'

const NOBODY = '65534'

let folder: string
let data: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-start-'))
  data = join(folder, 'data')
  await withData(data, store => store.write(tables => fillTables(tables, 50, 3000)))
})

afterEach(() => rm(folder, { recursive: true }))

/** Runs the program to its end, optionally as another user. */
function run(args: readonly string[], prefix: readonly string[] = []) {
  const { exitCode, signalCode, stderr } = Bun.spawnSync([...prefix, ...COMMAND, ...args], {
    env: { CORKBOARD_DATA: data },
    timeout: 20_000,
  })
  return { status: exitCode, signal: signalCode, err: stderr.toString() }
}

const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
const mayBeNobody =
  process.getuid?.() === 0 &&
  Bun.which('setpriv') !== null &&
  Bun.spawnSync([...asNobody, ...COMMAND, '--version']).exitCode === 0

const file = () => join(data, 'data.mdb')

async function makeNewer() {
  const env = open({ path: data, noSubdir: false, maxDbs: 32, encoding: 'json', overlappingSync: false })
  await env.openDB({ name: 'meta' }).put('version', 999)
  await env.close()
}

/** A fault, a function that causes it, and the message about it. */
const STARTS: [string, () => void | Promise<void>, RegExp][] = [
  [
    'garbage',
    () => writeFileSync(file(), 'no store at all\n'.repeat(5000)),
    /isn't a Corkboard store, or it is damaged\. Restore a backup\.$/,
  ],
  [
    'zeros',
    () => writeFileSync(file(), Buffer.alloc(100_000)),
    /isn't a Corkboard store, or it is damaged\. Restore a backup\.$/,
  ],
  [
    'a file cut off',
    () => truncateSync(file(), readFileSync(file()).length / 2),
    /is damaged or incomplete at page \d+\. Restore a backup\.$/,
  ],
  ['a directory in its place', () => rm(file()).then(() => mkdirSync(file())), /isn't a file\.$/],
  [
    'a newer store',
    makeNewer,
    /was written by a newer Corkboard \(schema version 999, this one supports \d+\)\. Use that one\.$/,
  ],
]

const COMMANDS = [
  ['serve', '--port', '0'],
  ['user', 'list'],
  ['check'],
  ['check', '--repair'],
  ['backup', '/dev/null/x'],
]

describe('a data directory with', () => {
  test.each(STARTS)('%s is refused by every command in one sentence', async (_, make, sentence) => {
    await make()
    for (const args of COMMANDS) {
      const { status, signal, err } = run(args)
      expect({ args, status, signal: signal ?? null }).toEqual({ args, status: 1, signal: null })
      expect(err.trimEnd().split('\n')).toEqual([expect.stringMatching(sentence)])
    }
  })

  test.if(mayBeNobody)('another owner is refused by every command in one sentence', () => {
    chmodSync(folder, 0o755)
    for (const args of COMMANDS) {
      const { status, err } = run(args, asNobody)
      expect({ args, status }).toEqual({ args, status: 1 })
      expect(err.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/^\S+ can't be used: permission denied. .*\.$/),
      ])
    }
  })

  test.if(mayBeNobody)('an unreadable data file is refused in one sentence', () => {
    chmodSync(folder, 0o755)
    Bun.spawnSync(['chown', '-R', NOBODY, data])
    Bun.spawnSync(['chown', '0', file()])
    const { status, err } = run(['serve', '--port', '0'], asNobody)
    expect(status).toBe(1)
    expect(err).toMatch(/^\S+data\.mdb can't be used: permission denied. .*\.\n$/)
  })
})

describe('while a server runs', () => {
  test('a second server, an import and a repair are refused, and it keeps running', async () => {
    const server = serve(folder)
    const url = await server.url()
    for (const args of [
      ['serve', '--port', '0'],
      ['import', MAIN],
      ['check', '--repair'],
      ['restore', MAIN],
    ]) {
      const { status, err } = run(args)
      expect({ args, status }).toEqual({ args, status: 1 })
      expect(err.trimEnd().split('\n')).toHaveLength(1)
    }
    expect(run(['serve', '--port', '0']).err).toMatch(
      new RegExp(`in use by another Corkboard \\(process ${server.pid}\\)\\. Stop it first\\.\\n$`),
    )
    expect((await fetch(`${url}/jobs.json`)).status).toBe(200)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  test('a second server on the same port is refused, and creates no data directory', async () => {
    const server = serve(folder)
    const port = new URL(await server.url()).port
    const { status, err } = run(['serve', '--port', port, '--data', join(folder, 'other')])
    expect(status).toBe(1)
    expect(err).toBe(
      `Can't listen on 127.0.0.1, port ${port}: the port is in use. Stop the other program, or choose another --port.\n`,
    )
    expect(await Bun.file(join(folder, 'other/data.mdb')).exists()).toBeFalse()
    expect(await server.end('SIGTERM')).toBe(0)
  })
})
