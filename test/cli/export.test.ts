import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { type Account, basic, PASSWORD, TestBoard } from '../helpers/board.ts'
import { filledBoard } from '../helpers/filledBoard.ts'
import { TestHost } from '../helpers/host.ts'

let board: TestBoard
let admin: Account
let target: TestBoard | undefined

beforeEach(async () => {
  ;({ board, admin } = await filledBoard(5))
  target = undefined
})

afterEach(async () => {
  await board.close()
  if (target) await rm(target.folder, { recursive: true, force: true })
})

async function command(...args: string[]) {
  const host = new TestHost()
  const status = await run(COMMANDS, args, host)
  return { status, out: host.out, err: host.err }
}

const data = (of: TestBoard) => join(of.folder, 'data')
const path = () => join(board.folder, 'board.jsonl')
const exportTo = (file: string) => command('export', file, '--data', data(board))

/** Imports an export into another board. */
async function importElsewhere() {
  const empty = await TestBoard.open()
  await empty.board.close()
  target = empty
  empty.clock.now = board.clock.now
  const result = await command('import', path(), '--with-accounts', '--data', data(empty))
  const opened = await empty.again()
  target = opened
  return { opened, result }
}

type Named = { readonly name: string }
type Shown = { logo: string; term: Named; category: Named; plan: Named; user?: { email: string } | null }

/** Returns a list without ids and names of logos, which differ from board to board. */
async function listOf(of: TestBoard, as?: Account) {
  const response = await of.get(as ? '/jobs.json?status=all' : '/jobs.json', as ? { as } : {})
  const jobs = (await response.json()) as Shown[] // as the interface says
  return jobs.map(job => ({
    ...Object.fromEntries(Object.entries(job).filter(([field]) => !OF_A_BOARD.includes(field))),
    hasLogo: job.logo !== '',
    names: [job.term, job.category, job.plan].map(({ name }) => name),
    owner: job.user?.email,
  }))
}

/** The fields of a job that differ from board to board. */
const OF_A_BOARD =
  'id url preview_image_url logo term category plan user views apply_clicks impressions'.split(' ')

