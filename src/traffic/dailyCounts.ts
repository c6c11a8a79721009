import {
  type DayRow,
  FUNNEL_COLUMNS,
  type FunnelCounts,
  type FunnelStep,
  NO_FUNNEL_COUNTS,
} from '../store/countRows.ts'
import type { MutableCounts } from './jobDelta.ts'
import { Lru } from './lru.ts'
import { copyOf, type Counter, type KeyCount, sortedByCount, TopCounter } from './topCounter.ts'

/** The counts of a day, UTC. */
export interface DailyCounts {
  readonly total: number
  readonly funnel: FunnelCounts
  readonly paths: Iterable<KeyCount>
  readonly countries: Iterable<KeyCount>
  readonly sources: Iterable<KeyCount>
}

export const NO_COUNTS: DailyCounts = {
  total: 0,
  funnel: NO_FUNNEL_COUNTS,
  paths: [],
  countries: [],
  sources: [],
}

/** A page view or another step to an application. Only the keys that it is counted under are stored. */
export interface Visit {
  /** The path of the page, without a query; undefined if it isn't a page view. */
  readonly path: string | undefined
  /** The job that the step is about. */
  readonly jobId: number | undefined
  /** The step that is counted; undefined for a view. */
  readonly step?: FunnelStep
  /** The jobs that the page shows in a list. */
  readonly shown?: readonly number[] | undefined
  /** The addresses that the request came through. */
  readonly hops: string
  readonly userAgent: string
  /** The URL of the page before, `''` if unknown. */
  readonly referrer: string
  /** Whether a board's own front end reports the visit, which may be a program. */
  readonly isReported: boolean
}

/** Derives the keys that a visit is counted under from its request. */
export interface VisitReader {
  readonly isBot: (userAgent: string) => boolean
  readonly isCrawler: (userAgent: string) => boolean
  /** The client's country, given the addresses that the request came through. */
  readonly country: (hops: string) => string
  /** The host to count for a referrer, `''` if there is none. */
  readonly source: (referrer: string) => string
}

/** What is known about a user agent. */
interface Agent {
  readonly text: string
  readonly isBot: boolean
  readonly isCrawler: boolean
}

/** What is known about a referrer. */
interface Origin {
  readonly text: string
  /** `''` if there is none. */
  readonly host: string
  readonly counter: Counter | undefined
}

/** The latest visitor from some addresses, who is usually the next one too. */
export interface Visitor {
  agent: Agent
  origin: Origin
  /** Known once a page view is counted. */
  country: { readonly name: string; readonly counter: Counter } | undefined
}

/** Counts the visits of a day. */
export class DailyCounter implements DailyCounts {
  total: number
  readonly funnel: MutableCounts
  hasChanged = false
  readonly paths: TopCounter
  readonly countries: TopCounter
  readonly sources: TopCounter
  private readonly agents = new Lru<Agent>(text => ({
    text,
    isBot: this.reader.isBot(text),
    isCrawler: this.reader.isCrawler(text),
  }))
  private readonly origins = new Lru<Origin>(text => this.originOf(text))
  private readonly visitors = new Lru<Visitor>(() => ({
    agent: this.agents.get(''),
    origin: this.origins.get(''),
    country: undefined,
  }))

  /** @param row the counts so far */
  constructor(
    readonly id: number,
    row: DayRow | undefined,
    private readonly reader: VisitReader,
  ) {
    this.total = row?.total ?? 0
    this.funnel = { ...(row?.funnel ?? NO_FUNNEL_COUNTS) }
    this.paths = new TopCounter(row?.paths)
    this.countries = new TopCounter(row?.countries)
    this.sources = new TopCounter(row?.sources)
  }

  /**
   * Counts a visit if it is a page view, unless a bot made it or, if a front end reports it, a crawler.
   * @returns the visitor, valid until the next visit; undefined if the visit doesn't count
   */
  count({ path, hops, userAgent, referrer, isReported }: Visit): Visitor | undefined {
    const visitor = this.visitors.get(hops)
    if (visitor.agent.text !== userAgent) visitor.agent = this.agents.get(userAgent)
    if (isReported ? visitor.agent.isCrawler : visitor.agent.isBot) return undefined
    if (path === undefined) return visitor
    if (visitor.origin.text !== referrer) visitor.origin = this.origins.get(referrer)
    visitor.country ??= this.countryOf(hops)
    visitor.country.counter.count++
    if (visitor.origin.counter) visitor.origin.counter.count++
    this.paths.counterOf(path).count++
    this.total++
    this.hasChanged = true
    return visitor
  }

  /** Counts a step of some jobs to an application. */
  countStep(step: FunnelStep, jobs: number): void {
    this.funnel[FUNNEL_COLUMNS[step]] += jobs
    this.hasChanged = true
  }

  /** Removes the addresses, user agents and referrers from memory. */
  clearCaches(): void {
    for (const cache of [this.agents, this.origins, this.visitors]) cache.clear()
  }

  get row(): DayRow {
    const { id, total, funnel, paths, countries, sources } = this
    return {
      id,
      total,
      funnel: { ...funnel },
      paths: [...paths],
      countries: [...countries],
      sources: [...sources],
    }
  }

  private originOf(referrer: string): Origin {
    const host = copyOf(this.reader.source(referrer))
    return { text: referrer, host, counter: host === '' ? undefined : this.sources.counterOf(host) }
  }

  private countryOf(hops: string) {
    const name = this.reader.country(hops)
    return { name, counter: this.countries.counterOf(name) }
  }
}

/** How many keys of each kind are stored for a day that is over. */
const MAX_STORED_KEYS = 100

/** Whether a day has more keys than are stored once it is over. */
export const needsTruncating = ({ paths, countries, sources }: DayRow) =>
  [paths, countries, sources].some(counts => counts.length > MAX_STORED_KEYS)

/** A day as it is stored once it is over: its total, and the largest counts. */
export const truncate = ({ id, total, funnel, paths, countries, sources }: DayRow): DayRow => ({
  id,
  total,
  funnel,
  paths: sortedByCount(paths).slice(0, MAX_STORED_KEYS),
  countries: sortedByCount(countries).slice(0, MAX_STORED_KEYS),
  sources: sortedByCount(sources).slice(0, MAX_STORED_KEYS),
})
