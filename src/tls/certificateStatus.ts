/** The state of the board's own certificate, as its health shows it. */
export class CertificateStatus {
  /** In milliseconds since 1970; undefined if there is no certificate. */
  expiresAt: number | undefined
  /** Why there is no certificate, or why the next one isn't used, in sentences. */
  problem: string | undefined
}
