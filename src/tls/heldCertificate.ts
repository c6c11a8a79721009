import { X509Certificate } from 'node:crypto'
import { type KeyPair, namesOf, type Validity, validityOf } from './keyPair.ts'
import type { RenewalInfo } from './renewalInfo.ts'
import type { StoredCertificate } from './tlsFolder.ts'

/** The part of its lifetime after which a certificate is renewed. */
const RENEWAL = 2 / 3

/** The certificate that the board has, with the time of its renewal. */
export class HeldCertificate implements KeyPair {
  readonly cert: string
  readonly key: string
  readonly validity: Validity
  /** When it is due to be renewed, in milliseconds since 1970. */
  renewAt: number
  /** The authority's name for it; undefined if it has none. */
  renewalId: string | undefined
  /** Which moment of the authority's period is chosen. Otherwise all boards would come at its beginning. */
  private readonly share = Math.random()

  constructor(private readonly stored: StoredCertificate) {
    this.cert = stored.cert
    this.key = stored.key
    this.validity = validityOf(stored.cert)
    this.renewAt = this.latestRenewal
  }

  private get latestRenewal(): number {
    const { from, until } = this.validity
    return from + RENEWAL * (until - from)
  }

  /** Returns whether it is valid for a name. */
  isFor(name: string): boolean {
    return new X509Certificate(this.cert).checkHost(name) !== undefined
  }

  /** Returns whether it comes from this authority, and has exactly these names. */
  isFrom(authority: string, names: readonly string[]): boolean {
    return (
      this.stored.authority === authority && namesOf(this.cert).sort().join() === [...names].sort().join()
    )
  }

  /** Renews earlier if the authority wants it. */
  follow(info: RenewalInfo | undefined): void {
    if (!info) return
    this.renewalId = info.id
    const chosen = info.from + this.share * (info.until - info.from)
    this.renewAt = Math.min(chosen, this.latestRenewal)
  }
}
