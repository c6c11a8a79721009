import { Agent } from 'node:https'
import type acme from 'acme-client'
import { SECOND } from '../base/clock.ts'
import { STATUS } from '../http/response/errors.ts'
import { AcmeError, type AcmeProblem, parseProblem, UNKNOWN } from './acmeProblem.ts'
import { retryAfterOf } from './retryAfter.ts'

/** In milliseconds, how long one request to the authority may take. */
export const REQUEST_TIMEOUT = 30 * SECOND
const MAX_NONCES = 50

/** A certificate authority. */
export interface AuthorityAddress {
  /** The URL of its ACME directory. */
  readonly directory: string
  /** The certificates to trust for its own address, as PEM, instead of those of the system. */
  readonly ca: string | undefined
}

/** The ACME library, with a client for one account. */
export interface AcmeClient {
  readonly client: acme.Client
  readonly crypto: typeof acme.crypto
}

/** Loads the library, which only a board with a domain needs. */
export const loadAcme = () => import('acme-client')

/**
 * Creates a client whose requests throw an AcmeError if the authority refuses them.
 * @param accountKey as PEM
 * @param signal ends its requests
 */
export async function openClient(
  { directory, ca }: AuthorityAddress,
  accountKey: string,
  signal: AbortSignal,
): Promise<AcmeClient> {
  const { axios, Client, crypto } = await loadAcme()
  const { defaults, interceptors } = axios
  Object.assign(defaults, {
    timeout: REQUEST_TIMEOUT,
    signal,
    httpsAgent: ca === undefined ? undefined : new Agent({ ca }),
  })
  // The library's own interceptors wait and retry, which can't be stopped, and lose the cause of an error.
  interceptors.request.clear()
  interceptors.response.clear()
  interceptors.response.use(response => {
    const { status, data, headers } = response
    // The library repeats a request whose nonce was refused.
    if (status < STATUS.malformed || isBadNonce(data)) return response
    throw new AcmeError([refusalOf(status, data)], retryAfterOf(headers['retry-after']))
  })
  const client = new Client({ directoryUrl: directory, accountKey })
  // The library (5.4.0) repeats a request five times, and has no option for it. A busy authority may refuse more nonces.
  Object.assign((client as unknown as { readonly http: object }).http, { maxBadNonceRetries: MAX_NONCES })
  return { client, crypto }
}

/** Describes a refusal, even if the authority doesn't. */
function refusalOf(status: number, data: unknown): AcmeProblem {
  const { type, detail } = parseProblem(data)
  return {
    type: type === UNKNOWN ? typeOfStatus(status) : type,
    detail: detail === '' ? `HTTP status ${status}` : detail,
  }
}

function typeOfStatus(status: number): string {
  if (status === STATUS.throttled) return 'rateLimited'
  return status >= STATUS.internal ? 'serverInternal' : UNKNOWN
}

const isBadNonce = (data: unknown) => parseProblem(data).type === 'badNonce'
