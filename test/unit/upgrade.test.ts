import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { promises as fs, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restore } from '../../src/features/backups/restore.ts'
import { isBackup, parseDescription } from '../../src/store/backupFormat.ts'
import { SCHEMA_VERSION } from '../../src/store/migrations.ts'
import { Store } from '../../src/store/store.ts'
import { basic, TestBoard } from '../helpers/board.ts'
import { corkboard } from '../helpers/process.ts'

/**
 * A backup of the sample board by the program of each released schema, with an employer's job and its logo, a subscriber
 * and a page view. A new migration requires one by the program before it: schema-N.tar.gz.
 */
const STORES = join(import.meta.dir, '../stores')
const OLD_VERSIONS = Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) => at + 1)
const ADMIN = basic('ada@example.com', 'correct-horse')

let folder: string
let data: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-upgrade-'))
  data = join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const archiveOf = (version: number) => Bun.gunzipSync(readFileSync(join(STORES, `schema-${version}.tar.gz`)))

/** Puts the data directory of an older program in place. */
async function placeStore(version: number) {
  await mkdir(data)
  for (const [name, file] of await new Bun.Archive(archiveOf(version)).files()) {
    await mkdir(join(data, 'logos'), { recursive: true })
    if (/^data\.mdb$|^logos\//.test(name)) await writeFile(join(data, name), await file.bytes())
  }
}

const upgradeBackups = () => readdirSync(data).filter(name => name.startsWith('before-upgrade'))

/** Expects the board that all these stores contain. */
async function expectBoard() {
  const closed = await TestBoard.at(folder)
  // The upgrade finds the next moments of jobs by this clock.
  closed.clock.now = Date.now()
  try {
    const { store } = closed.board
    expect(store.findIntegrityErrors()).toEqual([])
    expect(store.read.users.all().map(({ email }) => email)).toEqual(['ada@example.com', 'bob@example.com'])
    expect(store.read.subscribers.all().map(({ email }) => email)).toEqual(['reader@example.com'])
    const jobs = (await (
      await closed.get('/jobs.json?status=all&per_page=100', { headers: { authorization: ADMIN } })
    ).json()) as { title: string; status: string; logo: string; description: string }[]
    expect(jobs.length).toBeGreaterThanOrEqual(27)
    const job = jobs.find(({ title }) => title === 'Lamp Polisher')
    expect(job).toMatchObject({ description: 'Shiny.' })
    const logo = await closed.get(new URL(job?.logo ?? '', 'http://localhost').pathname)
    expect([logo.status, (await logo.bytes()).length > 1000]).toEqual([200, true])
  } finally {
    await closed.board.close()
  }
}

describe.each(OLD_VERSIONS)('a store of schema version %d', version => {
  test('is upgraded after a backup beside it, which the program of that version can restore', async () => {
    await placeStore(version)
    const store = await Store.open(data)
    const { upgrade } = store
    await store.close()
    const [backup = 'none', ...others] = upgradeBackups()
    expect(others).toEqual([])
    expect(upgrade).toEqual({ from: version, backup: join(data, backup) })
    expect(backup).toMatch(new RegExp(`^before-upgrade-from-${version}-\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z\\.tar$`))
    expect(statSync(join(data, backup)).mode & 0o777).toBe(0o600)
    expect(await isBackup(join(data, backup))).toBeTrue()
    const files = await new Bun.Archive(readFileSync(join(data, backup))).files()
    expect(parseDescription((await files.get('backup.json')?.text()) ?? '')?.schema).toBe(version)
    expect([...files.keys()].filter(name => name.startsWith('logos/'))).toHaveLength(1)
    await expectBoard()
    // once
    expect(upgradeBackups()).toEqual([backup])
    const saved = join(folder, 'saved.tar')
    await fs.rename(join(data, backup), saved)
    await rm(data, { recursive: true })
    await restore(saved, data)
    expect(upgradeBackups()).toEqual([])
    await expectBoard()
  })

  test('can be restored from a backup of that version', async () => {
    const file = join(folder, 'old.tar')
    await writeFile(file, archiveOf(version))
    await restore(file, data)
    await expectBoard()
    expect(upgradeBackups()).toEqual([])
  })
})

describe('if the backup before an upgrade fails', () => {
  test('nothing is upgraded, and a sentence says what to do', async () => {
    await placeStore(1)
    await mkdir(join(data, 'logos/unreadable.webp'))
    const failure = await Store.open(data).catch((error: unknown) => String(error))
    expect(failure).toBe(
      `StoreError: ${data} must be upgraded from schema version 1, but the backup before that failed: it is a directory. Nothing was changed. Fix this, or leave the backup out with serve --no-upgrade-backup.`,
    )
    expect(readdirSync(data).filter(name => name.startsWith('.corkboard') || name.endsWith('.tar'))).toEqual(
      [],
    )
    await rm(join(data, 'logos/unreadable.webp'), { recursive: true })
    const store = await Store.open(data)
    expect(store.upgrade?.from).toBe(1)
    await store.close()
  })
})

test('a command upgrades too, and `serve --no-upgrade-backup` makes no backup', async () => {
  await placeStore(2)
  const listed = await corkboard(['user', 'list', '--data', data])
  expect([listed.status, listed.out.includes('bob@example.com')]).toEqual([0, true])
  expect(upgradeBackups()).toHaveLength(1)
  await rm(data, { recursive: true })
  await placeStore(2)
  const store = await Store.open(data, { upgradeBackup: false })
  expect(store.upgrade).toEqual({ from: 2, backup: undefined })
  await store.close()
  expect(upgradeBackups()).toEqual([])
})
