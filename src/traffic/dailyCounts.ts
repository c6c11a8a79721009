import type { DayRow } from '../store/rows.ts'
import { Lru } from './lru.ts'
import { type Counter, type KeyCount, sortedByCount, TopCounter } from './topCounter.ts'

/** What was counted on a day, UTC. */
export interface DailyCounts {
  readonly total: number
  readonly paths: Iterable<KeyCount>
  readonly countries: Iterable<KeyCount>
  readonly sources: Iterable<KeyCount>
}

export const NO_COUNTS: DailyCounts = { total: 0, paths: [], countries: [], sources: [] }

/** Somebody who looks at something. Nothing of it is stored but what it is counted under. */
export interface Visit {
  /** What is looked at, without a query. */
  readonly path: string
  readonly jobId: number | undefined
  /** The addresses that the request came through. */
  readonly hops: string
  readonly userAgent: string
  /** The page that led there, `''` if unknown. */
  readonly referrer: string
  /** Whether a board's own front end reports it, which may be a program. */
  readonly isReported: boolean
}

/** Finds what a visit is counted under in what its request says. */
export interface VisitReader {
  readonly isBot: (userAgent: string) => boolean
  readonly isCrawler: (userAgent: string) => boolean
  /** The client's country, by the addresses that the request came through. */
  readonly country: (hops: string) => string
  /** The host of the page that led there, `''` if there is none to count. */
  readonly source: (referrer: string) => string
}

/** A user agent that was looked at. */
interface Agent {
  readonly text: string
  readonly isBot: boolean
  readonly isCrawler: boolean
}

/** A referrer that was looked at. */
interface Origin {
  readonly text: string
  readonly counter: Counter | undefined
}

/** Who came through the same addresses before, who mostly is the same again. */
interface Visitor {
  agent: Agent
  origin: Origin
  country: Counter | undefined
}

/** A day that is being counted. */
export class DailyCounter implements DailyCounts {
  total: number
  hasChanged = false
  readonly paths: TopCounter
  readonly countries: TopCounter
  readonly sources: TopCounter
  private readonly agents = new Lru<Agent>(text => ({
    text,
    isBot: this.reader.isBot(text),
    isCrawler: this.reader.isCrawler(text),
  }))
  private readonly origins = new Lru<Origin>(text => ({ text, counter: this.counterOfSource(text) }))
  private readonly visitors = new Lru<Visitor>(() => ({
    agent: this.agents.get(''),
    origin: this.origins.get(''),
    country: undefined,
  }))

  /** @param row what was counted before */
  constructor(
    readonly id: number,
    row: DayRow | undefined,
    private readonly reader: VisitReader,
  ) {
    this.total = row?.total ?? 0
    this.paths = new TopCounter(row?.paths)
    this.countries = new TopCounter(row?.countries)
    this.sources = new TopCounter(row?.sources)
  }

  /** Counts a visit, unless it is a bot's, or a crawler's where a front end reports it, and says whether it did. */
  count({ path, hops, userAgent, referrer, isReported }: Visit): boolean {
    const visitor = this.visitors.get(hops)
    if (visitor.agent.text !== userAgent) visitor.agent = this.agents.get(userAgent)
    if (isReported ? visitor.agent.isCrawler : visitor.agent.isBot) return false
    if (visitor.origin.text !== referrer) visitor.origin = this.origins.get(referrer)
    visitor.country ??= this.countries.counterOf(this.reader.country(hops))
    visitor.country.count++
    if (visitor.origin.counter) visitor.origin.counter.count++
    this.paths.counterOf(path).count++
    this.total++
    this.hasChanged = true
    return true
  }

  /** Forgets who came. */
  clearCaches(): void {
    for (const memo of [this.agents, this.origins, this.visitors]) memo.clear()
  }

  get row(): DayRow {
    const { id, total, paths, countries, sources } = this
    return { id, total, paths: [...paths], countries: [...countries], sources: [...sources] }
  }

  private counterOfSource(referrer: string): Counter | undefined {
    const host = this.reader.source(referrer)
    return host === '' ? undefined : this.sources.counterOf(host)
  }
}

/** Of each kind of key, of a day that is over. */
const MAX_STORED_KEYS = 100

/** Whether there is more in a day than is kept once it is over. */
export const needsTruncating = ({ paths, countries, sources }: DayRow) =>
  [paths, countries, sources].some(counts => counts.length > MAX_STORED_KEYS)

/** What is kept of a day once it is over: its total, and what was most. */
export const truncate = ({ id, total, paths, countries, sources }: DayRow): DayRow => ({
  id,
  total,
  paths: sortedByCount(paths).slice(0, MAX_STORED_KEYS),
  countries: sortedByCount(countries).slice(0, MAX_STORED_KEYS),
  sources: sortedByCount(sources).slice(0, MAX_STORED_KEYS),
})
