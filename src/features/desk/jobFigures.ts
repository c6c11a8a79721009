import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'
import { presentJobStats } from '../funnel/present.ts'
import { presentChart } from './dayChart.ts'
import { presentDeskJob } from './jobView.ts'

/** The periods that can be chosen, in days. */
const PERIODS = [7, 30, 90, 365]
const DEFAULT_PERIOD = 30

/** Returns the view of a job's statistics. */
export function presentJobFigures(board: Board, job: JobRow, query: ReadonlyMap<string, string>) {
  const { traffic } = board
  const period = PERIODS.find(length => String(length) === query.get('days')) ?? DEFAULT_PERIOD
  const days = Array.from({ length: period }, (_, at) => traffic.today - period + 1 + at)
  const stats = presentJobStats(traffic.trafficOf(job.id), days)
  const listOf = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => ({ name, count }))
  const presented = presentDeskJob(board, job)
  return {
    job: presented,
    periods: PERIODS.map(length => ({
      text: length === 365 ? '1 year' : `${length} days`,
      path: `${presented.desk_path}?days=${length}`,
      is_current: length === period,
    })),
    charts: [
      presentChart('Shown in lists', stats.impressions),
      presentChart('Views', stats.views),
      presentChart('Apply clicks', stats.apply_clicks),
    ],
    tops: [
      { title: 'Where readers came from', rows: listOf(stats.top_sources) },
      { title: 'Countries', rows: listOf(stats.top_countries) },
    ],
  }
}