describe('an export that is imported again', () => {
  test('has the same jobs, with their states, owners, plans and logos', async () => {
    const bob = await board.account('bob@example.com')
    const plans = [
      { name: 'Loud', pin: true, price: 9, period: 3 },
      { name: 'Old', highlight: true },
    ]
    for (const plan of plans) await board.post('/plans.json', { as: admin, body: plan })
    const job = JSON.parse(await (await board.get('/jobs/1.json')).text()) as Record<string, unknown>
    const fields = { ...job, category_id: 2, term_id: 1 }
    await board.post('/jobs.json', { as: bob, body: { ...fields, title: 'Pinned', plan_id: 2, salary: 7 } })
    await board.post('/jobs.json', {
      as: bob,
      body: {
        ...fields,
        title: 'By mail',
        plan_id: 3,
        application_type: 'email',
        application_email: 'a@example.com',
      },
    })
    await board.put('/jobs/3.json', { as: admin, body: { expires_at: '2026-01-01T00:00:00Z' } })
    await board.put('/jobs/4.json', { as: admin, body: { expires_at: null } })
    await board.put('/plans/3/archive.json', { as: admin })
    await board.delete(`/users/${admin.id}.json`, { as: admin })
    board.clock.now += 1000 * 60 * 60
    const before = [await listOf(board), await listOf(board, admin)]
    expect(before[1]).toHaveLength(7)
    expect(await exportTo(path())).toEqual({ status: 0, out: '', err: '' })
    const { opened, result } = await importElsewhere()
    expect(result).toMatchObject({ status: 0 })
    const there = await opened.account('eve@example.com', 'admin')
    expect([await listOf(opened), await listOf(opened, there)]).toEqual(before)
    const plansOf = async (of: TestBoard, as: Account) =>
      await (await of.get('/plans.json?status=all', { as })).json()
    expect(await plansOf(opened, there)).toEqual(await plansOf(board, admin))
    await opened.board.close()
  })

  test('keeps both application addresses of a job', async () => {
    const addresses = {
      application_url: 'https://acme.example/apply',
      application_email: 'jobs@acme.example',
    }
    await board.put('/jobs/1.json', { as: admin, body: { ...addresses, application_type: 'email' } })
    await exportTo(path())
    const { opened } = await importElsewhere()
    const there = await opened.account('eve@example.com', 'admin')
    const shown = { application_email: addresses.application_email }
    expect(await (await opened.get('/jobs/1.json')).json()).toMatchObject(shown)
    const response = await opened.put('/jobs/1.json', { as: there, body: { application_type: 'url' } })
    expect(await response.json()).toMatchObject({ application_url: addresses.application_url })
    await opened.board.close()
  })

  test('restores users, who need a new password, and subscribers', async () => {
    await board.board.store.write(({ subscribers }) =>
      subscribers.insert({
        email: 'sue@example.com',
        confirmed: true,
        createdAt: 0,
        updatedAt: 0,
        digestedUntil: 0,
      }),
    )
    await exportTo(path())
    const { opened, result } = await importElsewhere()
    expect(result.out).toContain('Created 1 administrator: "ada@example.com".\n')
    expect(result.out).toContain('corkboard user password EMAIL')
    expect(opened.board.store.read.users.all()).toMatchObject([{ email: 'ada@example.com', role: 'admin' }])
    expect(opened.board.store.read.subscribers.all()).toMatchObject([
      { email: 'sue@example.com', confirmed: true },
    ])
    const authorization = basic('ada@example.com', PASSWORD)
    expect((await opened.get('/users/me.json', { headers: { authorization } })).status).toBe(401)
    await opened.board.close()
  })

  test('duplicates only the jobs when it is imported twice', async () => {
    await exportTo(path())
    const { opened } = await importElsewhere()
    await opened.board.close()
    expect((await command('import', path(), '--with-accounts', '--data', data(opened))).status).toBe(0)
    const again = await opened.again()
    const { jobs, categories, terms, plans, users } = again.board.store.read
    expect([jobs, categories, terms, plans, users].map(table => table.count)).toEqual([10, 2, 1, 1, 1])
    await again.board.close()
  })
})

describe('an export', () => {
  test('is written to standard output or to a private file, without passwords', async () => {
    const { status, out } = await command('export', '--data', data(board))
    expect(status).toBe(0)
    expect((await exportTo(path())).status).toBe(0)
    expect(readFileSync(path(), 'utf8')).toBe(out)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(readdirSync(board.folder).toSorted()).toEqual(['board.jsonl', 'data'])
    expect(out).not.toMatch(/argon2|passwordHash/)
    const lines = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { corkboard: string; logo?: string })
    expect(lines.map(line => line.corkboard)).toEqual([
      'category',
      'category',
      'term',
      'plan',
      'user',
      ...Array<string>(5).fill('job'),
    ])
    expect(lines.filter(({ logo }) => logo?.startsWith('data:image/webp;base64,'))).toHaveLength(2)
  })

  test("reports that the file can't be written", async () => {
    expect(await exportTo(join(board.folder, 'none/board.jsonl'))).toMatchObject({
      status: 1,
      err: expect.stringContaining('no such file or directory'),
    })
  })

  test.each([
    [
      { corkboard: 'user', email: 'x', role: 'king', confirmed: true, created_at: '2026-01-01T00:00:00Z' },
      ['email', 'role'],
    ],
    [{ corkboard: 'category', name: '' }, ['name']],
    [{ corkboard: 'subscriber', email: 'x@example.com' }, ['confirmed', 'created_at']],
    [{ corkboard: 'job' }, ['title', 'expires_at', 'pending']],
  ])('is refused with a line such as %j', async (line, fields) => {
    await board.board.close()
    writeFileSync(path(), `${JSON.stringify(line)}\n`)
    const { status, err } = await command('import', path(), '--with-accounts', '--data', data(board))
    expect(status).toBe(1)
    for (const field of fields) expect(err).toContain(`${field} `)
    board = await board.again()
  })
})
