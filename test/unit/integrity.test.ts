import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from 'lmdb'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import type { Account, TestBoard } from '../helpers/board.ts'
import { allResponses, filledBoard } from '../helpers/filledBoard.ts'
import { BARE, formOf, logoFile } from '../helpers/forms.ts'
import { TestHost } from '../helpers/host.ts'
import { png } from '../helpers/pictures.ts'

let board: TestBoard
let admin: Account
let data: string
let closed: boolean

beforeEach(async () => {
  ;({ board, admin } = await filledBoard())
  data = join(board.folder, 'data')
  closed = false
})

afterEach(async () => {
  await close()
  await rm(board.folder, { recursive: true })
})

async function close() {
  if (!closed) await board.board.close()
  closed = true
}

async function check(...flags: string[]) {
  const host = new TestHost()
  const status = await run(COMMANDS, ['check', '--data', data, ...flags], host)
  return { status, out: host.out, err: host.err }
}

type Shelf = {
  put(key: unknown, value: unknown): Promise<unknown>
  remove(key: unknown): Promise<unknown>
  clearAsync(): Promise<unknown>
}

/** Writes without any checks, like a damaged disk or a bug. */
async function tamper(name: string, change: (references: Shelf) => Promise<unknown>) {
  await close()
  const env = open({ path: data, noSubdir: false, maxDbs: 32, encoding: 'json', overlappingSync: false })
  const isRaw = ['counters', 'references', 'uniques', 'moments'].includes(name)
  await change(env.openDB(isRaw ? { name } : { name, encoding: 'json' }))
  await env.close()
}

const logos = () => readdirSync(join(data, 'logos')).toSorted()

/** The damage, and the error to find. */
const FAULTS: [string, () => Promise<unknown>, RegExp][] = [
  [
    'a job whose category is gone',
    () => tamper('categories', references => references.remove(1)),
    /^jobs 1 refers to categories 1, which doesn't exist\.$/m,
  ],
  [
    'a job whose term is gone',
    () => tamper('terms', references => references.remove(1)),
    /^jobs 2 refers to terms 1, /m,
  ],
  [
    'a job whose plan is gone',
    () => tamper('plans', references => references.remove(1)),
    /^jobs 4 refers to plans 1, /m,
  ],
  [
    'a job whose owner is gone',
    () => tamper('users', references => references.remove(1)),
    /^jobs 1 refers to users 1, /m,
  ],
  [
    'views of a job that is gone',
    () => tamper('views', references => references.put(99, { id: 99, views: 1 })),
    /^views 99 refers to jobs 99, which doesn't exist\.$/m,
  ],
  [
    'an owner who is gone, index and all',
    async () => {
      await tamper('users', references => references.remove(1))
      await tamper('references', references => references.remove(['jobs', 'userId', 1, 2]))
    },
    /^jobs 2 refers to users 1, /m,
  ],
  [
    'a counter that is behind',
    () => tamper('counters', references => references.put('jobs', 2)),
    /^The last id of jobs is recorded as 2, but there is 4\.$/m,
  ],
  [
    'a counter that is gone',
    () => tamper('counters', references => references.remove('terms')),
    /^The last id of terms is recorded as 0, but there is 1\.$/m,
  ],
  [
    'a reference that the index lacks',
    () => tamper('references', references => references.remove(['jobs', 'categoryId', 1, 3])),
    /^The index is missing categoryId 1 of jobs 3\.$/m,
  ],
  [
    'a reference that only the index has',
    () => tamper('references', references => references.put(['jobs', 'categoryId', 2, 3], 1)),
    /^The index has a wrong categoryId of jobs 3: 2\.$/m,
  ],
  [
    'a reference of a job that is not there',
    () => tamper('references', references => references.put(['jobs', 'termId', 1, 77], 1)),
    /^The index has a wrong termId of jobs 77: 1\./m,
  ],
  [
    'a reference of a table that is not there',
    () => tamper('references', references => references.put(['jabs', 'termId', 1, 1], 1)),
    /termId of jabs 1/m,
  ],
  [
    'a name that the index lacks',
    () => tamper('uniques', references => references.remove(['categories', 'name', 'design'])),
    /^The index is missing name of categories 1\.$/m,
  ],
  [
    'a name that the index gives to another',
    () => tamper('uniques', references => references.put(['categories', 'name', 'design'], 2)),
    /^The index is missing name of categories 1\.$/m,
  ],
  [
    'a name that only the index has',
    () => tamper('uniques', references => references.put(['users', 'email', 'x@example.com'], 1)),
    /^The index has a wrong email of users 1: "x@example.com"\./m,
  ],
  [
    'a change that is not journaled',
    () => tamper('terms', terms => terms.put(1, { id: 1, name: 'Full Time' })),
    /^The name of terms 1 differs from the journal\.$/m,
  ],
  [
    'a gap in the journal',
    () => tamper('journal', journal => journal.remove(5)),
    /^The journal is missing entry 5\.$/m,
  ],
  [
    'jobs whose next moment is unknown',
    () => tamper('moments', moments => moments.clearAsync()),
    /^The index is missing the next moment of jobs 3\.$/m,
  ],
  [
    'a deletion that is not journaled',
    () => tamper('jobs', jobs => jobs.remove(4)),
    /^jobs 4 doesn't exist, but was not deleted according to the journal\.$/m,
  ],
  [
    'a job that only the index of moments has',
    () => tamper('moments', moments => moments.put([9_000_000_000_000, 3], 1)),
    /^The index has a wrong moment of jobs 3: 9000000000000\.$/m,
  ],
  [
    'a logo that is gone',
    async () => {
      await close()
      await rm(join(data, 'logos', String(logos()[0])))
    },
    /^The logo \S+ of job [24] is missing\.$/m,
  ],
  [
    'a logo that is damaged',
    async () => {
      await close()
      writeFileSync(join(data, 'logos', String(logos()[0])), 'x')
    },
    /^The logo \S+ of job [24] is damaged\.$/m,
  ],
  [
    'a logo that is another’s',
    async () => {
      await close()
      const [a, b] = logos()
      renameSync(join(data, 'logos', String(a)), join(data, 'logos', String(b)))
    },
    /is damaged\.$/m,
  ],
  [
    'a stray file',
    async () => {
      await close()
      writeFileSync(join(data, 'logos/notes.txt'), 'mine')
    },
    /^No job uses the file logos\/notes\.txt\.$/m,
  ],
  [
    'a stray logo',
    async () => {
      await close()
      writeFileSync(join(data, 'logos', `${'a'.repeat(16)}-${'b'.repeat(32)}.webp`), 'x')
    },
    /^No job uses the file logos\/aaaa/m,
  ],
]

