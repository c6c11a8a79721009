import type { DayRow } from '../store/rows.ts'
import { Memo } from './memo.ts'
import { type Cell, type Count, largest, Tally } from './tally.ts'

/** What was counted on a day, UTC. */
export interface Counts {
  readonly total: number
  readonly paths: Iterable<Count>
  readonly countries: Iterable<Count>
  readonly sources: Iterable<Count>
}

export const NOTHING: Counts = { total: 0, paths: [], countries: [], sources: [] }

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
export interface Reading {
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
  readonly cell: Cell | undefined
}

/** Who came through the same addresses before, who mostly is the same again. */
interface Visitor {
  agent: Agent
  origin: Origin
  country: Cell | undefined
}

/** A day that is being counted. */
export class Day implements Counts {
  total: number
  hasChanged = false
  readonly paths: Tally
  readonly countries: Tally
  readonly sources: Tally
  private readonly agents = new Memo<Agent>(text => ({
    text,
    isBot: this.reading.isBot(text),
    isCrawler: this.reading.isCrawler(text),
  }))
  private readonly origins = new Memo<Origin>(text => ({ text, cell: this.sourceOf(text) }))
  private readonly visitors = new Memo<Visitor>(() => ({
    agent: this.agents.of(''),
    origin: this.origins.of(''),
    country: undefined,
  }))

  /** @param row what was counted before */
  constructor(
    readonly id: number,
    row: DayRow | undefined,
    private readonly reading: Reading,
  ) {
    this.total = row?.total ?? 0
    this.paths = new Tally(row?.paths)
    this.countries = new Tally(row?.countries)
    this.sources = new Tally(row?.sources)
  }

  /** Counts a visit, unless it is a bot's, or a crawler's where a front end reports it, and says whether it did. */
  count({ path, hops, userAgent, referrer, isReported }: Visit): boolean {
    const visitor = this.visitors.of(hops)
    if (visitor.agent.text !== userAgent) visitor.agent = this.agents.of(userAgent)
    if (isReported ? visitor.agent.isCrawler : visitor.agent.isBot) return false
    if (visitor.origin.text !== referrer) visitor.origin = this.origins.of(referrer)
    visitor.country ??= this.countries.cell(this.reading.country(hops))
    visitor.country.count++
    if (visitor.origin.cell) visitor.origin.cell.count++
    this.paths.cell(path).count++
    this.total++
    this.hasChanged = true
    return true
  }

  /** Forgets who came. */
  forget(): void {
    for (const memo of [this.agents, this.origins, this.visitors]) memo.clear()
  }

  get row(): DayRow {
    const { id, total, paths, countries, sources } = this
    return { id, total, paths: [...paths], countries: [...countries], sources: [...sources] }
  }

  private sourceOf(referrer: string): Cell | undefined {
    const host = this.reading.source(referrer)
    return host === '' ? undefined : this.sources.cell(host)
  }
}

/** Of each kind of key, of a day that is over. */
const KEPT = 100

/** Whether there is more in a day than is kept once it is over. */
export const isLong = ({ paths, countries, sources }: DayRow) =>
  [paths, countries, sources].some(counts => counts.length > KEPT)

/** What is kept of a day once it is over: its total, and what was most. */
export const shortened = ({ id, total, paths, countries, sources }: DayRow): DayRow => ({
  id,
  total,
  paths: largest(paths).slice(0, KEPT),
  countries: largest(countries).slice(0, KEPT),
  sources: largest(sources).slice(0, KEPT),
})
