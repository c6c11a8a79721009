import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Account, START } from '../helpers/board.ts'
import {
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

let made: FixtureBoard
afterEach(() => made.test.close())

const at = (moment: number) => {
  made.test.clock.now = moment
}

/** Posts a job and returns its path. */
async function post(body: object = {}, as = made.owner): Promise<string> {
  const { id } = await jsonObject(made.test.post('/jobs.json', { as, body: { ...REQUIRED_FIELDS, ...body } }))
  return `/jobs/${Number(id)}.json`
}

const idOf = (path: string) => Number(/\d+/.exec(path)?.[0])
const put = (path: string, body: object, as: Account = made.admin) => made.test.put(path, { as, body })
const read = (path: string, as = made.owner) => jsonObject(made.test.get(path, { as }))

/** Returns where a caller finds a job: by its id, in the list, by search. */
async function seen(path: string, as?: Account) {
  const sending = as ? { as } : {}
  const [byId, list, search] = await Promise.all([
    statusOf(made.test.get(path, sending)),
    made.test.get('/jobs.json', sending),
    made.test.get('/jobs.json?q=nurse', sending),
  ])
  const inList = await counted(list)
  const found = await counted(search)
  return { byId, inList: inList.includes(idOf(path)), found: found.includes(idOf(path)) }
}

/** Returns the ids of a list, and checks its X-Total-Count. */
async function counted(answer: Response) {
  const ids = await idsOf(answer)
  expect(answer.headers.get('x-total-count')).toBe(String(ids.length))
  return ids
}

const THERE = { byId: 200, inList: true, found: true }
const GONE = { byId: 404, inList: false, found: false }
/** Those who may manage a job that is not active find it by its id only. */
const KEPT = { byId: 200, inList: false, found: false }

describe('a job expires', () => {
  beforeEach(async () => {
    made = await openFixtureBoard()
  })

  test('at its exact second, everywhere, without any request', async () => {
    const { test: board, owner, other, admin } = made
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
      const as = who && made[who]
      expect(await seen(path, as)).toEqual(THERE)
      at(START + 30 * DAY)
      const answer = await made.test.get('/jobs.json?q=nurse', as && { as })
      expect(await counted(answer)).toEqual([])
    },
  )

  test('also in a cached list, with a new ETag', async () => {
    const path = await post()
    const before = await made.test.get('/jobs.json')
    at(START + 30 * DAY)
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' }
    const after = await made.test.get('/jobs.json', { headers })
    expect([after.status, await after.text()]).toEqual([200, '[]'])
    expect(await statusOf(made.test.get(path, { headers }))).toBe(404)
  })

  test('also while the board is closed', async () => {
    const path = await post()
    at(START + 30 * DAY)
    made = { ...made, test: await made.test.reopen() }
    expect(await seen(path)).toEqual(GONE)
    expect((await put(path, { expires_at: null })).status).toBe(200)
    expect(await seen(path)).toEqual(THERE)
  })

  test('each at its own time', async () => {
    const ids = await insertJobs(
      made.test.board,
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
      expect(await counted(await made.test.get('/jobs.json'))).toEqual([...left].map(Number))
      const found = await counted(await made.test.get('/jobs.json?q=nurse'))
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
    const { id } = await jsonObject(made.test.post('/plans.json', { as: made.admin, body: plan }))
    const path = await post({ plan_id: id })
    expect((await read(path))['expires_at']).toBeNull()
    expect(await seen(path)).toEqual(THERE)
  })

  test('after the period that its plan had at its creation', async () => {
    const path = await post()
    await put('/plans/1.json', { period: 1 })
    const later = await post()
    expect((await read(path))['expires_at']).toBe('2026-02-09T18:21:59+00:00')
    expect((await read(later))['expires_at']).toBe('2026-01-11T18:21:59+00:00')
  })

  test('at the same time after an update', async () => {
    const path = await post()
    at(START + 29 * DAY)
    await put(path, TITLE, made.owner)
    expect((await read(path))['expires_at']).toBe('2026-02-09T18:21:59+00:00')
  })
})

describe('an administrator', () => {
  beforeEach(async () => {
    made = await openFixtureBoard()
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
    const ids = await insertJobs(made.test.board, [{ createdAt: START + DAY }, { planId: PLAN_ID.pinned }])
    const [newer, pinned] = ids.map(Number)
    const order = () => idsOf(made.test.get('/jobs.json'))
    const plan = async () => (await jsonObject(made.test.get(path)))['plan']
    expect(await order()).toEqual([Number(pinned), Number(newer), idOf(path)])
    expect(await plan()).toEqual({
      id: 1,
      name: 'Basic',
      price: 0,
      period: 30,
      highlight: false,
      badge: false,
      pin: false,
    })
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
    const found = await idsOf(made.test.get('/jobs.json?q=nurse'))
    expect(new Set(found)).toEqual(new Set([Number(newer), idOf(path), Number(pinned)]))
  })

  test('can rename a category and a term, which their jobs show at once', async () => {
    const path = await post()
    expect(await seen(path)).toEqual(THERE)
    await put('/categories/1.json', { name: 'Care' })
    await put('/terms/1.json', { name: 'Nights' })
    const shown = { category: { id: 1, name: 'Care' }, term: { id: 1, name: 'Nights' } }
    expect(await jsonObject(made.test.get(path))).toMatchObject(shown)
    expect(await (await made.test.get('/jobs.json')).json()).toMatchObject([shown])
    expect(await read(path)).toMatchObject(shown)
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
      made = await openFixtureBoard('--approve', approve)
      const path = await post({ plan_id: plan })
      expect((await read(path))['status']).toBe(waits ? 'pending' : 'active')
      expect(await seen(path)).toEqual(waits ? GONE : THERE)
      expect(await seen(path, made.other)).toEqual(waits ? GONE : THERE)
      expect(await seen(path, made.owner)).toEqual(waits ? KEPT : THERE)
      const own = await post({ plan_id: plan }, made.admin)
      expect(await seen(own)).toEqual(THERE)
    },
  )

  test('activates a pending job, its period starting then; repeating it changes nothing', async () => {
    made = await openFixtureBoard('--approve', 'all')
    const path = await post()
    const approve = (as: Account) => made.test.put(path.replace('.json', '/approve.json'), { as })
    expect(await read(path)).toMatchObject({ status: 'pending', expires_at: null })
    expect(await statusOf(approve(made.owner))).toBe(403)
    at(START + 100 * DAY)
    expect(await read(path)).toMatchObject({ status: 'pending' })
    const first = await jsonObject(approve(made.admin))
    expect(first).toEqual({ message: expect.stringContaining('approved') })
    const after = await read(path)
    expect(after).toMatchObject({
      status: 'active',
      created_at: '2026-01-10T18:21:59+00:00',
      expires_at: '2026-05-20T18:21:59+00:00',
    })
    expect(await seen(path)).toEqual(THERE)
    at(START + 101 * DAY)
    expect(await jsonObject(approve(made.admin))).toEqual(first)
    expect(await read(path)).toEqual(after)
    at(START + 130 * DAY)
    expect(await seen(path)).toEqual(GONE)
  })

  test('on a plan with no period activates a job forever', async () => {
    made = await openFixtureBoard('--approve', 'all')
    const path = await post({ plan_id: PLAN_ID.endless })
    await made.test.put(path.replace('.json', '/approve.json'), { as: made.admin })
    at(START + 5000 * DAY)
    expect(await seen(path)).toEqual(THERE)
  })

  test("can't be given by the owner in an update", async () => {
    made = await openFixtureBoard('--approve', 'all')
    const path = await post()
    await put(path, { status: 'active', pending: false, expires_at: null, ...TITLE }, made.owner)
    expect(await read(path)).toMatchObject({ status: 'pending', ...TITLE })
    expect(await seen(path)).toEqual(GONE)
  })
})

test('search accepts no other status than active', async () => {
  made = await openFixtureBoard()
  const path = await post()
  const ask = (query: string) => made.test.get(`/jobs.json?q=nurse&${query}`, { as: made.owner })
  for (const status of ['expired', 'pending', 'all'])
    expect(await fieldErrors(ask(`status=${status}`))).toEqual({ q: [expect.any(String)] })
  expect(await idsOf(ask('status=active'))).toEqual([idOf(path)])
  expect(await statusOf(made.test.get('/jobs.json?q=nurse&status=active'))).toBe(401)
})
