import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { AdminSite } from '../helpers/adminSite.ts'
import { jsonObject } from '../helpers/responses.ts'
import type { Page } from '../helpers/visitor.ts'
import { ADDRESSES, BROWSER } from '../helpers/visitors.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open()
})
afterEach(() => site.board.close())

type Counts = { readonly total: number; readonly per_day: Record<string, number> }

const visitor = { 'user-agent': BROWSER, 'x-forwarded-for': ADDRESSES.Germany }

/** Reads a path as a visitor from a search engine does. */
const visit = (path: string) =>
  site.board.get(path, { headers: { ...visitor, accept: 'text/html', referer: 'https://search.example/' } })

/** Reads a job and applies, as often as stated. */
async function visitJob(id: number, { views, clicks }: { views: number; clicks: number }) {
  for (let time = 0; time < views; time++) await visit(`/jobs/${id}`)
  for (let time = 0; time < clicks; time++) await visit(`/jobs/${id}/apply`)
}

/** Returns the texts of a table's cells, by rows. */
function tableOf(page: Page, section: string, header = 'th') {
  const cells = page.texts(`section[aria-labelledby=${section}] tbody td`)
  const names = page.texts(`section[aria-labelledby=${section}] tbody ${header}`)
  const width = cells.length / Math.max(names.length, 1)
  return names.map((name, row) => [name, ...cells.slice(row * width, (row + 1) * width)])
}

/** Posts two jobs, and visits each on another day. */
async function visitBoard() {
  const porter = await site.post({ title: 'Porter' })
  const cook = await site.post({ title: 'Cook' })
  site.board.clock.now += 8 * DAY
  await visit('/')
  await visitJob(porter, { views: 3, clicks: 1 })
  site.board.clock.now += DAY
  await visit('/')
  await visitJob(cook, { views: 2, clicks: 0 })
  return { porter, cook }
}

test('the figures agree with those of the API, and with the sum of all jobs', async () => {
  const { porter, cook } = await visitBoard()
  const read = (path: string) => jsonObject(site.board.get(path, { as: site.admin }))
  const report = await read('/analytics.json?days=30')
  const stats = await Promise.all([porter, cook].map(id => read(`/jobs/${id}/stats.json?days=30`)))
  const funnel = await read('/analytics/funnel.json?days=30')
  for (const name of ['impressions', 'views', 'apply_clicks']) {
    const all = funnel[name] as Counts
    const each = stats.map(counts => counts[name] as Counts)
    expect(all.total).toBe(each.reduce((sum, { total }) => sum + total, 0))
    for (const [day, count] of Object.entries(all.per_day))
      expect(count).toBe(each.reduce((sum, { per_day: perDay }) => sum + (perDay[day] ?? 0), 0))
  }
  const page = await site.browser.get('/admin/analytics')
  expect(tableOf(page, 'funnel')).toEqual([
    ['Jobs shown in lists', '4', ''],
    ['Jobs viewed', '5', '125.0%'],
    ['Apply clicks', '1', '20.0%'],
  ])
  const perDay = report['events_per_day'] as Record<string, number>
  expect(page.texts('.day-chart tbody tr')).toHaveLength(30)
  const counts = page.texts('.day-chart tbody td').filter((_, at) => at % 2 === 1)
  expect(counts.map(Number)).toEqual(Object.values(perDay).toReversed())
  for (const [section, name] of [
    ['paths', 'top_paths'],
    ['countries', 'top_countries'],
    ['sources', 'top_sources'],
  ] as const)
    expect(tableOf(page, section)).toEqual(
      Object.entries(report[name] as Record<string, number>).map(([key, count]) => [key, String(count)]),
    )
})

test('the counts of all jobs survive a restart, and the deletion of a job', async () => {
  const { porter } = await visitBoard()
  await site.board.delete(`/jobs/${porter}.json`, { as: site.admin })
  await site.board.board.traffic.flush()
  const board = await site.board.reopen()
  try {
    const report = await jsonObject(board.get('/analytics/funnel.json', { as: site.admin }))
    expect([report['impressions'], report['views'], report['apply_clicks']]).toMatchObject([
      { total: 4 },
      { total: 5 },
      { total: 1 },
    ])
  } finally {
    await board.close()
    site = await AdminSite.open()
  }
})

test('jobs are ranked by views and apply clicks, stored or not, and new ones are never last', async () => {
  const { porter, cook } = await visitBoard()
  const maid = await site.post({ title: 'Maid' })
  const ranking = async (section: string) =>
    tableOf(await site.browser.get('/admin/analytics'), section, 'th a')
  const expected = {
    'most-views': [
      ['Porter', '3', '1'],
      ['Cook', '2', '0'],
      ['Maid', '0', '0'],
    ],
    'fewest-views': [
      ['Cook', '2', '0'],
      ['Porter', '3', '1'],
    ],
    'fewest-clicks': [
      ['Cook', '2', '0'],
      ['Porter', '3', '1'],
    ],
  }
  for (const [section, rows] of Object.entries(expected)) expect(await ranking(section)).toMatchObject(rows)
  await site.board.board.traffic.flush()
  expect(await ranking('most-views')).toMatchObject(expected['most-views'])
  await visitJob(cook, { views: 2, clicks: 0 })
  await site.board.board.traffic.flush()
  await site.board.delete(`/jobs/${porter}.json`, { as: site.admin })
  expect(await ranking('most-views')).toMatchObject([
    ['Cook', '4', '0'],
    ['Maid', '0', '0'],
  ])
  expect(maid).toBeGreaterThan(cook)
})

test('the period can be chosen, and its days downloaded', async () => {
  await visitBoard()
  const year = await site.browser.get('/admin/analytics?days=365')
  expect(year.texts('.tabs [aria-current]')).toEqual(['365 days'])
  expect(year.texts('.day-chart tbody tr')).toHaveLength(365)
  expect((await site.browser.get('/admin/analytics?days=7')).texts('.tabs [aria-current]')).toEqual([
    '30 days',
  ])
  const { html } = await site.browser.get('/admin/analytics.csv?days=90')
  const lines = html.trimEnd().split('\r\n')
  expect([lines.length, lines[0]]).toEqual([91, 'day,page_views,impressions,job_views,apply_clicks'])
  expect(lines.slice(-2)).toEqual(['2026-01-18,4,2,3,1', '2026-01-19,3,2,2,0'])
})
