/** The state of the board's own certificate, as its health shows it. Times are in milliseconds since 1970. */
export class CertificateStatus {
  /** Undefined if there is no certificate. */
  expiresAt: number | undefined
  /** Why there is no certificate, or why the next one isn't used, in sentences. */
  problem: string | undefined
  /** When the board tries to get a certificate again, if the last attempt failed. */
  retryAt: number | undefined
}
