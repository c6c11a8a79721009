import { randomBytes } from 'node:crypto'
import type { Account } from '../base/caller.ts'
import { type Clock, DAY } from '../base/clock.ts'
import { LruMap } from '../base/lruMap.ts'
import type { UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

const ACCOUNTS_AT_MOST = 10_000
/** Pairs of network and password of one account: more than people have, fewer than would crowd out the others. */
const PLACES_AT_MOST = 20

/** What is remembered of an account, for as long as its epoch is the same. */
interface Entry {
  readonly userId: number
  readonly epoch: number
  /** When a password was verified from a network, by the keyed hash of both. */
  readonly moments: LruMap<string, number>
}

/** Credentials that were verified within the last 24 hours, by the network that they came from. */
export class VerifiedCredentials {
  private readonly key = randomBytes(32)
  private readonly entries = new LruMap<string, Entry>(ACCOUNTS_AT_MOST)

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * The account that these credentials were verified for; undefined if they were not, or for another network. Anybody
   * else could try passwords here, which costs no hash and counts no failure.
   * @param email in the form in which addresses are compared
   */
  find(email: string, network: string, password: string): Account | undefined {
    const entry = this.entries.get(email)
    if (!entry) return undefined
    const user = this.store.read.users.get(entry.userId)
    if (user?.epoch !== entry.epoch) {
      this.entries.delete(email)
      return undefined
    }
    const moment = entry.moments.get(this.digest(network, password))
    return moment !== undefined && this.isRecent(moment) ? accountOf(user) : undefined
  }

  add(email: string, network: string, password: string, { id, epoch }: UserRow): void {
    const known = this.entries.get(email)
    const entry =
      known?.userId === id && known.epoch === epoch
        ? known
        : { userId: id, epoch, moments: new LruMap<string, number>(PLACES_AT_MOST) }
    entry.moments.set(this.digest(network, password), this.clock())
    this.entries.set(email, entry)
  }

  /** Names a pair of network and password to those who can't be told the password. */
  digest(network: string, password: string): string {
    return new Bun.CryptoHasher('sha256', this.key).update(`${network} ${password}`).digest('base64')
  }

  private isRecent(moment: number): boolean {
    const age = this.clock() - moment
    // one ahead of now dates from before the clock was set back
    return age >= 0 && age < DAY
  }
}

export const accountOf = ({ id, role, epoch }: UserRow): Account => ({ userId: id, role, epoch })
