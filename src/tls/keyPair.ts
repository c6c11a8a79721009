import { X509Certificate } from 'node:crypto'

/** A certificate with its chain, and its private key, both as PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** When a certificate is valid, in milliseconds since 1970. */
export interface Validity {
  readonly from: number
  readonly until: number
}

/** Returns when the first certificate in a PEM text is valid. @throws Error if it contains none */
export function validityOf(cert: string): Validity {
  const { validFrom, validTo } = new X509Certificate(cert)
  return { from: Date.parse(validFrom), until: Date.parse(validTo) }
}

/** Returns the domain names of the first certificate in a PEM text. @throws Error if it contains none */
export const namesOf = (cert: string): string[] =>
  (new X509Certificate(cert).subjectAltName ?? '')
    .split(', ')
    .filter(name => name.startsWith(DNS))
    .map(name => name.slice(DNS.length))

const DNS = 'DNS:'