describe('the check', () => {
  test('finds no errors in a healthy board, with and without a running server', async () => {
    const expected = {
      status: 0,
      out: 'Checked all records and logos (jobs: 4, categories: 2, terms: 1, plans: 1, users: 1): no errors found.\n',
      err: '',
    }
    expect(await check()).toEqual(expected)
    await close()
    expect(await check()).toEqual(expected)
    expect(await check('--repair')).toEqual(expected)
  })

  test.each(FAULTS)('finds %s, and fixes it with --repair', async (_, harm, sentence) => {
    await harm()
    const found = await check()
    expect(found).toMatchObject({ status: 1, err: expect.stringContaining('run check --repair to fix') })
    expect(found.out).toMatch(sentence)
    const repaired = await check('--repair')
    expect(repaired).toMatchObject({ status: 0, err: '' })
    expect(repaired.out).toMatch(sentence)
    expect(await check()).toMatchObject({ status: 0, err: '' })
  })

  test('knows the logo of the board', async () => {
    await board.put('/settings.json', { as: admin, body: formOf({ logo: logoFile(png(3, 3)) }, BARE) })
    const { logo } = board.board.config
    expect((await check()).status).toBe(0)
    await close()
    await rm(join(data, 'logos', logo))
    expect((await check()).out).toContain(`The logo ${logo} of the board is missing.`)
    expect(await check('--repair')).toMatchObject({ status: 0, err: '' })
  })

  test('deletes no job and no file with --repair', async () => {
    await tamper('categories', references => references.remove(1))
    await tamper('users', references => references.remove(1))
    writeFileSync(join(data, 'logos/notes.txt'), 'mine')
    expect((await check('--repair')).status).toBe(0)
    board = await board.again()
    closed = false
    const jobs: unknown = await (await board.get('/jobs.json')).json()
    expect(jobs).toMatchObject(
      [4, 3, 2, 1].map(id => ({ id, category: { id: 1, name: 'Recovered category 1' } })),
    )
    expect(readdirSync(join(data, 'lost'))).toEqual(['notes.txt'])
  })

  test("reports what it can't fix, and fails", async () => {
    await tamper('terms', references => references.put(2, { id: 2, name: 'FULL TIME' }))
    await tamper('jobs', references => references.put(3, { id: 7 }))
    const { status, err } = await check('--repair')
    expect(status).toBe(1)
    expect(err).toContain("jobs 3 can't be read. Restore a backup.")
    expect(err).toContain('terms 1 and 2 have the same name. Change one.')
  })

  test('refuses to repair while a server runs', async () => {
    const before = await allResponses(board, admin)
    expect(await check('--repair')).toMatchObject({
      status: 1,
      err: expect.stringContaining('is in use by another Corkboard'),
    })
    expect(await allResponses(board, admin)).toEqual(before)
  })

  test('changes nothing without --repair', async () => {
    await tamper('categories', references => references.remove(1))
    writeFileSync(join(data, 'logos/notes.txt'), 'mine')
    const before = await check()
    expect(before.status).toBe(1)
    expect(await check()).toEqual(before)
  })

  test('creates no board', async () => {
    const nowhere = join(board.folder, 'nowhere')
    expect(await run(COMMANDS, ['check', '--repair', '--data', nowhere], new TestHost())).toBe(1)
    expect(existsSync(nowhere)).toBeFalse()
  })
})
