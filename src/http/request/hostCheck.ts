import { Problem } from '../../base/problem.ts'

const HTTPS = 'https://'
/** Where Elysia (1.4) begins to look for the path of such a URL: behind three letters of the host. */
const ELYSIAS_START = HTTPS.length + 3

/** What is wrong with the host of a URL: that it names none, or in https:// one before whose path Elysia looks for it. */
export function problemOfHost(url: string): Problem | undefined {
  if (url.startsWith('/')) return new Problem('malformed', 'The Host header names no host.')
  const isShort = url.startsWith(HTTPS) && url.indexOf('/', HTTPS.length) < ELYSIAS_START
  return isShort ? new Problem('malformed', SHORT_HOST) : undefined
}

const SHORT_HOST = 'Over TLS, the Host header must name a host of three letters at least.'
