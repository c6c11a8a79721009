import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Account } from '../base/caller.ts'
import { type Clock, DAY } from '../base/clock.ts'
import type { UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

const MAX_ACCOUNTS = 10_000
/** The sign-ins stored for one account: more than people need, and few enough to search at each request. */
const MAX_SIGN_INS = 20

/** When a password was verified from a network. */
interface SignIn {
  /** The keyed hash of network and password. */
  readonly digest: string
  readonly moment: number
}

/** The sign-ins of an account, which are valid as long as its epoch stays the same. */
interface Entry {
  readonly userId: number
  readonly epoch: number
  /** The oldest first. */
  readonly signIns: readonly SignIn[]
}

/** Credentials that were verified within the last 24 hours, with the network that they came from. */
export class VerifiedCredentials {
  private readonly key = randomBytes(32)
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_ACCOUNTS })

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the account that these credentials were verified for. Returns undefined if they were not, or only from another
   * network: otherwise anyone could try passwords here, without a hash and without counting failures.
   * @param email the address, folded for comparison
   */
  find(email: string, network: string, password: string): Account | undefined {
    const entry = this.entries.get(email)
    if (!entry) return undefined
    const user = this.store.read.users.get(entry.userId)
    if (user?.epoch !== entry.epoch) {
      this.entries.delete(email)
      return undefined
    }
    const digest = this.digest(network, password)
    const signIn = entry.signIns.find(known => known.digest === digest)
    return signIn && this.isRecent(signIn.moment) ? accountOf(user) : undefined
  }

  add(email: string, network: string, password: string, { id, epoch }: UserRow): void {
    const digest = this.digest(network, password)
    const known = this.entries.get(email)
    const others = known?.userId === id && known.epoch === epoch ? known.signIns : []
    const signIns = [...others.filter(other => other.digest !== digest), { digest, moment: this.clock() }]
    this.entries.set(email, { userId: id, epoch, signIns: signIns.slice(-MAX_SIGN_INS) })
  }

  /** Hashes a network and a password with a key of this process, so that the pair can be stored. */
  digest(network: string, password: string): string {
    return new Bun.CryptoHasher('sha256', this.key).update(`${network} ${password}`).digest('base64')
  }

  private isRecent(moment: number): boolean {
    const age = this.clock() - moment
    // A moment ahead of now dates from before the clock was set back.
    return age >= 0 && age < DAY
  }
}

export const accountOf = ({ id, role, epoch }: UserRow): Account => ({ userId: id, role, epoch })
