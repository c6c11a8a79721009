import { Problem } from '../../base/problem.ts'
import type { RequestContext } from './context.ts'

/** Verbs that change nothing. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const FOREIGN: ReadonlySet<string | null> = new Set(['cross-site', 'same-site'])

/**
 * Tells requests that another site's page had a browser send: with any form, a browser sends along the Basic credentials
 * that it remembers, so that whoever is signed in would act on that page's behalf.
 */
export class CrossSite {
  /**
   * @param own the board's origin
   * @param named the other origins whose pages may make changes; `*` names none
   */
  constructor(
    private readonly own: string,
    private readonly named: '*' | readonly string[],
  ) {}

  /** Why a request with credentials is refused that would change something; undefined if it is not. */
  problemOf({ request, authorization }: RequestContext): Problem | undefined {
    if (authorization === null || SAFE.has(request.method)) return undefined
    const origin = request.headers.get('origin')
    if (origin !== null && this.named !== '*' && this.named.includes(origin)) return undefined
    const isForeign =
      FOREIGN.has(request.headers.get('sec-fetch-site')) || (origin !== null && origin !== this.own)
    return isForeign ? new Problem('forbidden', REFUSAL) : undefined
  }
}

export const REFUSAL =
  "Nothing was changed, because this request came from another site's page. If that page may make changes, add its origin to --cors-origin. If it is a page of this board, set --base-url to the address that your browser shows."
