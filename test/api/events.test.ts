import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/clock.ts'
import { FUNNEL_STEPS } from '../../src/store/countRows.ts'
import { REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { VisitedBoard } from '../helpers/visitedBoard.ts'
import { ADDRESSES, BOT } from '../helpers/visitors.ts'

let site: VisitedBoard

beforeEach(async () => {
  site = await VisitedBoard.open()
})
afterEach(() => site.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('An event', () => {
  test('is counted by its path without a query, and by its own referrer', async () => {
    const response = await site.postEvents(
      { path: '/welcome?utm=1#top', referrer: 'https://www.Example.org/post' },
      { referrer: 'https://front.example/welcome' },
    )
    expect(response.status).toBe(202)
    expect(await response.json()).toEqual({ message: expect.any(String) })
    const { top_paths, top_sources, top_countries } = await site.report()
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
    [{ path: '/', job: null, kind: '' }],
    [{ path: '/', job: 3, kind: 'view' }],
    ['path=%2F&referrer='],
    ['path=%2F&job=3'],
  ])('%j is accepted', async body => {
    const headers = typeof body === 'string' ? FORM : {}
    expect((await site.postEvents(body, { headers })).status).toBe(202)
    expect(await site.total()).toBe(1)
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
    ['job', { path: '/', job: 999 }],
    ['job', { path: '/', job: 'x' }],
    ['job', { path: '/', job: {} }],
    ['job', { path: '/', kind: 'impression' }],
    ['job', { path: '/', kind: 'apply', job: '' }],
    ['kind', { path: '/', kind: 'click', job: 3 }],
    ['kind', { path: '/', kind: 7 }],
    ['path', { job: 3, kind: 'apply' }],
    ['referrer', { path: '/', referrer: 'example.org' }],
    ['referrer', { path: '/', referrer: 'not a url' }],
    ['referrer', { path: '/', referrer: 'javascript:alert(1)' }],
    ['referrer', { path: '/', referrer: 7 }],
    ['referrer', { path: '/', referrer: `https://example.org/${'x'.repeat(2048)}` }],
  ])('with an invalid %s is refused: %j', async (field, body) => {
    const response = await site.postEvents(body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { [field]: [expect.any(String)] } })
    expect(await site.total()).toBe(0)
  })

  test.each([
    ['a view', { job: 3 }, [0, 1, 0], 1, 'Page view recorded.'],
    ['an impression', { job: 3, kind: 'impression' }, [1, 0, 0], 0, 'Impression recorded.'],
    ['an apply click', { job: '3', kind: 'apply' }, [0, 0, 1], 0, 'Apply click recorded.'],
  ])('with a job is counted as %s of it', async (_, fields, counts, views, message) => {
    const response = await site.postEvents({ path: '/our/nurse', ...fields }, { userAgent: 'PHP/8.3' })
    expect([response.status, await response.json()]).toEqual([202, { message }])
    expect(await site.funnelOf(3)).toEqual(counts)
    expect((await site.report()).top_paths).toEqual(views === 1 ? { '/our/nurse': 1 } : {})
  })

  test("about a job isn't counted if a crawler, an administrator or its owner sent it", async () => {
    const owner = await site.test.account('owner@example.com')
    const job = await site.test.post('/jobs.json', { as: owner, body: REQUIRED_FIELDS })
    const { id } = (await job.json()) as { id: number }
    for (const kind of FUNNEL_STEPS)
      for (const visit of [{ as: owner }, { as: site.admin }, { userAgent: BOT }])
        expect((await site.postEvents({ path: '/', job: id, kind }, visit)).status).toBe(202)
    expect(await site.funnelOf(id)).toEqual([0, 0, 0])
    expect(await site.total()).toBe(0)
  })

  test('about a job that is not active is refused', async () => {
    await site.test.put('/jobs/3.json', { as: site.admin, body: { expires_at: '2026-01-01T00:00:00Z' } })
    const response = await site.postEvents({ path: '/', job: 3 })
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { errors: { job: ["doesn't match any active job"] } },
    ])
  })

  test.each(['node', 'curl/8.5.0', 'PHP/8.3', 'Ruby', ''])(
    'from the program %j is counted, though its reads are not',
    async userAgent => {
      expect((await site.postEvents({ path: '/welcome' }, { userAgent })).status).toBe(202)
      await site.visit('/jobs.json', { userAgent })
      expect((await site.report()).top_paths).toEqual({ '/welcome': 1 })
    },
  )

  test("by a crawler's browser or an administrator gets the same response, and is not counted", async () => {
    expect((await site.postEvents({ path: '/' }, { userAgent: BOT })).status).toBe(202)
    expect((await site.postEvents({ path: '/' }, { as: site.admin })).status).toBe(202)
    expect(await site.total()).toBe(0)
    await site.postEvents({ path: '/' }, { as: await site.test.account('user@example.com') })
    expect(await site.total()).toBe(1)
  })

  test('is accepted sixty times a minute from one address', async () => {
    for (let time = 0; time < 60; time++) expect((await site.postEvents({ path: '/' })).status).toBe(202)
    const refused = await site.postEvents({ path: '/' })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await site.postEvents({ path: '/' }, { from: ADDRESSES.France })).status).toBe(202)
    expect(await site.total()).toBe(61)
    site.test.clock.now += MINUTE
    expect((await site.postEvents({ path: '/' })).status).toBe(202)
  })

  test('may be sent by pages of other sites', async () => {
    const origin = 'https://front.example'
    const preflight = await site.test.request('OPTIONS', '/events.json', {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    const response = await site.postEvents({ path: '/' }, { headers: { origin } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const other = await site.test.request('OPTIONS', '/jobs.json', {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(other.headers.get('access-control-allow-methods')).not.toContain('POST')
  })

  test("can't be read", async () => {
    const response = await site.test.get('/events.json')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  })
})
