import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeStaleWorkFolders } from '../../src/store/workFolder.ts'
import { withData } from '../helpers/data.ts'
import { Corkboard, corkboard, until } from '../helpers/process.ts'
import { fillTables } from './rows.ts'

const JOBS = 160
/** Enough jobs that every command takes some time. */
const LENGTH = 64_000

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-unfinished-'))
  mkdirSync(join(folder, 'out'))
  await withData(join(folder, 'data'), store => store.write(tables => fillTables(tables, JOBS, LENGTH)))
})
afterEach(() => rm(folder, { recursive: true }))

const namesIn = (name: string) => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : [])
const hidden = (name: string) => namesIn(name).filter(each => each.startsWith('.corkboard-'))
const visible = (name: string) => namesIn(name).filter(each => !each.startsWith('.corkboard-'))

/** Starts a command, and returns once it has written to its work folder in `place`. */
async function startedIn(place: string, ...args: string[]): Promise<Corkboard> {
  const before = hidden(place)
  const command = new Corkboard(args, { folder })
  await until(() =>
    hidden(place).some(name => !before.includes(name) && namesIn(join(place, name)).length > 0),
  )
  return command
}

async function kill(command: Corkboard) {
  await command.end('SIGKILL')
}

const jobsIn = (name: string) => withData(join(folder, name), ({ read }) => read.jobs.count)

describe.each([
  ['backup', 'out/board.tar'],
  ['export', 'out/board.jsonl'],
])('%s', (command, file) => {
  test('removes work folders of killed processes, and none of a running one', async () => {
    await kill(await startedIn('out', command, file))
    await kill(await startedIn('out', command, 'out/another'))
    expect(hidden('out')).not.toEqual([])
    const paused = await startedIn('out', command, 'out/slow')
    paused.signal('SIGSTOP')
    expect(await corkboard([command, file], { folder })).toMatchObject({ status: 0 })
    expect(hidden('out')).toHaveLength(1)
    paused.signal('SIGCONT')
    expect(await paused.end()).toBe(0)
    expect(namesIn('out').toSorted()).toEqual([file.slice(4), 'slow'].toSorted())
  })
})

describe('restore', () => {
  beforeEach(async () => {
    expect(await corkboard(['backup', 'out/board.tar'], { folder })).toMatchObject({ status: 0 })
  })

  const restore = () => corkboard(['restore', 'out/board.tar', '--data', 'new'], { folder })

  test('accepts a directory in which a restore was killed', async () => {
    await kill(await startedIn('new', 'restore', 'out/board.tar', '--data', 'new'))
    expect(hidden('new')).toHaveLength(1)
    expect(visible('new')).toEqual(['lock'])
    expect(await restore()).toMatchObject({ status: 0, err: '' })
    expect(namesIn('new').toSorted()).toEqual(['data.mdb', 'lock', 'logos'])
    expect(await jobsIn('new')).toBe(JOBS)
  })

  test('accepts a directory in which a restore was killed between logos and records', async () => {
    mkdirSync(join(folder, 'new/logos'), { recursive: true })
    writeFileSync(join(folder, 'new/logos/logo.webp'), '')
    expect((await restore()).err).toContain('new is not empty: it contains logos.')
    const remains = join(folder, 'new', `.corkboard-${crypto.randomUUID()}.tmp`)
    mkdirSync(remains)
    writeFileSync(join(remains, 'data.mdb'), '')
    expect(await restore()).toMatchObject({ status: 0, err: '' })
    expect(namesIn('new/logos')).toEqual([])
  })

  test('never removes the logos of a board', async () => {
    const remains = join(folder, 'data', `.corkboard-${crypto.randomUUID()}.tmp`)
    mkdirSync(remains)
    writeFileSync(join(remains, 'data.mdb'), '')
    mkdirSync(join(folder, 'data/logos'), { recursive: true })
    writeFileSync(join(folder, 'data/logos/logo.webp'), '')
    const { err } = await corkboard(['restore', 'out/board.tar'], { folder })
    expect(err).toContain('is not empty: it contains data.mdb.')
    expect(namesIn('data/logos')).toEqual(['logo.webp'])
  })
})

test('a server removes unfinished work from its data and backup directories at the start', async () => {
  for (const place of ['data', 'out']) mkdirSync(join(folder, place, `.corkboard-${crypto.randomUUID()}.tmp`))
  const server = new Corkboard(['serve', '--port', '0', '--backup-dir', 'out'], { folder })
  await server.url()
  expect(hidden('data')).toEqual([])
  await until(() => visible('out').length === 1 && hidden('out').length === 0)
  await server.end('SIGTERM')
})

test('never removes files and folders with other names', async () => {
  const others = ['.corkboard-1.tmp', '.board.tar.0123abcd.tmp', `corkboard-${crypto.randomUUID()}.tmp`]
  for (const name of others) mkdirSync(join(folder, 'out', name))
  const file = `.corkboard-${crypto.randomUUID()}.tmp`
  writeFileSync(join(folder, 'out', file), '')
  await removeStaleWorkFolders(join(folder, 'out'))
  expect(namesIn('out').toSorted()).toEqual([...others, file].toSorted())
})
