import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import type { Account } from '../helpers/board.ts'
import { REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { jsonObject } from '../helpers/responses.ts'
import { sendingOf, type Visit, VisitedBoard } from '../helpers/visitedBoard.ts'
import { ADDRESSES, BOT } from '../helpers/visitors.ts'

let site: VisitedBoard

beforeEach(async () => {
  site = await VisitedBoard.open()
})
afterEach(() => site.close())

/** Posts a job and returns its id. */
async function post(fields: object, as: Account): Promise<number> {
  const body = { ...REQUIRED_FIELDS, ...fields }
  const { id } = await jsonObject(site.test.post('/jobs.json', { as, body }))
  return Number(id)
}

describe('The link to an application', () => {
  test('redirects to the URL, and is neither cached nor indexed', async () => {
    const response = await site.visit('/jobs/3/apply')
    const job = await jsonObject(site.test.get('/jobs/3.json'))
    expect(response.status).toBe(302)
    expect(await response.text()).toBe('')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: String(job['application_url']),
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
  })

  test.each([
    [
      { application_type: 'email', application_email: "o'neil+a&b?c=d%e@example.com", title: 'A & B?' },
      "mailto:o'neil%2Ba%26b%3Fc%3Dd%25e@example.com?subject=A%20%26%20B%3F",
    ],
    [
      { application_type: 'email', application_email: 'rené@exämple.com', title: 'Čistič 😀' },
      'mailto:ren%C3%A9@ex%C3%A4mple.com?subject=%C4%8Cisti%C4%8D%20%F0%9F%98%80',
    ],
    [{ application_url: 'https://exämple.com/straße?q=a b#x' }, undefined],
    [
      { application_url: 'https://exämple.com/straße?q=ü#x' },
      'https://xn--exmple-cua.com/stra%C3%9Fe?q=%C3%BC#x',
    ],
  ])('has an address in ASCII: %j', async (fields, location) => {
    const as = await site.test.account('owner@example.com')
    if (location === undefined) {
      const body = { ...REQUIRED_FIELDS, ...fields }
      expect((await site.test.post('/jobs.json', { as, body })).status).toBe(422)
      return
    }
    const id = await post(fields, as)
    expect((await site.visit(`/jobs/${id}/apply`)).headers.get('location')).toBe(location)
  })

  test.each<[string, Visit, number]>([
    ['a visitor', {}, 1],
    ['a bot', { userAgent: BOT }, 0],
    ['a program', { userAgent: 'curl/8.5.0' }, 0],
  ])('of %s is counted correctly, and is no page view', async (_, visit, count) => {
    expect((await site.visit('/jobs/3/apply', visit)).status).toBe(302)
    expect(await site.funnelOf(3)).toEqual([0, 0, count])
    expect(await site.total()).toBe(0)
  })

  test('is counted neither for the owner, nor for administrators, nor for HEAD', async () => {
    const owner = await site.test.account('owner@example.com')
    const id = await post({}, owner)
    for (const as of [owner, site.admin]) {
      const response = await site.visit(`/jobs/${id}/apply`, { as })
      expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store'])
    }
    const head = await site.test.request('HEAD', `/jobs/${id}/apply`, sendingOf({}))
    expect([head.status, head.headers.get('location')]).toEqual([302, REQUIRED_FIELDS.application_url])
    expect(await site.funnelOf(id)).toEqual([0, 0, 0])
    await site.visit(`/jobs/${id}/apply`, { as: await site.test.account('reader@example.com') })
    expect(await site.funnelOf(id, owner)).toEqual([0, 0, 1])
  })

  test('ends with the job', async () => {
    const path = '/jobs/3/apply'
    await site.test.put('/jobs/3.json', { as: site.admin, body: { expires_at: '2026-01-01T00:00:00Z' } })
    const page = await site.visit(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8'])
    const json = await site.visit(path, { headers: { accept: 'application/json' } })
    expect([json.status, await json.json()]).toEqual([404, { error: 'Job not found.' }])
    expect((await site.visit('/jobs/999/apply')).status).toBe(404)
    expect(await site.funnelOf(3)).toEqual([0, 0, 0])
  })

  test('works without pages too', async () => {
    site.test = await site.test.reopen('--pages', 'off')
    expect((await site.visit('/jobs/3/apply')).status).toBe(302)
    expect(await site.funnelOf(3)).toEqual([0, 0, 1])
    const missing = await site.visit('/jobs/999/apply', { headers: { accept: 'text/html' } })
    expect(missing.headers.get('content-type')).toBe('application/json')
  })
})

describe('An impression', () => {
  const SEEN = [1, 0, 0]
  const UNSEEN = [0, 0, 0]

  test('is counted for each job on a page of the list, however it is delivered', async () => {
    const ids = site.board.jobIndex.active.map(({ id }) => id)
    const [first = 0, last = 0] = [ids[0], ids.at(-1)]
    expect(ids.length).toBeGreaterThan(25)
    const etag = (await site.visit('/')).headers.get('etag') ?? ''
    await site.visit('/') // is cached from now on
    await site.visit('/')
    expect((await site.visit('/', { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await site.funnelOf(first)).toEqual([4, 0, 0])
    expect(await site.funnelOf(last)).toEqual(UNSEEN)
    await Promise.all([site.visit('/?page=2'), site.visit('/?page=2')])
    expect(await site.funnelOf(last)).toEqual([2, 0, 0])
    await site.visit('/?q=nurse', { headers: { 'sec-fetch-dest': 'empty' } })
    expect(await site.funnelOf(23)).toEqual([5, 0, 0])
    expect((await site.report()).top_paths).toEqual({ '/': 6 })
  })

  test.each<[string, string, Visit, number[]]>([
    ['of a visitor', '/', {}, SEEN],
    ['of a bot', '/', { userAgent: BOT }, UNSEEN],
    ['in JSON', '/jobs.json', {}, UNSEEN],
    ['in a feed', '/feed.xml', {}, UNSEEN],
    ['on an error page', '/nothing', { headers: { accept: 'text/html' } }, UNSEEN],
    ['in an invalid list', '/?page=0', {}, UNSEEN],
    ['in another category', '/?category=999', {}, UNSEEN],
  ])('%s is counted correctly', async (_, path, visit, counts) => {
    const first = site.board.jobIndex.active[0]?.id ?? 0
    await site.visit(path, visit)
    expect(await site.funnelOf(first)).toEqual(counts)
  })

  test('is counted neither for HEAD nor for administrators, and for accounts only of the jobs of others', async () => {
    const owner = await site.test.account('owner@example.com')
    const id = await post({}, owner)
    const other = site.board.jobIndex.active.find(job => job.id !== id)?.id ?? 0
    await site.test.request('HEAD', '/', sendingOf({}))
    await site.visit('/', { as: site.admin })
    expect([await site.funnelOf(id), await site.funnelOf(other)]).toEqual([UNSEEN, UNSEEN])
    await site.visit('/', { as: owner })
    expect([await site.funnelOf(id), await site.funnelOf(other)]).toEqual([UNSEEN, SEEN])
  })
})

describe('The statistics of a job', () => {
  const stats = (query = '', id = 3) =>
    jsonObject(site.test.get(`/jobs/${id}/stats.json${query}`, { as: site.admin }))

  test('show each step by day, and where views came from', async () => {
    await site.visit('/jobs/3', { referrer: 'https://www.a.example/x' })
    await site.visit('/jobs/3.json', { referrer: 'https://b.example/', from: ADDRESSES.France })
    site.test.clock.now += DAY
    await site.visit('/jobs/3', { referrer: 'https://b.example/' })
    await site.visit('/jobs/3/apply', { referrer: 'https://c.example/', from: ADDRESSES.Japan })
    await site.postEvents({ path: '/', job: 3, kind: 'impression' })
    expect(await stats('?days=3')).toEqual({
      impressions: { total: 1, per_day: { '2026-01-09': 0, '2026-01-10': 0, '2026-01-11': 1 } },
      views: { total: 3, per_day: { '2026-01-09': 0, '2026-01-10': 2, '2026-01-11': 1 } },
      apply_clicks: { total: 1, per_day: { '2026-01-09': 0, '2026-01-10': 0, '2026-01-11': 1 } },
      top_sources: { 'b.example': 2, 'a.example': 1 },
      top_countries: { Germany: 2, France: 1 },
    })
  })

  test('cover thirty days by default, up to a year, with the ten largest sources', async () => {
    for (let host = 0; host < 12; host++)
      for (let times = 0; times <= host; times++)
        await site.visit('/jobs/3', { referrer: `https://h${host}.example/` })
    const { views, top_sources: sources } = (await stats()) as {
      views: { total: number; per_day: object }
      top_sources: object
    }
    expect([views.total, Object.keys(views.per_day).length]).toEqual([78, 30])
    expect(Object.keys(sources)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map(host => `h${host}.example`))
    const year = (await stats('?days=365'))['views'] as { per_day: object }
    expect(Object.keys(year.per_day)).toHaveLength(365)
    for (const days of ['0', '366', 'x']) {
      const response = await site.test.get(`/jobs/3/stats.json?days=${days}`, { as: site.admin })
      expect([response.status, await response.json()]).toMatchObject([
        422,
        { errors: { days: [expect.any(String)] } },
      ])
    }
  })

  test('are the same before and after they are stored, and after a restart', async () => {
    for (let day = 0; day < 3; day++) {
      site.test.clock.now += DAY
      for (const path of ['/', '/jobs/3', '/jobs/3/apply'])
        await site.visit(path, { referrer: 'https://a.example/' })
      const before = await stats()
      const storing = site.board.traffic.flush()
      expect(await stats()).toEqual(before)
      await storing
      expect(await stats()).toEqual(before)
      await site.reopen()
      expect(await stats()).toEqual(before)
    }
    expect(await stats('?days=2')).toMatchObject({ views: { total: 2 }, top_sources: { 'a.example': 3 } })
    expect(await site.funnelOf(3)).toEqual([3, 3, 3])
  })

  test('are deleted with the job', async () => {
    const { store, traffic } = site.board
    await site.visit('/jobs/3')
    site.test.clock.now += DAY
    await site.visit('/jobs/3')
    await traffic.flush()
    expect([store.read.views.count, store.read.jobDays.count]).toEqual([1, 1])
    await site.visit('/')
    await site.test.delete('/jobs/3.json', { as: site.admin })
    await traffic.flush()
    expect(store.read.views.get(3)).toBeUndefined()
    expect(store.read.jobDays.count).toBe(0)
    expect(store.findIntegrityErrors()).toEqual([])
  })

  test('are private', async () => {
    const response = await site.test.get('/jobs/3/stats.json', { as: site.admin })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })
})
