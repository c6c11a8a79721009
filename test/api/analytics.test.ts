import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE, SECOND } from '../../src/base/clock.ts'
import { fillWithSample } from '../../src/cli/sample.ts'
import { type Account, BASE_URL, START, TestBoard } from '../helpers/board.ts'
import { ADDRESSES, BOT, BROWSER } from '../helpers/visitors.ts'

let t: TestBoard
let admin: Account

beforeEach(async () => {
  t = await TestBoard.open()
  await fillWithSample(t.board)
  admin = await t.account('admin@example.com', 'admin')
})
afterEach(() => t.close())

interface Visit {
  readonly as?: Account
  readonly from?: string
  readonly userAgent?: string
  readonly referrer?: string
  readonly headers?: Record<string, string>
}

const headersOf = ({ from = ADDRESSES.Germany, userAgent = BROWSER, referrer, headers = {} }: Visit) => ({
  'user-agent': userAgent,
  'x-forwarded-for': from,
  ...(referrer !== undefined && { referer: referrer }),
  ...headers,
})

const visit = (path: string, options: Visit = {}) =>
  t.get(path, { ...(options.as && { as: options.as }), headers: headersOf(options) })

const postEvents = (body: object | string, options: Visit = {}) =>
  t.post('/events.json', { ...(options.as && { as: options.as }), body, headers: headersOf(options) })

/** Sends events no faster than one address may. */
async function postManyEvents(times: number, body: object, options: Visit = {}) {
  for (let time = 0; time < times; time++) {
    t.clock.now += SECOND
    expect((await postEvents(body, options)).status).toBe(202)
  }
}

interface Report {
  readonly events_per_day: Record<string, number>
  readonly top_paths: Record<string, number>
  readonly top_countries: Record<string, number>
  readonly top_sources: Record<string, number>
  readonly jobs: number
  readonly subscribers: number
  readonly users: number
}

async function report(query = ''): Promise<Report> {
  const response = await t.get(`/analytics.json${query}`, { as: admin })
  expect(response.status).toBe(200)
  return (await response.json()) as Report // the API's type
}

const total = async () =>
  Object.values((await report()).events_per_day).reduce((sum, count) => sum + count, 0)

async function viewsOf(id: number, as = admin): Promise<unknown> {
  const job = (await (await t.get(`/jobs/${id}.json`, { as })).json()) as Record<string, unknown>
  return job['views']
}

