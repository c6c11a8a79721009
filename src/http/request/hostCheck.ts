import { Problem } from '../../base/problem.ts'

const HTTPS = 'https://'
/** Elysia (1.4) assumes that the host in an https URL has at least three letters, and looks for the path after them. */
const ELYSIA_PATH_START = HTTPS.length + 3

/** @throws Problem 'malformed' if the Host header is invalid or, over TLS, too short for Elysia */
export function checkHost(url: string): void {
  if (url.startsWith('/')) throw new Problem('malformed', 'The Host header is invalid.')
  if (url.startsWith(HTTPS) && url.indexOf('/', HTTPS.length) < ELYSIA_PATH_START)
    throw new Problem('malformed', 'Over TLS, the name in the Host header must have at least three letters.')
}
