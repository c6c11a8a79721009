import { expect } from 'bun:test'
import { SECOND } from '../../src/base/clock.ts'
import { fillWithSample } from '../../src/cli/sample.ts'
import { type Account, TestBoard } from './board.ts'
import { ADDRESSES, BROWSER } from './visitors.ts'

export interface Visit {
  readonly as?: Account
  readonly from?: string
  readonly userAgent?: string
  readonly referrer?: string
  readonly headers?: Record<string, string>
}

/** The type of `/analytics.json`. */
interface Report {
  readonly events_per_day: Record<string, number>
  readonly top_paths: Record<string, number>
  readonly top_countries: Record<string, number>
  readonly top_sources: Record<string, number>
  readonly jobs: number
  readonly subscribers: number
  readonly users: number
}

let prepared: ReturnType<typeof prepare> | undefined

/** Fills a board with the sample and an administrator. */
async function prepare() {
  const test = await TestBoard.open()
  await fillWithSample(test.board)
  const admin = await test.account('admin@example.com', 'admin')
  return { admin, files: await test.toFiles() }
}

/** A board with the sample jobs, whose page views are counted. */
export class VisitedBoard {
  private constructor(
    public test: TestBoard,
    readonly admin: Account,
  ) {}

  static async open(): Promise<VisitedBoard> {
    const { files, admin } = await (prepared ??= prepare())
    return new VisitedBoard(await TestBoard.copyOf(files), admin)
  }

  get board() {
    return this.test.board
  }

  /** Closes the board and reopens its data. */
  async reopen(): Promise<void> {
    this.test = await this.test.reopen()
  }

  close(): Promise<void> {
    return this.test.close()
  }

  /** Reads a path, from a German address and with a browser unless the options differ. */
  visit(path: string, options: Visit = {}): Promise<Response> {
    return this.test.get(path, sendingOf(options))
  }

  postEvents(body: object | string, options: Visit = {}): Promise<Response> {
    return this.test.post('/events.json', { ...sendingOf(options), body })
  }

  /** Sends events no faster than one address may. */
  async postManyEvents(times: number, body: object, options: Visit = {}): Promise<void> {
    for (let time = 0; time < times; time++) {
      this.test.clock.now += SECOND
      expect((await this.postEvents(body, options)).status).toBe(202)
    }
  }

  async report(query = ''): Promise<Report> {
    const response = await this.test.get(`/analytics.json${query}`, { as: this.admin })
    expect(response.status).toBe(200)
    return (await response.json()) as Report // the API's type
  }

  /** Returns the number of page views of the last 30 days. */
  async total(): Promise<number> {
    const { events_per_day } = await this.report()
    return Object.values(events_per_day).reduce((sum, count) => sum + count, 0)
  }

  /** Returns the impressions, views and apply clicks of a job, as its owner or an administrator sees them. */
  async funnelOf(id: number, as = this.admin): Promise<unknown[]> {
    const job = (await (await this.test.get(`/jobs/${id}.json`, { as })).json()) as Record<string, unknown>
    return [job['impressions'], job['views'], job['apply_clicks']]
  }

  /** Returns the views of a job, as its owner or an administrator sees them. */
  async viewsOf(id: number, as = this.admin): Promise<unknown> {
    const job = (await (await this.test.get(`/jobs/${id}.json`, { as })).json()) as Record<string, unknown>
    return job['views']
  }
}

/** Returns the account and the headers of a visit. */
export const sendingOf = ({ as, from, userAgent, referrer, headers }: Visit) => ({
  ...(as && { as }),
  headers: {
    'user-agent': userAgent ?? BROWSER,
    'x-forwarded-for': from ?? ADDRESSES.Germany,
    ...(referrer !== undefined && { referer: referrer }),
    ...headers,
  },
})