describe('The report', () => {
  test('of a board without visits has every day, and the totals', async () => {
    const quiet = await report()
    const days = Object.entries(quiet.events_per_day)
    expect(days).toHaveLength(30)
    expect(days.at(0)).toEqual(['2025-12-12', 0])
    expect(days.at(-1)).toEqual(['2026-01-10', 0])
    expect(Object.keys(quiet)).toEqual([
      'events_per_day',
      'top_paths',
      'top_countries',
      'top_sources',
      'jobs',
      'subscribers',
      'users',
    ])
    const { top_paths, top_countries, top_sources, jobs, subscribers, users } = quiet
    expect([top_paths, top_countries, top_sources]).toEqual([{}, {}, {}])
    expect({ jobs, subscribers, users }).toEqual({
      jobs: t.board.jobIndex.active.length,
      subscribers: 0,
      users: 1,
    })
  })

  test('counts by day, path, country and source, even before counts are stored', async () => {
    await visit('/jobs.json?q=nurse', { referrer: 'https://www.example.org/page?id=1' })
    await visit('/jobs.json', { from: ADDRESSES.Japan, referrer: 'https://example.org/' })
    await visit('/jobs/3.json', { from: ADDRESSES.Japan, referrer: 'https://search.example/' })
    await visit('/jobs/3.json', { from: '10.1.2.3' })
    const { events_per_day, top_paths, top_countries, top_sources } = await report('?days=1')
    expect(events_per_day).toEqual({ '2026-01-10': 4 })
    expect(Object.entries(top_paths)).toEqual([
      ['/jobs.json', 2],
      ['/jobs/3.json', 2],
    ])
    expect(Object.entries(top_countries)).toEqual([
      ['Japan', 2],
      ['Germany', 1],
      ['Unknown', 1],
    ])
    expect(Object.entries(top_sources)).toEqual([
      ['example.org', 2],
      ['search.example', 1],
    ])
  })

  test('has the ten largest of each, over all days', async () => {
    for (let page = 1; page <= 12; page++)
      await postManyEvents(page, { path: `/p${page}`, referrer: `https://s${page}.example/` })
    t.clock.now += DAY
    await postManyEvents(12, { path: '/p1' })
    const { top_paths, top_sources } = await report()
    expect(Object.entries(top_paths)).toEqual([
      ['/p1', 13],
      ...[12, 11, 10, 9, 8, 7, 6, 5, 4].map(page => [`/p${page}`, page] as [string, number]),
    ])
    expect(Object.keys(top_sources)).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map(page => `s${page}.example`),
    )
  })

  test('can be read by administrators only', async () => {
    expect((await t.get('/analytics.json')).status).toBe(401)
    expect((await t.get('/analytics.json', { as: await t.account('user@example.com') })).status).toBe(403)
    const response = await t.get('/analytics.json', { as: admin })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each(['0', '366', '-1', '1.5', 'x', '1e2'])('refuses %p days', async days => {
    const response = await t.get(`/analytics.json?days=${days}`, { as: admin })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { days: [expect.any(String)] } })
  })

  test.each([
    ['?days=1', 1],
    ['?days=365', 365],
    ['?days=', 30],
    ['?days=2&days=7', 7],
  ])('for %s covers %p days', async (query, days) => {
    expect(Object.keys((await report(query)).events_per_day)).toHaveLength(days)
  })

  test('includes a host called __proto__, and a path of digits', async () => {
    await postEvents({ path: '/7', referrer: 'https://__proto__/' })
    const response = await t.get('/analytics.json', { as: admin })
    expect(await response.text()).toContain('"top_sources":{"__proto__":1}')
  })

  test('counts active jobs only, and every account', async () => {
    const before = await report()
    await t.put('/jobs/1.json', { as: admin, body: { expires_at: '2020-01-01T00:00:00Z' } })
    await t.account('user@example.com')
    const after = await report()
    expect(after.jobs).toBe(before.jobs - 1)
    expect(after.users).toBe(2)
  })
})

