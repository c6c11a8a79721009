import type { AuthorityAddress } from './acmeClient.ts'
import { REQUEST_TIMEOUT } from './acmeClient.ts'
import { parseRenewalInfo, renewalIdOf, type RenewalInfo } from './renewalInfo.ts'

/** What an authority says about the present. */
export interface Consultation {
  /** Its time, in milliseconds since 1970; undefined if it doesn't say. */
  readonly time: number | undefined
  /** When it wants a certificate to be renewed; undefined if it doesn't say. */
  readonly renewal: RenewalInfo | undefined
}

/**
 * Asks an authority for its time and, if it has an opinion (RFC 9773), when a certificate should be renewed.
 * @param cert as PEM
 * @throws the error of a connection, or an error if this isn't an authority
 */
export async function consult(
  address: AuthorityAddress,
  cert: string | undefined,
  signal: AbortSignal,
): Promise<Consultation> {
  const response = await request(address.directory, address, signal)
  const directory = await readObject(response)
  if (!response.ok || typeof directory?.['newOrder'] !== 'string')
    throw new Error(
      `${address.directory} isn't the directory of an ACME authority (HTTP status ${response.status})`,
    )
  const time = Date.parse(response.headers.get('date') ?? '')
  const { renewalInfo } = directory
  return {
    time: Number.isNaN(time) ? undefined : time,
    renewal:
      typeof renewalInfo === 'string' && cert !== undefined
        ? await readRenewalInfo(renewalInfo, address, cert, signal)
        : undefined,
  }
}

/** A renewal time is only advice, so that it doesn't matter if it can't be had. */
async function readRenewalInfo(url: string, address: AuthorityAddress, cert: string, signal: AbortSignal) {
  const id = await renewalIdOf(cert)
  if (id === undefined) return undefined
  const response = await request(`${url.replace(/\/$/, '')}/${id}`, address, signal).catch(() => undefined)
  return response?.ok ? parseRenewalInfo(id, await readObject(response), response.headers) : undefined
}

const request = (url: string, { ca }: AuthorityAddress, signal: AbortSignal) =>
  fetch(url, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)]),
    ...(ca !== undefined && { tls: { ca } }),
  })

async function readObject(response: Response): Promise<Record<string, unknown> | undefined> {
  const value: unknown = await response.json().catch(() => undefined)
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}
