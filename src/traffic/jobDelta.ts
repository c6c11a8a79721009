import type { DatedCounts, FunnelCounts, FunnelStep, ViewsRow } from '../store/countRows.ts'
import { type KeyCount, TopCounter } from './topCounter.ts'

const COLUMNS = { impression: 'impressions', view: 'views', apply: 'applyClicks' } as const satisfies Record<
  FunnelStep,
  keyof FunnelCounts
>

/** The bound of the sources of a job, and of its countries, in characters: enough for some twenty of each. */
const MAX_KEYS_COST = 768

type MutableCounts = { -readonly [C in keyof FunnelCounts]: number }

/** What was counted for a job since its counts were stored. */
export class JobDelta {
  /** The counts of each day, oldest first. */
  private readonly days: (MutableCounts & { readonly day: number })[] = []
  private sources: TopCounter | undefined
  private countries: TopCounter | undefined

  /** Counts a step on a day. A day before the last one, after the clock was set back, counts as the last. */
  add(step: FunnelStep, day: number, times = 1): void {
    this.dayOf(day)[COLUMNS[step]] += times
  }

  /** Counts where a view came from. @param source `''` if unknown */
  addOrigin(source: string, country: string): void {
    this.countries ??= new TopCounter([], MAX_KEYS_COST)
    this.countries.counterOf(country).count++
    if (source === '') return
    this.sources ??= new TopCounter([], MAX_KEYS_COST)
    this.sources.counterOf(source).count++
  }

  /** Adds what was counted after this. */
  addAll({ days, sources, countries }: JobDelta): void {
    for (const counts of days) addCounts(this.dayOf(counts.day), counts)
    if (sources) this.sources = sumOf([...(this.sources ?? [])], sources)
    if (countries) this.countries = sumOf([...(this.countries ?? [])], countries)
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
    return {
      row: {
        id: row.id,
        ...addCounts({ ...countsIn(row) }, this.totals),
        latest: days.at(-1) ?? null,
        sources: this.sources ? [...sumOf(row.sources, this.sources)] : row.sources,
        countries: this.countries ? [...sumOf(row.countries, this.countries)] : row.countries,
      },
      past: days.slice(0, -1),
    }
  }

  private dayOf(day: number) {
    return dayIn(this.days, day)
  }
}

/** Returns the columns of a row that are counts. */
const countsIn = ({ impressions, views, applyClicks }: FunnelCounts) => ({ impressions, views, applyClicks })

function addCounts(counts: MutableCounts, { impressions, views, applyClicks }: FunnelCounts): MutableCounts {
  counts.impressions += impressions
  counts.views += views
  counts.applyClicks += applyClicks
  return counts
}

/** Returns the counts of a day, which is added if it is later than the others; otherwise those of the last day. */
function dayIn(days: (MutableCounts & { readonly day: number })[], day: number) {
  const last = days.at(-1)
  if (last && last.day >= day) return last
  const added = { day, impressions: 0, views: 0, applyClicks: 0 }
  days.push(added)
  return added
}

function sumOf(counts: readonly KeyCount[], added: Iterable<KeyCount>): TopCounter {
  const sum = new TopCounter(counts, MAX_KEYS_COST)
  for (const [key, count] of added) sum.counterOf(key).count += count
  return sum
}
