import type { DatedCounts, FunnelCounts, FunnelStep, KeyCounts, ViewsRow } from '../store/countRows.ts'
import type { Tables } from '../store/tables.ts'
import { addDays } from './jobDays.ts'
import { TopCounter } from './topCounter.ts'

const COLUMNS = { impression: 'impressions', view: 'views', apply: 'applyClicks' } as const satisfies Record<
  FunnelStep,
  keyof FunnelCounts
>

/** The bound of the sources of a job, and of its countries, in characters: enough for some twenty of each. */
const MAX_KEYS_COST = 768

type MutableCounts = { -readonly [C in keyof FunnelCounts]: number }

/** The counts of a job, while some of them are not stored. */
export class JobCounter {
  hasChanged = false
  /** How often each step happened, ever. */
  readonly totals: MutableCounts
  /** The days that are over and not stored yet, oldest first. */
  past: DatedCounts[] = []
  private latest: MutableCounts & { readonly day: number }
  private sourceCounter: TopCounter | undefined
  private countryCounter: TopCounter | undefined

  /** @param row the counts so far */
  constructor(
    readonly id: number,
    private readonly row: ViewsRow | undefined,
    day: number,
  ) {
    const { impressions = 0, views = 0, applyClicks = 0, latest } = row ?? {}
    this.totals = { impressions, views, applyClicks }
    this.latest = latest ? { ...latest } : emptyDay(day)
  }

  /** Counts a step on a day. A day before the latest one, after the clock was set back, counts as the latest. */
  add(step: FunnelStep, day: number, times = 1): void {
    if (day > this.latest.day) {
      this.past.push(this.latest)
      this.latest = emptyDay(day)
    }
    this.latest[COLUMNS[step]] += times
    this.totals[COLUMNS[step]] += times
    this.hasChanged = true
  }

  /** Counts where a view came from. @param source `''` if unknown */
  addOrigin(source: string, country: string): void {
    this.countryCounter ??= new TopCounter(this.countries, MAX_KEYS_COST)
    this.countryCounter.counterOf(country).count++
    if (source === '') return
    this.sourceCounter ??= new TopCounter(this.sources, MAX_KEYS_COST)
    this.sourceCounter.counterOf(source).count++
  }

  get sources(): KeyCounts {
    return this.sourceCounter ? [...this.sourceCounter] : (this.row?.sources ?? [])
  }

  get countries(): KeyCounts {
    return this.countryCounter ? [...this.countryCounter] : (this.row?.countries ?? [])
  }

  /** The days that are not in the job's row of days. */
  get recentDays(): readonly DatedCounts[] {
    return [...this.past, this.latest]
  }

  /**
   * Writes the counts, inside a transaction. Writing them again changes nothing.
   * @returns how many days are in the job's row of days now
   */
  store({ jobs, views, jobDays }: Tables): number {
    const { id, totals, past, latest, sources, countries } = this
    if (!jobs.has(id)) return past.length
    views.put({ id, ...totals, latest, sources, countries })
    if (past.length > 0) jobDays.put(addDays(jobDays.get(id), id, past, latest.day))
    return past.length
  }
}

const emptyDay = (day: number) => ({ day, impressions: 0, views: 0, applyClicks: 0 })
