import { Problem } from '../../base/problem.ts'
import { JSON_SUFFIX } from '../paths.ts'
import type { RequestContext } from './context.ts'

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const SAME_ORIGIN = 'same-origin'
const FOREIGN: ReadonlySet<string | null> = new Set(['cross-site', 'same-site'])

/**
 * Refuses changes sent by a page of another site (CSRF). A browser adds remembered Basic credentials to every form, so
 * such a page would act with the permissions of whoever is signed in. Forms of pages are refused without credentials too:
 * otherwise such a page could sign a visitor in to somebody else's account.
 */
export class CrossSiteCheck {
  /**
   * @param own the board's origin
   * @param trusted other origins whose pages may make changes; `*` means none
   */
  constructor(
    private readonly own: string,
    private readonly trusted: '*' | readonly string[],
  ) {}

  /** @throws Problem 'forbidden' if a page of another site sent the request with credentials or as a form of a page */
  check(context: RequestContext): void {
    if (SAFE.has(context.method)) return
    const hasCredentials = context.authorization !== null
    if (!hasCredentials && context.path.endsWith(JSON_SUFFIX)) return
    const [origin, site] = [context.header('origin'), context.header('sec-fetch-site')]
    if (origin !== null && this.trusted !== '*' && this.trusted.includes(origin)) return
    // Credentials are bound to no host, unlike cookies, so they also need the board's own address.
    const isSameOrigin = origin === null || origin === this.own || (!hasCredentials && site === SAME_ORIGIN)
    const isForeign = FOREIGN.has(site) || !isSameOrigin
    if (isForeign) throw new Problem('forbidden', CROSS_SITE)
  }
}

const CROSS_SITE =
  "Nothing was changed, because this request came from another site's page. If that page may make changes, add its origin to --cors-origin. If it is a page of this board, set --base-url to the address that your browser shows."
