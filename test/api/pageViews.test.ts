import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { BASE_URL } from '../helpers/board.ts'
import { REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { sendingOf, type Visit, VisitedBoard } from '../helpers/visitedBoard.ts'
import { ADDRESSES, BOT } from '../helpers/visitors.ts'

let site: VisitedBoard

beforeEach(async () => {
  site = await VisitedBoard.open()
})
afterEach(() => site.close())

describe('A view', () => {
  test.each<[string, string, Visit, number]>([
    ['of the list', '/jobs.json', {}, 1],
    ['of a page of it', '/jobs.json?page=1', {}, 1],
    ['of a job', '/jobs/3.json', {}, 1],
    ['of a job that does not exist', '/jobs/999.json', {}, 0],
    ['of an invalid list', '/jobs.json?page=0', {}, 0],
    ['of another path', '/health.json', {}, 0],
    ['by a bot', '/jobs.json', { userAgent: BOT }, 0],
    ['without a user agent', '/jobs.json', { userAgent: '' }, 0],
    ['with a wrong password', '/jobs.json', { headers: { authorization: 'Basic eDp5' } }, 0],
  ])('%s is counted correctly', async (_, path, options, count) => {
    await site.visit(path, options)
    expect(await site.total()).toBe(count)
  })

  test("is counted for users, but not for administrators or the job's owner", async () => {
    const owner = await site.test.account('owner@example.com')
    const { url } = (await (
      await site.test.post('/jobs.json', { as: owner, body: REQUIRED_FIELDS })
    ).json()) as { url: string }
    const path = url.slice(BASE_URL.length)
    for (const as of [site.admin, owner]) {
      await site.visit(path, { as })
      await site.visit('/jobs.json', { as })
    }
    expect((await site.report()).top_paths).toEqual({ '/jobs.json': 1 })
    await site.visit('/jobs/3.json', { as: owner })
    await site.visit(path)
    expect((await site.report()).top_paths).toEqual({ '/jobs.json': 1, '/jobs/3.json': 1, [path]: 1 })
    expect(await site.viewsOf(Number(/\d+/.exec(path)?.[0]), owner)).toBe(1)
  })

  test("of an account's own list is not counted", async () => {
    const as = await site.test.account('owner@example.com')
    expect((await site.visit('/jobs.json?mine=true', { as })).status).toBe(200)
    expect((await site.visit('/jobs.json?status=pending', { as })).status).toBe(200)
    expect(await site.total()).toBe(0)
  })

  test('is counted for 304, but not for HEAD', async () => {
    const etag = (await site.visit('/jobs/3.json')).headers.get('etag') ?? ''
    expect((await site.visit('/jobs/3.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
    const head = await site.test.request('HEAD', '/jobs/3.json', sendingOf({}))
    expect(head.status).toBe(200)
    expect(await site.total()).toBe(2)
  })

  test('from the board’s own pages has no source', async () => {
    await site.visit('/jobs.json', { referrer: 'https://board.example.com/jobs' })
    await site.visit('/jobs.json', { referrer: 'https://www.Board.example.com/' })
    await site.visit('/jobs.json', { referrer: 'not a url' })
    await site.visit('/jobs.json', { referrer: 'https://other.board.example.com/' })
    const { top_sources, events_per_day } = await site.report()
    expect(top_sources).toEqual({ 'other.board.example.com': 1 })
    expect(events_per_day['2026-01-10']).toBe(4)
  })

  test('is counted on its day in UTC', async () => {
    site.test.clock.now = Date.UTC(2026, 0, 10, 23, 59, 59, 999)
    await site.visit('/jobs.json')
    site.test.clock.now += 1
    await site.visit('/jobs.json')
    await site.visit('/jobs.json')
    expect((await site.report('?days=2')).events_per_day).toEqual({ '2026-01-10': 1, '2026-01-11': 2 })
    site.test.clock.now += DAY
    expect((await site.report('?days=2')).events_per_day).toEqual({ '2026-01-11': 2, '2026-01-12': 0 })
  })

  test('distinguishes visitors behind the same address', async () => {
    const options = { from: ADDRESSES.France }
    await site.visit('/jobs.json', { ...options, referrer: 'https://a.example/' })
    await site.visit('/jobs.json', { ...options, userAgent: BOT, referrer: 'https://a.example/' })
    await site.visit('/jobs.json', { ...options, referrer: 'https://b.example/' })
    await site.visit('/jobs.json', { ...options })
    const { top_countries, top_sources } = await site.report()
    expect(top_countries).toEqual({ France: 3 })
    expect(top_sources).toEqual({ 'a.example': 1, 'b.example': 1 })
  })

  test('by bots leaves nothing in the report', async () => {
    await site.visit('/jobs.json', { userAgent: BOT, referrer: 'https://a.example/' })
    expect(await site.report()).toMatchObject({ top_paths: {}, top_countries: {}, top_sources: {} })
  })
})

test.each(['', '?mine=', '?mine=false', '?status='])(
  'An account that reads the public list with %p counts as a visitor',
  async query => {
    const as = await site.test.account('reader@example.com')
    expect((await site.visit(`/jobs.json${query}`, { as })).status).toBe(200)
    expect(await site.total()).toBe(1)
  },
)

describe('The views of a job', () => {
  test('come among the fields of its owner and administrators only', async () => {
    const job = (await (await site.test.get('/jobs/3.json', { as: site.admin })).json()) as object
    expect(Object.keys(job).join(' ')).toEndWith(
      'updated_at views user publish_at published_at filled_at closed_at refusal apply_clicks impressions source external_id',
    )
    expect(await site.viewsOf(3)).toBe(0)
    await site.visit('/jobs/3.json')
    await site.visit('/jobs/3.json')
    await site.visit('/jobs/4.json')
    await site.postEvents({ path: '/jobs/3.json' })
    expect(await site.viewsOf(3)).toBe(2)
    expect(await (await site.visit('/jobs/3.json')).json()).not.toHaveProperty('views')
    const changed = await site.test.put('/jobs/3.json', { as: site.admin, body: { title: 'Another' } })
    expect(await changed.json()).toMatchObject({ views: 3 })
    const response = await site.test.post('/jobs.json', { as: site.admin, body: REQUIRED_FIELDS })
    expect(await response.json()).toMatchObject({ views: 0 })
  })

  test('change neither the job nor its cached response', async () => {
    const before = site.board.store.read.jobs.get(3)
    await site.visit('/jobs.json')
    const first = await site.visit('/jobs/3.json')
    const [cachedBody, version] = [site.board.responses.get('/jobs/3.json'), site.board.jobIndex.version]
    expect(cachedBody).toBeDefined()
    await site.board.traffic.flush()
    expect(site.board.store.read.views.get(3)).toMatchObject({
      id: 3,
      impressions: 0,
      views: 1,
      applyClicks: 0,
    })
    expect(site.board.responses.get('/jobs/3.json')).toBe(cachedBody)
    expect(site.board.jobIndex.version).toBe(version)
    expect(site.board.store.read.jobs.get(3)).toEqual(before)
    expect((await site.visit('/jobs/3.json')).headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test('are deleted with the job, stored or not', async () => {
    await site.visit('/jobs/3.json')
    await site.board.traffic.flush()
    await site.visit('/jobs/3.json')
    await site.visit('/jobs/4.json')
    for (const id of [3, 4])
      expect((await site.test.delete(`/jobs/${id}.json`, { as: site.admin })).status).toBe(200)
    await site.board.traffic.flush()
    expect(site.board.store.read.views.all()).toEqual([])
    expect((await site.report()).top_paths).toEqual({ '/jobs/3.json': 2, '/jobs/4.json': 1 })
  })
})
