import { DAY } from '../../base/clock.ts'
import type { Board } from '../../board.ts'

/** In days before its end. By then, a certificate should have been renewed. */
const WARNING = 7

/** The board's own certificate, as administrators see it. */
export interface CertificateHealth {
  /** The whole days until it expires, negative after that; null if the board has none. */
  readonly certificate_days: number | null
  readonly certificate_problem: string | null
}

/** Returns the state of a board's own certificate. */
export function certificateHealth({ certificate, clock }: Board): CertificateHealth {
  const { expiresAt, problem } = certificate
  return {
    certificate_days: expiresAt === undefined ? null : Math.floor((expiresAt - clock()) / DAY),
    certificate_problem: problem ?? null,
  }
}

/** Returns what is wrong with a board's own certificate, in a few words; undefined if it is fine. */
export function certificateWarning(board: Board): string | undefined {
  const { certificate_days: days, certificate_problem: problem } = certificateHealth(board)
  if (days === null) return problem === null ? undefined : 'There is no HTTPS certificate yet'
  if (days < 0) return 'The HTTPS certificate has expired'
  if (days < WARNING) return `The HTTPS certificate expires in ${days} ${days === 1 ? 'day' : 'days'}`
  return problem === null ? undefined : "The HTTPS certificate can't be renewed"
}
