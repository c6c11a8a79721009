import {
  type FunnelCounts,
  type FunnelStep,
  type KeyCounts,
  NO_FUNNEL_COUNTS,
  type ViewsRow,
} from '../store/countRows.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Visitor } from './dailyCounts.ts'
import { addDays, daysOf } from './jobDays.ts'
import { JobDelta } from './jobDelta.ts'
import { JobTotals } from './jobTotals.ts'

/** The number of different lists that are counted together. */
const MAX_LISTS = 200
/** The number of jobs with counts to store that is stored early, because storing them takes a second. */
const MAX_JOBS = 5000
/** The number of sources and countries of all jobs that are counted until they are stored: further ones are left out. */
const MAX_ORIGINS = 100_000
/** The number of jobs whose counts are stored in one transaction, so that other work isn't held up for long. */
const BATCH_SIZE = 250

/** What is known about the visitors of a job. */
export interface JobTraffic {
  /** The counts of each day that has any, by its number since 1970. */
  readonly days: ReadonlyMap<number, FunnelCounts>
  /** The sources and countries of its views, whatever the day. Rare ones may be missing. */
  readonly sources: KeyCounts
  readonly countries: KeyCounts
}

/** Counts that are being stored. */
interface Storing {
  readonly delta: JobDelta
  /** The sum of all counts in the row as soon as it includes these, which tells whether it does. */
  sum: number
}

/** Counts impressions, views and apply clicks by job. Only totals, and what is not stored yet, are in memory. */
export class JobCounters {
  private deltas = new Map<number, JobDelta>()
  private readonly storing = new Map<number, Storing>()
  /** How often each list was shown on a day. Its jobs are counted later, once for all times that it was shown. */
  private readonly lists = new Map<readonly number[], number>()
  private listDay = 0
  /** The number of sources and countries in the deltas. */
  private origins = 0

  private readonly totals: JobTotals

  constructor(private readonly store: Store) {
    this.totals = new JobTotals(store)
  }

  /** Loads the totals of all jobs, which makes `countsOf` quick. */
  loadTotals(): Promise<void> {
    return this.totals.load()
  }

  count(jobId: number, step: FunnelStep, day: number, { origin, country }: Visitor): void {
    const delta = this.deltaOf(jobId)
    delta.add(step, day)
    if (step === 'view' && country && this.origins < MAX_ORIGINS)
      this.countOrigin(delta, origin.host, country.name)
  }

  /** Counts an impression of each job in a list. The same array is counted fastest. */
  countList(ids: readonly number[], day: number): void {
    if (day !== this.listDay || this.lists.size >= MAX_LISTS) this.countLists()
    this.listDay = day
    this.lists.set(ids, (this.lists.get(ids) ?? 0) + 1)
  }

  /** Returns how often each step happened, ever. */
  countsOf(jobId: number): FunnelCounts {
    this.countLists()
    const row = this.totals.get(jobId) ?? this.store.read.views.get(jobId) ?? NO_FUNNEL_COUNTS
    if (!this.deltas.has(jobId) && !this.storing.has(jobId)) return row
    return [row, ...this.unstored(jobId, row).map(({ totals }) => totals)].reduce((sum, counts) => ({
      impressions: sum.impressions + counts.impressions,
      views: sum.views + counts.views,
      applyClicks: sum.applyClicks + counts.applyClicks,
    }))
  }

  trafficOf(jobId: number): JobTraffic {
    this.countLists()
    const { views, jobDays } = this.store.read
    const stored = views.get(jobId)
    const days = jobDays.get(jobId)
    let current = { row: stored ?? emptyRow(jobId), past: days ? daysOf(days) : [] }
    for (const delta of this.unstored(jobId, current.row)) {
      const { row, past } = delta.addTo(current.row)
      current = { row, past: [...current.past, ...past] }
    }
    const { latest, sources, countries } = current.row
    const all = [...current.past, ...(latest ? [latest] : [])]
    return { days: new Map(all.map(counts => [counts.day, counts])), sources, countries }
  }

  /** Whether there is so much to store that it shouldn't wait. */
  get isFull(): boolean {
    return this.deltas.size >= MAX_JOBS
  }

  /** Removes a deleted job from memory; the store has removed its rows. */
  remove(jobId: number): void {
    this.countLists()
    this.deltas.delete(jobId)
    this.storing.delete(jobId)
    this.totals.remove(jobId)
  }

  /** Stores what was counted, in several transactions. What can't be stored stays in memory. */
  async storeChanged(): Promise<void> {
    this.countLists()
    for (const [id, delta] of this.deltas) this.storing.set(id, { delta, sum: Infinity })
    this.deltas = new Map()
    this.origins = 0
    try {
      const ids = [...this.storing.keys()]
      for (let at = 0; at < ids.length; at += BATCH_SIZE)
        await this.storeBatch(ids.slice(at, at + BATCH_SIZE))
    } finally {
      this.takeBack()
    }
  }

  private async storeBatch(ids: readonly number[]) {
    const rows = await this.store.write(tables => ids.map(id => this.storeJob(id, tables)))
    for (const row of rows) if (row) this.totals.set(row)
    for (const id of ids) this.storing.delete(id)
  }

  private storeJob(id: number, { jobs, views, jobDays }: Tables): ViewsRow | undefined {
    const storing = this.storing.get(id)
    if (!storing || !jobs.has(id)) return undefined
    const { row, past } = storing.delta.addTo(views.get(id) ?? emptyRow(id))
    storing.sum = sumOf(row)
    views.put(row)
    if (past.length > 0) jobDays.put(addDays(jobDays.get(id), id, past, row.latest?.day ?? 0))
    return row
  }

  /** Adds what could not be stored to what was counted since. */
  private takeBack() {
    for (const [id, { delta }] of this.storing) {
      const later = this.deltas.get(id)
      if (later) delta.addAll(later)
      this.deltas.set(id, delta)
      this.origins += delta.originCount
    }
    this.storing.clear()
  }

  /** Returns what a row doesn't include yet, oldest first. */
  private unstored(jobId: number, row: FunnelCounts): JobDelta[] {
    const storing = this.storing.get(jobId)
    const isIncluded = storing && sumOf(row) >= storing.sum
    return [isIncluded ? undefined : storing?.delta, this.deltas.get(jobId)].filter(
      delta => delta !== undefined,
    )
  }

  private countOrigin(delta: JobDelta, source: string, country: string) {
    const before = delta.originCount
    delta.addOrigin(source, country)
    this.origins += delta.originCount - before
  }

  private countLists() {
    for (const [ids, times] of this.lists)
      for (const id of ids) this.deltaOf(id).add('impression', this.listDay, times)
    this.lists.clear()
  }

  private deltaOf(jobId: number): JobDelta {
    const existing = this.deltas.get(jobId)
    if (existing) return existing
    const delta = new JobDelta()
    this.deltas.set(jobId, delta)
    return delta
  }
}

const emptyRow = (id: number): ViewsRow => ({
  id,
  ...NO_FUNNEL_COUNTS,
  latest: null,
  sources: [],
  countries: [],
})

const sumOf = ({ impressions, views, applyClicks }: FunnelCounts) => impressions + views + applyClicks
