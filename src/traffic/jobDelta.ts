import {
  type DatedCounts,
  FUNNEL_COLUMNS,
  type FunnelCounts,
  type FunnelStep,
  type ViewsRow,
} from '../store/countRows.ts'
import { type KeyCount, largestWithin } from './topCounter.ts'

/** The bound of a job's stored sources, and of its countries, in characters: enough for some thirty of each. */
const MAX_KEYS_COST = 1024

export type MutableCounts = { -readonly [C in keyof FunnelCounts]: number }
type MutableDay = MutableCounts & { readonly day: number }

/** What was counted for a job since its counts were stored. */
export class JobDelta {
  /** The counts of each day, oldest first. */
  private readonly days: MutableDay[] = []
  private readonly sources = new Map<string, number>()
  private readonly countries = new Map<string, number>()

  /** Counts a step on a day. A day before the last one, after the clock was set back, counts as the last. */
  add(step: FunnelStep, day: number, times = 1): void {
    dayIn(this.days, day)[FUNNEL_COLUMNS[step]] += times
  }

  /** Counts where a view came from. @param source `''` if unknown */
  addOrigin(source: string, country: string): void {
    addTimes(this.countries, country, 1)
    if (source !== '') addTimes(this.sources, source, 1)
  }

  /** Adds counts of a later time. */
  addAll({ days, sources, countries }: JobDelta): void {
    for (const counts of days) addCounts(dayIn(this.days, counts.day), counts)
    for (const [source, times] of sources) addTimes(this.sources, source, times)
    for (const [country, times] of countries) addTimes(this.countries, country, times)
  }

  /** The number of different sources and countries. */
  get originCount(): number {
    return this.sources.size + this.countries.size
  }

  /** Returns how often each step happened. */
  get totals(): FunnelCounts {
    const totals: MutableCounts = { impressions: 0, views: 0, applyClicks: 0 }
    for (const counts of this.days) addCounts(totals, counts)
    return totals
  }

  /** Returns a job's counts with these added, and the days before the latest one that are not in the row any more. */
  addTo(row: ViewsRow): { readonly row: ViewsRow; readonly past: readonly DatedCounts[] } {
    const days = row.latest ? [{ ...row.latest }] : []
    for (const counts of this.days) addCounts(dayIn(days, counts.day), counts)
    const { impressions, views, applyClicks } = row
    return {
      row: {
        id: row.id,
        ...addCounts({ impressions, views, applyClicks }, this.totals),
        latest: days.at(-1) ?? null,
        sources: sumOf(row.sources, this.sources),
        countries: sumOf(row.countries, this.countries),
      },
      past: days.slice(0, -1),
    }
  }
}

function addCounts(counts: MutableCounts, { impressions, views, applyClicks }: FunnelCounts): MutableCounts {
  counts.impressions += impressions
  counts.views += views
  counts.applyClicks += applyClicks
  return counts
}

function addTimes(counts: Map<string, number>, key: string, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times)
}

/** Returns the counts of a day, which is added if it is later than the others; otherwise those of the last day. */
function dayIn(days: MutableDay[], day: number): MutableDay {
  const last = days.at(-1)
  if (last && last.day >= day) return last
  const added = { day, impressions: 0, views: 0, applyClicks: 0 }
  days.push(added)
  return added
}

/** Returns the sums by key, or only the largest if they are too many. */
function sumOf(counts: readonly KeyCount[], added: ReadonlyMap<string, number>): readonly KeyCount[] {
  if (added.size === 0) return counts
  const sums = new Map(counts)
  for (const [key, times] of added) addTimes(sums, key, times)
  return largestWithin([...sums], MAX_KEYS_COST)
}
