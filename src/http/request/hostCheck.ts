import { Problem } from '../../base/problem.ts'

const HTTPS = 'https://'
/** Where Elysia (1.4) begins to look for the path of an https URL: behind three letters of the host. */
const ELYSIA_PATH_START = HTTPS.length + 3

/** @throws Problem 'malformed' if the Host header names no host, or over TLS one that is too short for Elysia */
export function checkHost(url: string): void {
  if (url.startsWith('/')) throw new Problem('malformed', 'The Host header names no host.')
  if (url.startsWith(HTTPS) && url.indexOf('/', HTTPS.length) < ELYSIA_PATH_START)
    throw new Problem('malformed', 'Over TLS, the Host header must name a host of at least three letters.')
}
