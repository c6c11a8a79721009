import { retryAfterOf } from './retryAfter.ts'

/** When an authority wants a certificate to be renewed (RFC 9773). Times are in milliseconds since 1970. */
export interface RenewalInfo {
  /** The authority's name for the certificate. */
  readonly id: string
  readonly from: number
  readonly until: number
  /** In milliseconds, after which it wants to be asked again; undefined if it doesn't say. */
  readonly askAgainAfter: number | undefined
}

/** Parses an authority's answer about a certificate; undefined if it is invalid. */
export function parseRenewalInfo(id: string, answer: unknown, headers: Headers): RenewalInfo | undefined {
  const { suggestedWindow }: { suggestedWindow?: unknown } =
    typeof answer === 'object' && answer !== null ? answer : {}
  const { start, end }: { start?: unknown; end?: unknown } =
    typeof suggestedWindow === 'object' && suggestedWindow !== null ? suggestedWindow : {}
  const [from, until] = [Date.parse(String(start)), Date.parse(String(end))]
  return from <= until
    ? { id, from, until, askAgainAfter: retryAfterOf(headers.get('retry-after')) }
    : undefined
}

/**
 * Returns the name that an authority has for a certificate: its issuer's key and its serial number.
 * @param cert as PEM
 * @returns undefined if the certificate doesn't name the key of its issuer
 */
export async function renewalIdOf(cert: string): Promise<string | undefined> {
  const { AuthorityKeyIdentifierExtension, X509Certificate } = await import('@peculiar/x509')
  const certificate = new X509Certificate(cert)
  const issuer = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId
  return issuer === undefined
    ? undefined
    : `${base64url(issuer)}.${base64url(asInteger(certificate.serialNumber))}`
}

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

/** Adds the byte with which DER keeps a number positive. */
const asInteger = (hex: string) => (/^[89a-f]/i.test(hex) ? `00${hex}` : hex)
