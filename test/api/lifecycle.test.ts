import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Account, START } from '../helpers/board.ts'
import {
  BASIC_PLAN_JSON,
  type FixtureBoard,
  insertJobs,
  openFixtureBoard,
  PLAN_ID,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { fieldErrors, idsOf, jsonObject, statusOf } from '../helpers/responses.ts'

const SECOND = 1000
const DAY = 86_400_000
const TITLE = { title: 'Another title' }

let fixture: FixtureBoard
afterEach(() => fixture.test.close())

const at = (moment: number) => {
  fixture.test.clock.now = moment
}

/** Posts a job and returns its path. */
async function post(body: object = {}, as = fixture.owner): Promise<string> {
  const { id } = await jsonObject(
    fixture.test.post('/jobs.json', { as, body: { ...REQUIRED_FIELDS, ...body } }),
  )
  return `/jobs/${Number(id)}.json`
}

const idOf = (path: string) => Number(/\d+/.exec(path)?.[0])
const put = (path: string, body: object, as: Account = fixture.admin) => fixture.test.put(path, { as, body })
const read = (path: string, as = fixture.owner) => jsonObject(fixture.test.get(path, { as }))

/** Returns where a caller finds a job: by its id, in the list, by search. */
async function seen(path: string, as?: Account) {
  const sending = as ? { as } : {}
  const [byId, list, search] = await Promise.all([
    statusOf(fixture.test.get(path, sending)),
    fixture.test.get('/jobs.json', sending),
    fixture.test.get('/jobs.json?q=nurse', sending),
  ])
  const inList = await counted(list)
  const found = await counted(search)
  return { byId, inList: inList.includes(idOf(path)), found: found.includes(idOf(path)) }
}

/** Returns the ids of a list, and checks its X-Total-Count. */
async function counted(response: Response) {
  const ids = await idsOf(response)
  expect(response.headers.get('x-total-count')).toBe(String(ids.length))
  return ids
}

const THERE = { byId: 200, inList: true, found: true }
const GONE = { byId: 404, inList: false, found: false }
/** Those who may manage a job that is not active find it by its id only. */
const KEPT = { byId: 200, inList: false, found: false }

describe('a job expires', () => {
  beforeEach(async () => {
    fixture = await openFixtureBoard()
  })

  test('at its exact second, everywhere, without any request', async () => {
    const { test: board, owner, other, admin } = fixture
    const path = await post()
    const end = START + 30 * DAY
    expect((await read(path))['expires_at']).toBe('2026-02-09T18:21:59+00:00')
    at(end - 1)
    for (const who of [undefined, other, owner, admin]) expect(await seen(path, who)).toEqual(THERE)
    at(end)
    // the very next request sees the change
    expect(await seen(path, admin)).toEqual(KEPT)
    expect(await seen(path, owner)).toEqual(KEPT)
    expect(await seen(path, other)).toEqual(GONE)
    expect(await seen(path)).toEqual(GONE)
    expect((await read(path))['status']).toBe('expired')
    for (const verb of ['PUT', 'DELETE'])
      expect((await board.request(verb, path, { as: other, body: TITLE })).status).toBe(404)
    expect((await put(path, TITLE, owner)).status).toBe(200)
  })

  test.each(['owner', 'other', 'admin', undefined] as const)(
    'also from a search that %s makes first',
    async who => {
      const path = await post()
      const as = who && fixture[who]
      expect(await seen(path, as)).toEqual(THERE)
      at(START + 30 * DAY)
      const response = await fixture.test.get('/jobs.json?q=nurse', as && { as })
      expect(await counted(response)).toEqual([])
    },
  )

  test('also in a cached list, with a new ETag', async () => {
    const path = await post()
    const before = await fixture.test.get('/jobs.json')
    at(START + 30 * DAY)
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' }
    const after = await fixture.test.get('/jobs.json', { headers })
    expect([after.status, await after.text()]).toEqual([200, '[]'])
    expect(await statusOf(fixture.test.get(path, { headers }))).toBe(404)
  })

  test('also while the board is closed', async () => {
    const path = await post()
    at(START + 30 * DAY)
    fixture = { ...fixture, test: await fixture.test.reopen() }
    expect(await seen(path)).toEqual(GONE)
    expect((await put(path, { expires_at: null })).status).toBe(200)
    expect(await seen(path)).toEqual(THERE)
  })

  test('each at its own time', async () => {
    const ids = await insertJobs(
      fixture.test.board,
      [3, 1, 2].map(days => ({ expiresAt: START + days * DAY })),
    )
    const [late, early, middle] = ids
    for (const [day, left] of [
      [0, [middle, early, late]],
      [1, [middle, late]],
      [2, [late]],
      [3, []],
    ] as const) {
      at(START + day * DAY)
      expect(await counted(await fixture.test.get('/jobs.json'))).toEqual([...left].map(Number))
      const found = await counted(await fixture.test.get('/jobs.json?q=nurse'))
      expect(new Set(found)).toEqual(new Set([...left].map(Number)))
    }
  })

  test('never on a plan with no period', async () => {
    const path = await post({ plan_id: PLAN_ID.endless })
    expect((await read(path))['expires_at']).toBeNull()
    at(START + 5000 * DAY)
    expect(await seen(path)).toEqual(THERE)
  })

  test('never, if no timestamp can represent the time', async () => {
    const plan = { name: 'Ages', period: Number.MAX_SAFE_INTEGER }
    const { id } = await jsonObject(fixture.test.post('/plans.json', { as: fixture.admin, body: plan }))
    const path = await post({ plan_id: id })
    expect((await read(path))['expires_at']).toBeNull()
    expect(await seen(path)).toEqual(THERE)
  })

  test('after the period that its plan had at its creation', async () => {
    const path = await post()
    await put('/plans/1.json', { period: 1 })
    const laterJob = await post()
    expect((await read(path))['expires_at']).toBe('2026-02-09T18:21:59+00:00')
    expect((await read(laterJob))['expires_at']).toBe('2026-01-11T18:21:59+00:00')
  })

  test('at the same time after an update', async () => {
    const path = await post()
    at(START + 29 * DAY)
    await put(path, TITLE, fixture.owner)
    expect((await read(path))['expires_at']).toBe('2026-02-09T18:21:59+00:00')
  })
})

describe('an administrator', () => {
  beforeEach(async () => {
    fixture = await openFixtureBoard()
  })

  test('can end a job now, and reactivate it until a given time', async () => {
    const path = await post()
    await put(path, { expires_at: '2026-01-10T18:21:59Z' })
    expect(await seen(path)).toEqual(GONE)
    expect(await read(path)).toMatchObject({ status: 'expired', expires_at: '2026-01-10T18:21:59+00:00' })
    await put(path, { expires_at: '2026-01-10T18:22:00Z' })
    expect(await seen(path)).toEqual(THERE)
    at(START + SECOND)
    expect(await seen(path)).toEqual(GONE)
    await put(path, { expires_at: null })
    expect(await seen(path)).toEqual(THERE)
    at(START + 5000 * DAY)
    expect(await seen(path)).toEqual(THERE)
    expect(await read(path)).toMatchObject({ status: 'active', expires_at: null })
  })

  test('can change a plan, which its jobs show at once, also in the list', async () => {
    const path = await post()
    const ids = await insertJobs(fixture.test.board, [{ createdAt: START + DAY }, { planId: PLAN_ID.pinned }])
    const [newer, pinned] = ids.map(Number)
    const order = () => idsOf(fixture.test.get('/jobs.json'))
    const plan = async () => (await jsonObject(fixture.test.get(path)))['plan']
    expect(await order()).toEqual([Number(pinned), Number(newer), idOf(path)])
    expect(await plan()).toEqual(BASIC_PLAN_JSON)
    const changes = { name: 'Gold', price: 5, period: 9, highlight: true, badge: true }
    await put('/plans/1.json', changes)
    expect(await plan()).toEqual({ id: 1, ...changes, pin: false })
    await put('/plans/2.json', { pin: false })
    expect(await order()).toEqual([Number(newer), Number(pinned), idOf(path)])
    await put('/plans/1.json', { pin: true })
    expect(await order()).toEqual([Number(newer), idOf(path), Number(pinned)])
    await put('/plans/1/archive.json', {})
    expect(await plan()).toEqual({ id: 1, ...changes, pin: true })
    expect(await order()).toEqual([Number(newer), idOf(path), Number(pinned)])
    const found = await idsOf(fixture.test.get('/jobs.json?q=nurse'))
    expect(new Set(found)).toEqual(new Set([Number(newer), idOf(path), Number(pinned)]))
  })

  test('can rename a category and a term, which their jobs show at once', async () => {
    const path = await post()
    expect(await seen(path)).toEqual(THERE)
    await put('/categories/1.json', { name: 'Care' })
    await put('/terms/1.json', { name: 'Nights' })
    const labels = { category: { id: 1, name: 'Care' }, term: { id: 1, name: 'Nights' } }
    expect(await jsonObject(fixture.test.get(path))).toMatchObject(labels)
    expect(await (await fixture.test.get('/jobs.json')).json()).toMatchObject([labels])
    expect(await read(path)).toMatchObject(labels)
  })
})

const WAITS: readonly (readonly ['none' | 'paid' | 'all', number, boolean])[] = [
  ['none', PLAN_ID.basic, false],
  ['none', PLAN_ID.pinned, false],
  ['paid', PLAN_ID.basic, false],
  ['paid', PLAN_ID.pinned, true],
  ['all', PLAN_ID.basic, true],
  ['all', PLAN_ID.endless, true],
]

describe('approval', () => {
  test.each(WAITS)(
    'of %s: on plan %i a user’s job waits: %p; an administrator’s never',
    async (approve, plan, waits) => {
      fixture = await openFixtureBoard('--approve', approve)
      const path = await post({ plan_id: plan })
      expect((await read(path))['status']).toBe(waits ? 'pending' : 'active')
      expect(await seen(path)).toEqual(waits ? GONE : THERE)
      expect(await seen(path, fixture.other)).toEqual(waits ? GONE : THERE)
      expect(await seen(path, fixture.owner)).toEqual(waits ? KEPT : THERE)
      const ownJob = await post({ plan_id: plan }, fixture.admin)
      expect(await seen(ownJob)).toEqual(THERE)
    },
  )

  test('activates a pending job, its period starting then; repeating it changes nothing', async () => {
    fixture = await openFixtureBoard('--approve', 'all')
    const path = await post()
    const approve = (as: Account) => fixture.test.put(path.replace('.json', '/approve.json'), { as })
    expect(await read(path)).toMatchObject({ status: 'pending', expires_at: null })
    expect(await statusOf(approve(fixture.owner))).toBe(403)
    at(START + 100 * DAY)
    expect(await read(path)).toMatchObject({ status: 'pending' })
    const first = await jsonObject(approve(fixture.admin))
    expect(first).toEqual({ message: expect.stringContaining('approved') })
    const after = await read(path)
    expect(after).toMatchObject({
      status: 'active',
      created_at: '2026-01-10T18:21:59+00:00',
      expires_at: '2026-05-20T18:21:59+00:00',
    })
    expect(await seen(path)).toEqual(THERE)
    at(START + 101 * DAY)
    expect(await jsonObject(approve(fixture.admin))).toEqual(first)
    expect(await read(path)).toEqual(after)
    at(START + 130 * DAY)
    expect(await seen(path)).toEqual(GONE)
  })

  test('on a plan with no period activates a job forever', async () => {
    fixture = await openFixtureBoard('--approve', 'all')
    const path = await post({ plan_id: PLAN_ID.endless })
    await fixture.test.put(path.replace('.json', '/approve.json'), { as: fixture.admin })
    at(START + 5000 * DAY)
    expect(await seen(path)).toEqual(THERE)
  })

  test("can't be given by the owner in an update", async () => {
    fixture = await openFixtureBoard('--approve', 'all')
    const path = await post()
    await put(path, { status: 'active', pending: false, expires_at: null, ...TITLE }, fixture.owner)
    expect(await read(path)).toMatchObject({ status: 'pending', ...TITLE })
    expect(await seen(path)).toEqual(GONE)
  })
})

test('search accepts no other status than active', async () => {
  fixture = await openFixtureBoard()
  const path = await post()
  const ask = (query: string) => fixture.test.get(`/jobs.json?q=nurse&${query}`, { as: fixture.owner })
  for (const status of ['expired', 'pending', 'all'])
    expect(await fieldErrors(ask(`status=${status}`))).toEqual({ q: [expect.any(String)] })
  expect(await idsOf(ask('status=active'))).toEqual([idOf(path)])
  expect(await statusOf(fixture.test.get('/jobs.json?q=nurse&status=active'))).toBe(401)
})
