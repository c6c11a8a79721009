import { timingSafeEqual } from 'node:crypto'
import { hostOf, isLoopback, unmapped } from '../../base/address.ts'
import { Problem } from '../../base/problem.ts'
import type { RequestContext } from '../../http/request/context.ts'

const BEARER = /^bearer +(\S+) *$/i
/** Headers that proxies add. A request with one of them comes from elsewhere. */
const FORWARDING_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
]
/** Headers that browsers add to requests of pages, which may belong to any site. */
const PAGE_HEADERS = ['origin', 'sec-fetch-site', 'referer']

const REFUSAL =
  'Metrics are only for programs on the same machine, or with the token of --metrics-token as "Authorization: Bearer TOKEN".'

/** @throws Problem 'forbidden' unless a request may read the metrics. @param token undefined if none is configured */
export function requireMetricsAccess(context: RequestContext, token: string | undefined): void {
  const sent = BEARER.exec(context.authorization ?? '')?.[1]
  const hasToken = token !== undefined && sent !== undefined && isSame(sent, token)
  if (!hasToken && !isFromSameMachine(context)) throw new Problem('forbidden', REFUSAL)
}

/**
 * Whether a program on this machine sent the request to this machine's own address: not a proxy on behalf of somebody else,
 * and not a page in a browser.
 */
function isFromSameMachine(context: RequestContext): boolean {
  const { services, request } = context
  const peer = services.peers.requestIP(request)?.address
  if (peer === undefined || !isLoopback(unmapped(peer))) return false
  if ([...FORWARDING_HEADERS, ...PAGE_HEADERS].some(name => context.header(name) !== null)) return false
  return isLoopback(hostOf(new URL(request.url)))
}

/** Compares texts in a time that doesn't depend on where they differ. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