describe('A view', () => {
  test.each<[string, string, Visit, number]>([
    ['of the list', '/jobs.json', {}, 1],
    ['of a page of it', '/jobs.json?page=1', {}, 1],
    ['of a job', '/jobs/3.json', {}, 1],
    ['of a job that is not there', '/jobs/999.json', {}, 0],
    ['of a list that is refused', '/jobs.json?page=0', {}, 0],
    ['of anything else', '/health.json', {}, 0],
    ['by a bot', '/jobs.json', { userAgent: BOT }, 0],
    ['by who has no user agent', '/jobs.json', { userAgent: '' }, 0],
    ['with a wrong password', '/jobs.json', { headers: { authorization: 'Basic eDp5' } }, 0],
  ])('%s is counted correctly', async (_, path, options, count) => {
    await visit(path, options)
    expect(await total()).toBe(count)
  })

  test("is counted for users, but not for administrators or the job's owner", async () => {
    const owner = await t.account('owner@example.com')
    const { url } = (await (
      await t.post('/jobs.json', { as: owner, body: { ...POSTING, plan_id: 1 } })
    ).json()) as { url: string }
    const path = url.slice(BASE_URL.length)
    for (const as of [admin, owner]) {
      await visit(path, { as })
      await visit('/jobs.json', { as })
    }
    expect((await report()).top_paths).toEqual({ '/jobs.json': 1 })
    await visit('/jobs/3.json', { as: owner })
    await visit(path)
    expect((await report()).top_paths).toEqual({ '/jobs.json': 1, '/jobs/3.json': 1, [path]: 1 })
    expect(await viewsOf(Number(/\d+/.exec(path)?.[0]), owner)).toBe(1)
  })

  test('of one’s own list is not public, and is not counted', async () => {
    const as = await t.account('owner@example.com')
    expect((await visit('/jobs.json?mine=true', { as })).status).toBe(200)
    expect((await visit('/jobs.json?status=pending', { as })).status).toBe(200)
    expect(await total()).toBe(0)
  })

  test('is counted for 304, but not for HEAD', async () => {
    const etag = (await visit('/jobs/3.json')).headers.get('etag') ?? ''
    expect((await visit('/jobs/3.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
    const head = await t.request('HEAD', '/jobs/3.json', { headers: headersOf({}) })
    expect(head.status).toBe(200)
    expect(await total()).toBe(2)
  })

  test('from the board’s own pages has no source', async () => {
    await visit('/jobs.json', { referrer: 'https://board.example.com/jobs' })
    await visit('/jobs.json', { referrer: 'https://www.Board.example.com/' })
    await visit('/jobs.json', { referrer: 'not a url' })
    await visit('/jobs.json', { referrer: 'https://other.board.example.com/' })
    const { top_sources, events_per_day } = await report()
    expect(top_sources).toEqual({ 'other.board.example.com': 1 })
    expect(events_per_day['2026-01-10']).toBe(4)
  })

  test('is counted on its day in UTC', async () => {
    t.clock.now = Date.UTC(2026, 0, 10, 23, 59, 59, 999)
    await visit('/jobs.json')
    t.clock.now += 1
    await visit('/jobs.json')
    await visit('/jobs.json')
    expect((await report('?days=2')).events_per_day).toEqual({ '2026-01-10': 1, '2026-01-11': 2 })
    t.clock.now += DAY
    expect((await report('?days=2')).events_per_day).toEqual({ '2026-01-11': 2, '2026-01-12': 0 })
  })

  test('distinguishes visitors behind the same address', async () => {
    const options = { from: ADDRESSES.France }
    await visit('/jobs.json', { ...options, referrer: 'https://a.example/' })
    await visit('/jobs.json', { ...options, userAgent: BOT, referrer: 'https://a.example/' })
    await visit('/jobs.json', { ...options, referrer: 'https://b.example/' })
    await visit('/jobs.json', { ...options })
    const { top_countries, top_sources } = await report()
    expect(top_countries).toEqual({ France: 3 })
    expect(top_sources).toEqual({ 'a.example': 1, 'b.example': 1 })
  })

  test('by bots leaves nothing in the report', async () => {
    await visit('/jobs.json', { userAgent: BOT, referrer: 'https://a.example/' })
    expect(await report()).toMatchObject({ top_paths: {}, top_countries: {}, top_sources: {} })
  })
})

const POSTING = {
  title: 'A title',
  description: 'A description',
  location: 'A place',
  company: 'A company',
  company_website: 'https://example.com',
  application_url: 'https://example.com/apply',
  category_id: 1,
  term_id: 1,
}

describe('An event', () => {
  test('is counted by its path without a query, and by its own referrer', async () => {
    const response = await postEvents(
      { path: '/welcome?utm=1#top', referrer: 'https://www.Example.org/post' },
      { referrer: 'https://front.example/welcome' },
    )
    expect(response.status).toBe(202)
    expect(await response.json()).toEqual({ message: expect.any(String) })
    const { top_paths, top_sources, top_countries } = await report()
    expect([top_paths, top_sources, top_countries]).toEqual([
      { '/welcome': 1 },
      { 'example.org': 1 },
      { Germany: 1 },
    ])
  })

  test.each([
    [{ path: '/' }],
    [{ path: '/', referrer: '' }],
    [{ path: '/', referrer: null }],
    [{ path: '/', referrer: 'android-app://com.example/' }],
    [{ path: '/', unknown: 1 }],
    [{ path: `/${'x'.repeat(2047)}` }],
    ['path=%2F&referrer='],
  ])('%j is accepted', async body => {
    const headers = typeof body === 'string' ? FORM : {}
    expect((await postEvents(body, { headers })).status).toBe(202)
    expect(await total()).toBe(1)
  })

  test.each([
    ['path', {}],
    ['path', { path: '' }],
    ['path', { path: null }],
    ['path', { path: 7 }],
    ['path', { path: ['/'] }],
    ['path', { path: 'welcome' }],
    ['path', { path: 'https://example.com/' }],
    ['path', { path: `/${'x'.repeat(2048)}` }],
    ['path', { path: '/a\nb' }],
    ['referrer', { path: '/', referrer: 'example.org' }],
    ['referrer', { path: '/', referrer: 'not a url' }],
    ['referrer', { path: '/', referrer: 'javascript:alert(1)' }],
    ['referrer', { path: '/', referrer: 7 }],
    ['referrer', { path: '/', referrer: `https://example.org/${'x'.repeat(2048)}` }],
  ])('with a wrong %s is refused: %j', async (field, body) => {
    const response = await postEvents(body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { [field]: [expect.any(String)] } })
    expect(await total()).toBe(0)
  })

  test.each(['node', 'curl/8.5.0', 'PHP/8.3', 'Ruby', ''])(
    'that the program %j reports is counted, though what it reads is not',
    async userAgent => {
      expect((await postEvents({ path: '/welcome' }, { userAgent })).status).toBe(202)
      await visit('/jobs.json', { userAgent })
      expect((await report()).top_paths).toEqual({ '/welcome': 1 })
    },
  )

  test("by a crawler's browser or an administrator gets the same response, and is not counted", async () => {
    expect((await postEvents({ path: '/' }, { userAgent: BOT })).status).toBe(202)
    expect((await postEvents({ path: '/' }, { as: admin })).status).toBe(202)
    expect(await total()).toBe(0)
    await postEvents({ path: '/' }, { as: await t.account('user@example.com') })
    expect(await total()).toBe(1)
  })

  test('is accepted sixty times a minute from one address', async () => {
    for (let time = 0; time < 60; time++) expect((await postEvents({ path: '/' })).status).toBe(202)
    const refused = await postEvents({ path: '/' })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await postEvents({ path: '/' }, { from: ADDRESSES.France })).status).toBe(202)
    expect(await total()).toBe(61)
    t.clock.now += MINUTE
    expect((await postEvents({ path: '/' })).status).toBe(202)
  })

  test('may be sent by pages of other sites', async () => {
    const origin = 'https://front.example'
    const preflight = await t.request('OPTIONS', '/events.json', {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    const response = await postEvents({ path: '/' }, { headers: { origin } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const other = await t.request('OPTIONS', '/jobs.json', {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(other.headers.get('access-control-allow-methods')).not.toContain('POST')
  })

  test("can't be read", async () => {
    const response = await t.get('/events.json')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  })
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('The views of a job', () => {
  test('come between updated_at and user, for its owner and administrators only', async () => {
    const job = (await (await t.get('/jobs/3.json', { as: admin })).json()) as object
    expect(Object.keys(job).slice(-5)).toEqual(['status', 'expires_at', 'updated_at', 'views', 'user'])
    expect(await viewsOf(3)).toBe(0)
    await visit('/jobs/3.json')
    await visit('/jobs/3.json')
    await visit('/jobs/4.json')
    await postEvents({ path: '/jobs/3.json' })
    expect(await viewsOf(3)).toBe(2)
    expect(await (await visit('/jobs/3.json')).json()).not.toHaveProperty('views')
    const changed = await t.put('/jobs/3.json', { as: admin, body: { title: 'Another' } })
    expect(await changed.json()).toMatchObject({ views: 3 })
    const response = await t.post('/jobs.json', { as: admin, body: { ...POSTING, plan_id: 1 } })
    expect(await response.json()).toMatchObject({ views: 0 })
  })

  test('change neither the job nor its cached response', async () => {
    const before = t.board.store.read.jobs.get(3)
    await visit('/jobs.json')
    const first = await visit('/jobs/3.json')
    const [cachedBody, version] = [t.board.responses.get('/jobs/3.json'), t.board.jobIndex.version]
    expect(cachedBody).toBeDefined()
    await t.board.traffic.flush()
    expect(t.board.store.read.views.get(3)).toEqual({ id: 3, views: 1 })
    expect(t.board.responses.get('/jobs/3.json')).toBe(cachedBody)
    expect(t.board.jobIndex.version).toBe(version)
    expect(t.board.store.read.jobs.get(3)).toEqual(before)
    expect((await visit('/jobs/3.json')).headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test('are deleted with the job, stored or not', async () => {
    await visit('/jobs/3.json')
    await t.board.traffic.flush()
    await visit('/jobs/3.json')
    await visit('/jobs/4.json')
    for (const id of [3, 4]) expect((await t.delete(`/jobs/${id}.json`, { as: admin })).status).toBe(200)
    await t.board.traffic.flush()
    expect(t.board.store.read.views.all()).toEqual([])
    expect((await report()).top_paths).toEqual({ '/jobs/3.json': 2, '/jobs/4.json': 1 })
  })
})

test.each(['', '?mine=', '?mine=false', '?status='])(
  'An account that reads the public list with %p counts as a visitor',
  async query => {
    const as = await t.account('reader@example.com')
    expect((await visit(`/jobs.json${query}`, { as })).status).toBe(200)
    expect(await total()).toBe(1)
  },
)

describe('The counts', () => {
  const rows = () => t.board.store.read.days.all()

  test('are there after a restart, and continue', async () => {
    await visit('/jobs/3.json', { referrer: 'https://a.example/' })
    t = await t.reopen()
    expect(await viewsOf(3)).toBe(1)
    await visit('/jobs/3.json', { referrer: 'https://a.example/' })
    expect(await viewsOf(3)).toBe(2)
    t = await t.reopen()
    expect(await report('?days=1')).toMatchObject({
      events_per_day: { '2026-01-10': 2 },
      top_paths: { '/jobs/3.json': 2 },
      top_countries: { Germany: 2 },
      top_sources: { 'a.example': 2 },
    })
  })

  test('are reported once, whether they are stored or not', async () => {
    await visit('/jobs.json')
    const storing = t.board.traffic.flush()
    await visit('/jobs.json')
    expect(await total()).toBe(2)
    await storing
    expect(await total()).toBe(2)
    await t.board.traffic.flush()
    expect(await total()).toBe(2)
    expect(rows()).toMatchObject([{ total: 2 }])
  })

  test('of a day are complete while it lasts, and cut to the largest after it', async () => {
    const today = START / DAY
    for (let page = 1; page <= 150; page++) await postManyEvents(page <= 20 ? 2 : 1, { path: `/p${page}` })
    await t.board.traffic.flush()
    expect(rows()[0]?.paths).toHaveLength(150)
    t.clock.now += DAY
    await visit('/jobs.json')
    await t.board.traffic.flush()
    expect(rows()).toMatchObject([{ id: Math.floor(today), total: 170 }, { total: 1 }])
    expect(rows()[0]?.paths).toHaveLength(100)
    expect(
      rows()[0]
        ?.paths.slice(0, 20)
        .every(([, count]) => count === 2),
    ).toBeTrue()
    expect((await report('?days=2')).events_per_day).toEqual({ '2026-01-10': 170, '2026-01-11': 1 })
  })

  test('are deleted after four hundred days', async () => {
    await visit('/jobs/3.json')
    t = await t.reopen()
    t.clock.now += 400 * DAY
    await visit('/jobs.json')
    t = await t.reopen()
    expect(rows()).toHaveLength(2)
    t.clock.now += DAY
    await visit('/jobs.json')
    t = await t.reopen()
    expect(rows().map(({ id }) => id)).toEqual([400, 401].map(days => Math.floor(START / DAY) + days))
    // the job's own views stay
    expect(await viewsOf(3)).toBe(1)
  })

  test('stay bounded in a flood of paths and referrers, with a correct total for the day', async () => {
    const { traffic } = t.board
    for (let flood = 0; flood < 50_000; flood++)
      traffic.count({
        isReported: false,
        path: `/${flood}/${'x'.repeat(200)}`,
        jobId: undefined,
        hops: `${flood % 200}.${(flood >> 8) & 255}.3.4`,
        userAgent: BROWSER,
        referrer: `https://${flood}.example/`,
      })
    for (let time = 0; time < 50; time++) await visit('/jobs.json', { referrer: 'https://a.example/' })
    expect((await report('?days=1')).events_per_day).toEqual({ '2026-01-10': 50_050 })
    const { top_paths, top_sources } = await report()
    expect([top_paths['/jobs.json'], top_sources['a.example']]).toEqual([50, 50])
    await traffic.flush()
    expect(JSON.stringify(rows()).length).toBeLessThan(2 ** 20)
  })

  test('are stored later if that failed at first', async () => {
    const { store, traffic, log } = t.board
    const write = store.write.bind(store)
    store.write = () => Promise.reject(new Error('no space'))
    await visit('/jobs/3.json')
    await traffic.flush()
    await log.flush()
    expect(t.logged.join()).toContain('page views could not be stored yet, and are kept in memory')
    store.write = write
    await traffic.flush()
    expect(rows()).toMatchObject([{ total: 1 }])
    expect(store.read.views.all()).toEqual([{ id: 3, views: 1 }])
  })
})
