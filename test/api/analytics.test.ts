import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { VisitedBoard } from '../helpers/visitedBoard.ts'
import { ADDRESSES } from '../helpers/visitors.ts'

let site: VisitedBoard

beforeEach(async () => {
  site = await VisitedBoard.open()
})
afterEach(() => site.close())

describe('The report', () => {
  test('of a board without visits has every day, and the totals', async () => {
    const quiet = await site.report()
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
      jobs: site.board.jobIndex.active.length,
      subscribers: 0,
      users: 1,
    })
  })

  test('counts by day, path, country and source, even before counts are stored', async () => {
    await site.visit('/jobs.json?q=nurse', { referrer: 'https://www.example.org/page?id=1' })
    await site.visit('/jobs.json', { from: ADDRESSES.Japan, referrer: 'https://example.org/' })
    await site.visit('/jobs/3.json', { from: ADDRESSES.Japan, referrer: 'https://search.example/' })
    await site.visit('/jobs/3.json', { from: '10.1.2.3' })
    const { events_per_day, top_paths, top_countries, top_sources } = await site.report('?days=1')
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
      await site.postManyEvents(page, { path: `/p${page}`, referrer: `https://s${page}.example/` })
    site.test.clock.now += DAY
    await site.postManyEvents(12, { path: '/p1' })
    const { top_paths, top_sources } = await site.report()
    expect(Object.entries(top_paths)).toEqual([
      ['/p1', 13],
      ...[12, 11, 10, 9, 8, 7, 6, 5, 4].map(page => [`/p${page}`, page] as [string, number]),
    ])
    expect(Object.keys(top_sources)).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map(page => `s${page}.example`),
    )
  })

  test('can be read by administrators only', async () => {
    expect((await site.test.get('/analytics.json')).status).toBe(401)
    expect(
      (await site.test.get('/analytics.json', { as: await site.test.account('user@example.com') })).status,
    ).toBe(403)
    const response = await site.test.get('/analytics.json', { as: site.admin })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each(['0', '366', '-1', '1.5', 'x', '1e2'])('refuses %p days', async days => {
    const response = await site.test.get(`/analytics.json?days=${days}`, { as: site.admin })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { days: [expect.any(String)] } })
  })

  test.each([
    ['?days=1', 1],
    ['?days=365', 365],
    ['?days=', 30],
    ['?days=2&days=7', 7],
  ])('for %s covers %p days', async (query, days) => {
    expect(Object.keys((await site.report(query)).events_per_day)).toHaveLength(days)
  })

  test('includes a host called __proto__, and a path of digits', async () => {
    await site.postEvents({ path: '/7', referrer: 'https://__proto__/' })
    const response = await site.test.get('/analytics.json', { as: site.admin })
    expect(await response.text()).toContain('"top_sources":{"__proto__":1}')
  })

  test('counts active jobs only, and every account', async () => {
    const before = await site.report()
    await site.test.put('/jobs/1.json', { as: site.admin, body: { expires_at: '2020-01-01T00:00:00Z' } })
    await site.test.account('user@example.com')
    const after = await site.report()
    expect(after.jobs).toBe(before.jobs - 1)
    expect(after.users).toBe(2)
  })
})
