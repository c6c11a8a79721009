import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ImportFolder, jsonLines, ROW } from '../helpers/importFolder.ts'

const since = { confirmed: true, created_at: '2026-01-01T00:00:00Z' }
const MALLORY = { corkboard: 'user', email: 'mallory@example.com', role: 'admin', ...since }
const BOB = { corkboard: 'user', email: 'bob@example.com', role: 'user', ...since }
const SUE = { corkboard: 'subscriber', email: 'sue@example.com', ...since }
const JOB = {
  corkboard: 'job',
  ...ROW,
  user: 'ada@example.com',
  pending: false,
  ...since,
  updated_at: since.created_at,
  appeared_at: since.created_at,
  expires_at: null,
}
const BOARD = jsonLines(MALLORY, BOB, SUE, JOB)

let folder: ImportFolder
beforeEach(async () => {
  folder = await ImportFolder.create()
})
afterEach(() => folder.remove())

const records = () =>
  folder.withStore(({ read }) => ({
    accounts: read.users.all().map(({ email, role }) => `${email} ${role}`),
    subscribers: read.subscribers.all().map(({ email }) => email),
    owners: read.jobs.all().map(({ userId }) => userId),
  }))

/** Adds an account before the import. */
const addAda = () =>
  folder.withStore(store =>
    store.write(({ users }) => {
      const row = { email: 'ada@example.com', role: 'admin' as const, confirmed: true, passwordHash: '' }
      users.insert({ ...row, epoch: 1, createdAt: 0, updatedAt: 0 })
    }),
  )

const IMPORTED =
  'Imported 1 row.\nCreated 1 category: "Land & Animals".\nCreated 1 term: "Full-time".\nCreated 1 archived plan: "Imported".\nNobody else can post on an archived plan. Activate it with PUT /plans/{id}/activate.json.\n'

describe('an import from a URL', () => {
  let server: Bun.Server<undefined>
  beforeEach(() => {
    server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(BOARD) })
  })
  afterEach(() => server.stop(true))

  test('imports the jobs without accounts, subscribers and owners', async () => {
    await addAda()
    expect(await folder.import(`${server.url.origin}/board.jsonl`)).toEqual({
      status: 0,
      out: `${IMPORTED}Skipped 3 accounts and subscribers.\n`,
      err: '',
    })
    expect(await records()).toEqual({ accounts: ['ada@example.com admin'], subscribers: [], owners: [null] })
  })

  test('refuses --with-accounts before it creates anything', async () => {
    const { status, err } = await folder.import(server.url.href, '--with-accounts')
    expect({ status, err }).toEqual({
      status: 2,
      err: '--with-accounts requires a file: from a URL, accounts are never imported.\n',
    })
  })
})

describe('an import from a file', () => {
  test('skips accounts and subscribers, and explains how to import them', async () => {
    expect(await folder.import(folder.file(BOARD))).toEqual({
      status: 0,
      out: `${IMPORTED}Skipped 3 accounts and subscribers. Import them with --with-accounts.\n`,
      err: '',
    })
    expect(await records()).toEqual({ accounts: [], subscribers: [], owners: [null] })
  })

  test('does not check the lines that it skips', async () => {
    const text = JSON.stringify({ corkboard: 'user', email: 'x', role: 'king' })
    expect(await folder.import(folder.file(text))).toEqual({
      status: 0,
      out: 'Imported 0 rows.\nSkipped 1 account or subscriber. Import them with --with-accounts.\n',
      err: '',
    })
  })

  test('imports them with --with-accounts, and lists each administrator', async () => {
    const { status, out } = await folder.import(folder.file(BOARD), '--with-accounts')
    expect({ status, lines: out.split('\n').slice(5) }).toEqual({
      status: 0,
      lines: [
        'Created 1 administrator: "mallory@example.com".',
        'Created 1 account: "bob@example.com".',
        'New accounts have no password. Set one with corkboard user password EMAIL.',
        'Created 1 subscriber.',
        '',
      ],
    })
    expect(await records()).toEqual({
      accounts: ['mallory@example.com admin', 'bob@example.com user'],
      subscribers: ['sue@example.com'],
      owners: [null],
    })
  })

  test('does not change an existing account with --with-accounts', async () => {
    await addAda()
    const text = JSON.stringify({ ...BOB, email: 'ada@example.com' })
    expect((await folder.import(folder.file(text), '--with-accounts')).out).toBe('Imported 1 row.\n')
    expect((await records()).accounts).toEqual(['ada@example.com admin'])
  })
})
