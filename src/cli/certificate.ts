import type { Board } from '../board.ts'
import { DomainListener } from '../server/domainListener.ts'
import { CertificateFiles } from '../tls/certificateFiles.ts'
import { CertificateRenewal } from '../tls/renewal.ts'
import { TlsFolder } from '../tls/tlsFolder.ts'
import type { BoardListener } from './boardListener.ts'

/** Where the certificate of a board comes from. */
export interface CertificateSource {
  start(): void | Promise<void>
  /** Looks for a new certificate now. */
  check(): Promise<void>
  close(): void | Promise<void>
}

/** Creates the source of new certificates; undefined without HTTPS. */
export function createCertificateSource(
  board: Board,
  listener: BoardListener,
): CertificateSource | undefined {
  const { config, clock, log, certificate: status } = board
  const { tlsCert: cert, tlsKey: key, domain: names, acmeEmail: email, acmeDirectory, acmeCa, data } = config
  const use: BoardListener['useCertificate'] = pair => listener.useCertificate(pair)
  if (cert && key) return new CertificateFiles({ cert, key, clock, log, status, use })
  if (!names || !(listener instanceof DomainListener)) return undefined
  listener.status = status
  const authority = { directory: acmeDirectory, ca: acmeCa?.text }
  const folder = new TlsFolder(data)
  const { challenges } = listener
  return new CertificateRenewal({ names, email, authority, folder, clock, log, status, challenges, use })
}
