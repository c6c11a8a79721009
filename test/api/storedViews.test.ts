import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { START } from '../helpers/board.ts'
import { VisitedBoard } from '../helpers/visitedBoard.ts'
import { BROWSER } from '../helpers/visitors.ts'

let site: VisitedBoard

beforeEach(async () => {
  site = await VisitedBoard.open()
})
afterEach(() => site.close())

describe('The counts', () => {
  const rows = () => site.board.store.read.days.all()

  test('survive a restart, and continue', async () => {
    await site.visit('/jobs/3.json', { referrer: 'https://a.example/' })
    await site.reopen()
    expect(await site.viewsOf(3)).toBe(1)
    await site.visit('/jobs/3.json', { referrer: 'https://a.example/' })
    expect(await site.viewsOf(3)).toBe(2)
    await site.reopen()
    expect(await site.report('?days=1')).toMatchObject({
      events_per_day: { '2026-01-10': 2 },
      top_paths: { '/jobs/3.json': 2 },
      top_countries: { Germany: 2 },
      top_sources: { 'a.example': 2 },
    })
  })

  test('are reported once, whether they are stored or not', async () => {
    await site.visit('/jobs.json')
    const storing = site.board.traffic.flush()
    await site.visit('/jobs.json')
    expect(await site.total()).toBe(2)
    await storing
    expect(await site.total()).toBe(2)
    await site.board.traffic.flush()
    expect(await site.total()).toBe(2)
    expect(rows()).toMatchObject([{ total: 2 }])
  })

  test('of a day are complete while it lasts, and cut to the largest after it', async () => {
    const today = START / DAY
    for (let page = 1; page <= 150; page++)
      await site.postManyEvents(page <= 20 ? 2 : 1, { path: `/p${page}` })
    await site.board.traffic.flush()
    expect(rows()[0]?.paths).toHaveLength(150)
    site.test.clock.now += DAY
    await site.visit('/jobs.json')
    await site.board.traffic.flush()
    expect(rows()).toMatchObject([{ id: Math.floor(today), total: 170 }, { total: 1 }])
    expect(rows()[0]?.paths).toHaveLength(100)
    expect(
      rows()[0]
        ?.paths.slice(0, 20)
        .every(([, count]) => count === 2),
    ).toBeTrue()
    expect((await site.report('?days=2')).events_per_day).toEqual({ '2026-01-10': 170, '2026-01-11': 1 })
  })

  test('are deleted after four hundred days', async () => {
    await site.visit('/jobs/3.json')
    await site.reopen()
    site.test.clock.now += 400 * DAY
    await site.visit('/jobs.json')
    await site.reopen()
    expect(rows()).toHaveLength(2)
    site.test.clock.now += DAY
    await site.visit('/jobs.json')
    await site.reopen()
    expect(rows().map(({ id }) => id)).toEqual([400, 401].map(days => Math.floor(START / DAY) + days))
    // the job's own views stay
    expect(await site.viewsOf(3)).toBe(1)
  })

  test('stay bounded in a flood of paths and referrers, with a correct total for the day', async () => {
    const { traffic } = site.board
    for (let flood = 0; flood < 50_000; flood++)
      traffic.count({
        isReported: false,
        path: `/${flood}/${'x'.repeat(200)}`,
        jobId: undefined,
        hops: `${flood % 200}.${(flood >> 8) & 255}.3.4`,
        userAgent: BROWSER,
        referrer: `https://${flood}.example/`,
      })
    for (let time = 0; time < 50; time++) await site.visit('/jobs.json', { referrer: 'https://a.example/' })
    expect((await site.report('?days=1')).events_per_day).toEqual({ '2026-01-10': 50_050 })
    const { top_paths, top_sources } = await site.report()
    expect([top_paths['/jobs.json'], top_sources['a.example']]).toEqual([50, 50])
    await traffic.flush()
    expect(JSON.stringify(rows()).length).toBeLessThan(2 ** 20)
  })

  test('are stored later if that failed at first', async () => {
    const { store, traffic, log } = site.board
    const write = store.write.bind(store)
    store.write = () => Promise.reject(new Error('no space'))
    await site.visit('/jobs/3.json')
    await traffic.flush()
    await log.flush()
    expect(site.test.logged.join()).toContain('page views could not be stored yet, and are kept in memory')
    store.write = write
    await traffic.flush()
    expect(rows()).toMatchObject([{ total: 1 }])
    expect(store.read.views.all()).toMatchObject([{ id: 3, impressions: 0, views: 1, applyClicks: 0 }])
  })
})
