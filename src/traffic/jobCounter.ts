import type { FunnelCounts, FunnelStep, ViewsRow } from '../store/rows.ts'

const COLUMNS = { impression: 'impressions', view: 'views', apply: 'applyClicks' } as const satisfies Record<
  FunnelStep,
  keyof FunnelCounts
>

/** The counts of a job, while some of them are not stored. */
export class JobCounter {
  hasChanged = false
  /** How often each step happened, ever. */
  readonly totals: { -readonly [C in keyof FunnelCounts]: number }

  /** @param row the counts so far */
  constructor(
    readonly id: number,
    row: ViewsRow | undefined,
  ) {
    const { impressions = 0, views = 0, applyClicks = 0 } = row ?? {}
    this.totals = { impressions, views, applyClicks }
  }

  add(step: FunnelStep, times = 1): void {
    this.totals[COLUMNS[step]] += times
    this.hasChanged = true
  }

  get row(): ViewsRow {
    return { id: this.id, ...this.totals }
  }
}
