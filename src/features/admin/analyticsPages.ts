import { Elysia } from 'elysia'
import { dateOfDay } from '../../base/clock.ts'
import type { RouteContext } from '../../http/route.ts'
import type { FunnelCounts } from '../../store/countRows.ts'
import { type AnalyticsReport, analyticsReport } from '../analytics/actions.ts'
import { presentFunnel, presentReport } from '../analytics/present.ts'
import type { Analytics, Funnel } from '../analytics/schema.ts'
import { presentChart } from '../desk/dayChart.ts'
import type { Admin } from './admin.ts'
import { csvReply } from './csv.ts'
import { rankJobs } from './jobRanking.ts'

const PATH = '/admin/analytics'
/** The periods to choose from, in days. */
const PERIODS = [30, 90, 365]

/** Creates the page of the statistics, and their download. */
export const analyticsPages = (admin: Admin) =>
  new Elysia({ name: 'administration of statistics' })
    .get(PATH, ...admin.page(context => analyticsPage(admin, context)))
    .get(`${PATH}.csv`, ...admin.page(context => download(analyticsReport(admin.board, periodOf(context)))))

async function analyticsPage(admin: Admin, context: RouteContext) {
  const { board } = admin
  const period = periodOf(context)
  const counts = analyticsReport(board, period)
  const report = presentReport(counts)
  return admin.reply(context, 'adminAnalytics', 'Statistics', {
    periods: PERIODS.map(days => ({
      label: `${days} days`,
      path: `${PATH}?days=${days}`,
      is_current: days === period,
    })),
    csv_path: `${PATH}.csv?days=${period}`,
    chart: pageViewChart(report),
    funnel: funnelOf(presentFunnel(counts)),
    lists: [
      topList('paths', 'Pages', 'Path', report.top_paths),
      topList('countries', 'Countries', 'Country', report.top_countries),
      topList('sources', 'Sources', 'Website', report.top_sources),
    ],
    jobs: await rankings(admin),
  })
}

const periodOf = ({ query }: RouteContext) => PERIODS.find(days => String(days) === query.get('days')) ?? 30

/** Returns the chart of a report's page views. */
export function pageViewChart({ events_per_day: perDay }: Analytics) {
  const total = Object.values(perDay).reduce((sum, count) => sum + count, 0)
  return presentChart('Page views', { total, per_day: perDay })
}

/** Returns the steps to an application, each with its rate of the step before. */
function funnelOf({ impressions, views, apply_clicks: applyClicks }: Funnel) {
  const most = Math.max(impressions.total, views.total, applyClicks.total, 1)
  const step = (label: string, count: number, rate: string) => ({
    label,
    count: count.toLocaleString('en'),
    rate,
    width: (count / most) * 100,
  })
  return [
    step('Jobs shown in lists', impressions.total, ''),
    step('Jobs viewed', views.total, rateText(views.total, impressions.total)),
    step('Apply clicks', applyClicks.total, rateText(applyClicks.total, views.total)),
  ]
}

const rateText = (count: number, before: number) =>
  before === 0 ? '–' : `${((count / before) * 100).toFixed(1)}%`

function topList(id: string, title: string, column: string, counts: Readonly<Record<string, number>>) {
  const entries = Object.entries(counts)
  const most = Math.max(...entries.map(([, count]) => count), 1)
  return {
    id,
    title,
    column,
    rows: entries.map(([name, count]) => ({
      name,
      count: count.toLocaleString('en'),
      width: (count / most) * 100,
    })),
    empty: 'Nothing in this period.',
  }
}

async function rankings({ board }: Admin) {
  const { mostViews, mostClicks, fewestViews, fewestClicks } = await rankJobs(board)
  const list = (id: string, title: string, ranked: typeof mostViews, empty: string) => ({
    id,
    title,
    rows: ranked.flatMap(({ id: jobId, counts }) => jobRow(jobId, counts)),
    empty,
  })
  const jobRow = (id: number, { views, applyClicks }: FunnelCounts) => {
    const job = board.store.read.jobs.get(id)
    return job ? [{ id, title: job.title, company: job.company, views, apply_clicks: applyClicks }] : []
  }
  const noOld = 'No active job is a week old.'
  return [
    list('most-views', 'Most views', mostViews, 'There are no active jobs.'),
    list('most-clicks', 'Most apply clicks', mostClicks, 'There are no active jobs.'),
    list('fewest-views', 'Fewest views after a week', fewestViews, noOld),
    list('fewest-clicks', 'Fewest apply clicks after a week', fewestClicks, noOld),
  ]
}

function download({ days, funnel }: AnalyticsReport) {
  const rows = days.map(([day, views], at) => {
    const { impressions = 0, views: jobViews = 0, applyClicks = 0 } = funnel[at] ?? {}
    return [dateOfDay(day), views, impressions, jobViews, applyClicks]
  })
  return csvReply('statistics', ['day', 'page_views', 'impressions', 'job_views', 'apply_clicks'], rows)
}
