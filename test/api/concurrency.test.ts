import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Account, TestBoard } from '../helpers/board.ts'
import {
  type FixtureBoard,
  insertJobs,
  JOB_FIELDS,
  logosIn,
  openFixtureBoard,
  REQUIRED_FIELDS,
  waitUntil,
} from '../helpers/fixtures.ts'
import { BARE, formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { idsOf, jsonList, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
})
afterAll(() => board.close())

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Counts the responses by status. */
function tally(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const post = (path: string, body: object, as = fixture.admin) => board.post(path, { as, body })
const put = (path: string, body: object, as = fixture.admin) => board.put(path, { as, body })
const remove = (path: string) => board.delete(path, { as: fixture.admin })

async function added(path: string, body: object): Promise<number> {
  return Number((await jsonObject(post(path, body)))['id'])
}

/** Checks that every job's references exist. */
function expectNoOrphans() {
  const { jobs, categories, terms, plans } = board.board.store.read
  for (const { categoryId, termId, planId } of jobs.all())
    expect([categories.has(categoryId), terms.has(termId), plans.has(planId)]).toEqual([true, true, true])
}

test('simultaneous creates all succeed, each with its own id', async () => {
  const responses = await Promise.all(
    times(200, at => post('/jobs.json', { ...REQUIRED_FIELDS, title: `Herald ${at}` })),
  )
  expect(tally(responses)).toEqual({ 201: 200 })
  const bodies = await Promise.all(responses.map(jsonObject))
  const ids = bodies.map(({ id }) => Number(id))
  expect(new Set(ids).size).toBe(200)
  for (const [at, { title }] of bodies.entries()) expect(title).toBe(`Herald ${at}`)
  expect(await idsOf(board.get('/jobs.json'))).toEqual(ids.toSorted((a, b) => b - a))
  expect(await idsOf(board.get('/jobs.json?q=herald'))).toHaveLength(200)
})

test('simultaneous updates of different fields of a job both succeed', async () => {
  const [id] = await insertJobs(board.board, [{ userId: fixture.owner.id }])
  const path = `/jobs/${id}.json`
  const fields = ['title', 'location', 'company', 'description'] as const
  for (let round = 0; round < 10; round++) {
    const updates = fields.map(field => ({ [field]: `${field} ${round}` }))
    const responses = await Promise.all(
      updates.map((body, at) => put(path, body, at % 2 ? fixture.owner : fixture.admin)),
    )
    expect(tally(responses)).toEqual({ 200: fields.length })
    expect(await jsonObject(board.get(path))).toMatchObject(Object.assign({}, ...updates))
  }
})

test('conflicting simultaneous updates leave a valid job', async () => {
  const [id] = await insertJobs(board.board, [{ userId: fixture.owner.id, salary: 5 }])
  const path = `/jobs/${id}.json`
  for (let round = 0; round < 10; round++) {
    const responses = await Promise.all([
      put(path, { application_type: 'email', application_email: 'a@b.example' }),
      put(path, { application_url: 'https://b.example/' }),
      put(path, { application_type: 'url', application_url: 'https://a.example/' }),
      put(path, { application_type: 'email' }),
    ])
    expect(Object.keys(tally(responses)).every(status => ['200', '422'].includes(status))).toBeTrue()
    const { application_type, application_url, application_email } = await jsonObject(board.get(path))
    expect([application_url, application_email]).toEqual(
      application_type === 'url'
        ? [expect.stringContaining('https:'), undefined]
        : [undefined, 'a@b.example'],
    )
  }
})

test('a change is visible to its sender as soon as the response arrives', async () => {
  const rounds = times(40, async at => {
    const id = await added('/jobs.json', REQUIRED_FIELDS)
    const path = `/jobs/${id}.json`
    for (const title of [`first ${at}`, `second ${at}`]) {
      await put(path, { title })
      expect(await jsonObject(board.get(path))).toMatchObject({ title })
      const listed = (await jsonList(board.get('/jobs.json'))).find(job => job['id'] === id)
      expect(listed).toMatchObject({ title })
    }
    await remove(path)
    expect((await board.get(path)).status).toBe(404)
    expect(await idsOf(board.get('/jobs.json'))).not.toContain(id)
  })
  await Promise.all(rounds)
})

test.each([
  ['/categories', 'category_id'],
  ['/terms', 'term_id'],
])(
  'jobs that are created or moved while one of the %s is deleted are deleted with it or refused',
  async (path, field) => {
    for (let round = 0; round < 5; round++) {
      const label = await added(`${path}.json`, { name: `Short-lived ${round}` })
      const ids = await insertJobs(
        board.board,
        times(10, () => ({})),
      )
      const makes = () => times(10, () => post('/jobs.json', { ...REQUIRED_FIELDS, [field]: label }))
      const moves = (some: readonly number[]) => some.map(id => put(`/jobs/${id}.json`, { [field]: label }))
      const responses = await Promise.all([
        ...makes(),
        ...moves(ids.slice(0, round)),
        remove(`${path}/${label}.json`),
        ...moves(ids.slice(round)),
        ...makes(),
      ])
      for (const { status } of responses) expect(status).toBeOneOf([200, 201, 404, 422])
      expectNoOrphans()
      expect(
        await idsOf(board.get(`/jobs.json?${path === '/terms' ? 'term' : 'category'}=${label}`)),
      ).toEqual([])
    }
  },
)

test('posting with a logo while the category is deleted leaves no orphaned file', async () => {
  const files = logosIn(board.folder).length
  const form = (category: number) =>
    formOf({ ...REQUIRED_FIELDS, category_id: category, logo: logoFile(png(3, 3)) })
  const label = await added('/categories.json', { name: 'With logos' })
  const work = times(6, () => post('/jobs.json', form(label)))
  await Promise.race(work)
  const responses = await Promise.all([...work, remove(`/categories/${label}.json`)])
  for (const { status } of responses) expect(status).toBeOneOf([200, 201, 422])
  expectNoOrphans()
  await waitUntil(() => logosIn(board.folder).length === files)
})

test('simultaneous logos for one job leave only the one it shows', async () => {
  const [id] = await insertJobs(board.board, [{}])
  const files = logosIn(board.folder).length
  const logos = times(6, at => put(`/jobs/${id}.json`, formOf({ logo: logoFile(png(at + 1, 3)) }, BARE)))
  expect(tally(await Promise.all(logos))).toEqual({ 200: 6 })
  await waitUntil(() => logosIn(board.folder).length === files + 1)
  const { logo } = await jsonObject(board.get(`/jobs/${id}.json`))
  expect((await board.get(new URL(String(logo)).pathname)).status).toBe(200)
  await remove(`/jobs/${id}.json`)
})

test('a plan that is deleted or archived while jobs are posted on it either has no job or stays', async () => {
  for (const verb of ['DELETE', 'PUT']) {
    const plan = await added('/plans.json', { name: `Plan ${verb}` })
    const path = verb === 'PUT' ? `/plans/${plan}/archive.json` : `/plans/${plan}.json`
    const work = times(10, at =>
      at === 3
        ? board.request(verb, path, { as: fixture.admin })
        : post('/jobs.json', { ...REQUIRED_FIELDS, plan_id: plan }),
    )
    for (const { status } of await Promise.all(work)) expect(status).toBeOneOf([200, 201, 409, 422])
    expectNoOrphans()
  }
})

test('simultaneous deletes of a job delete it once', async () => {
  const id = await added('/jobs.json', JOB_FIELDS)
  const responses = await Promise.all(times(10, () => remove(`/jobs/${id}.json`)))
  expect(tally(responses)).toEqual({ 200: 1, 404: 9 })
})

test('a job that is updated while it is deleted stays deleted', async () => {
  const id = await added('/jobs.json', JOB_FIELDS)
  const path = `/jobs/${id}.json`
  const responses = await Promise.all([
    put(path, { title: 'x' }),
    remove(path),
    ...times(5, () => put(path, { title: 'y' })),
  ])
  for (const { status } of responses) expect(status).toBeOneOf([200, 404])
  expect((await board.get(path)).status).toBe(404)
  expect(await idsOf(board.get('/jobs.json'))).not.toContain(id)
})

test.each(['/categories.json', '/terms.json', '/plans.json'])(
  'simultaneous creates of one name at %s create one',
  async path => {
    const names = ['Twice', 'twice', ' TWICE ', 'tWice']
    expect(tally(await Promise.all(names.map(name => post(path, { name }))))).toEqual({ 201: 1, 422: 3 })
    const otherRecords = await Promise.all(times(4, at => added(path, { name: `Other ${at}` })))
    const renames = await Promise.all(
      otherRecords.map(id => put(path.replace('.json', `/${id}.json`), { name: 'The one' })),
    )
    expect(tally(renames)).toEqual({ 200: 1, 422: 3 })
  },
)

test('simultaneous creates with one address give one account', async () => {
  const emails = ['twice@example.com', 'Twice@example.com', 'TWICE@EXAMPLE.COM ']
  const responses = await Promise.all(
    emails.map(email => post('/users.json', { email, password: 'long enough' })),
  )
  expect(tally(responses)).toEqual({ 201: 1, 422: 2 })
  const moves = [fixture.owner, fixture.other].map(({ id }) =>
    put(`/users/${id}.json`, { email: 'moved@example.com' }),
  )
  expect(tally(await Promise.all(moves))).toEqual({ 200: 1, 422: 1 })
})

/** Returns three administrators who are already signed in, so that their requests start at once. */
async function administrators(): Promise<Account[]> {
  const second = await board.account(`${crypto.randomUUID()}@example.com`, 'admin')
  const third = await board.account(`${crypto.randomUUID()}@example.com`, 'admin')
  const all = [fixture.admin, second, third]
  for (const as of all) expect((await board.get('/users/me.json', { as })).status).toBe(200)
  return all
}

const adminsLeft = () => board.board.store.read.users.all().filter(({ role }) => role === 'admin').length

test('one administrator remains when all give up the role at once', async () => {
  const all = await administrators()
  const responses = await Promise.all(
    all.map((as, at) => {
      const path = `/users/${as.id}.json`
      return at === 0 ? board.put(path, { as, body: { role: 'user' } }) : board.delete(path, { as })
    }),
  )
  expect(tally(responses)).toEqual({ 200: 2, 409: 1 })
  expect(adminsLeft()).toBe(1)
})

test('one administrator remains when they remove or demote each other, and removed ones change nothing', async () => {
  const all = await administrators()
  const responses = await Promise.all(
    all.map((as, at) => {
      const path = `/users/${all[(at + 1) % all.length]?.id}.json`
      return at === 0 ? board.put(path, { as, body: { role: 'user' } }) : board.delete(path, { as })
    }),
  )
  expect(tally(responses)).toEqual({ 200: 2, 401: 1 })
  expect(adminsLeft()).toBe(1)
})
