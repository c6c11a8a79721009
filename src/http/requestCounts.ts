import { SECOND } from '../base/clock.ts'
import { Histogram } from '../base/histogram.ts'

/** In seconds. A cached reply takes less than the first bound, and a large import more than the last. */
const DURATION_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Stands for the route of a request that matches none. */
const NO_ROUTE = 'none'
/** The methods that are counted by name. Anybody can make up others. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
const OTHER_METHOD = 'other'

/** The requests to a route with one method. */
export interface RouteCounts {
  readonly method: string
  /** The pattern of the path, such as `/jobs/{id}.json`. */
  readonly route: string
  /** In seconds. */
  readonly durations: Histogram
  /** The number of responses by status. */
  readonly statuses: Map<number, number>
}

/** Counts requests since the start. There are as many counts as routes, methods and statuses, whatever clients send. */
export class RequestCounts {
  private readonly byRoute = new Map<string, Map<string, RouteCounts>>()

  /**
   * Counts a request.
   * @param route the pattern of its path; undefined if there is none
   * @param ms its duration in milliseconds
   */
  add(method: string, route: string | undefined, status: number, ms: number): void {
    const counts = this.countsOf(route ?? NO_ROUTE, METHODS.has(method) ? method : OTHER_METHOD)
    counts.durations.observe(ms / SECOND)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
  }

  all(): RouteCounts[] {
    return [...this.byRoute.values()].flatMap(methods => [...methods.values()])
  }

  private countsOf(route: string, method: string): RouteCounts {
    let methods = this.byRoute.get(route)
    if (!methods) this.byRoute.set(route, (methods = new Map()))
    let counts = methods.get(method)
    if (!counts) {
      counts = { method, route, durations: new Histogram(DURATION_BOUNDS), statuses: new Map() }
      methods.set(method, counts)
    }
    return counts
  }
}
