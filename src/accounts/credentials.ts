import { createHmac, randomBytes } from 'node:crypto'
import { type Caller, nobody } from '../base/caller.ts'
import { type Clock, MINUTE } from '../base/clock.ts'
import { fitsHashing } from '../base/password.ts'
import { Problem } from '../base/problem.ts'
import type { Store } from '../store/store.ts'
import { parseBasic } from './basic.ts'
import { FailureLimit } from './failures.ts'
import type { Passwords } from './passwords.ts'
import { findUser } from './users.ts'

const REMEMBERED_FOR = 5 * MINUTE
const REMEMBERED_AT_MOST = 1000

interface Verified {
  readonly userId: number
  readonly epoch: number
  readonly until: number
}

/** Tells whose credentials these are. What was verified once is remembered for a while; what failed is not. */
export class Credentials {
  private readonly key = randomBytes(32)
  private readonly verified = new Map<string, Verified>()
  private readonly underWay = new Map<string, Promise<Caller | undefined>>()
  private readonly failures: FailureLimit

  constructor(
    private readonly store: Store,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
  ) {
    this.failures = new FailureLimit(clock)
  }

  /**
   * The caller that an `Authorization` header names. Answers at once where there is nothing to hash.
   * @param address gives the client's address, asked only where a password must be hashed
   * @throws Problem 'unauthenticated', 'throttled', 'busy'
   */
  identify(header: string | null, address: () => string): Caller | Promise<Caller> {
    if (header === null) return nobody
    const key = createHmac('sha256', this.key).update(header).digest('base64')
    return this.recall(key) ?? this.verifyOnce(key, header, address())
  }

  private recall(key: string): Caller | undefined {
    const known = this.verified.get(key)
    if (!known) return undefined
    const user = this.store.read.users.get(known.userId)
    if (user?.epoch === known.epoch && this.clock() < known.until) return { userId: user.id, role: user.role }
    this.verified.delete(key)
    return undefined
  }

  /** Many requests that bring the same credentials at once are one verification. */
  private async verifyOnce(key: string, header: string, address: string): Promise<Caller> {
    let result = this.underWay.get(key)
    if (!result) {
      result = this.failures.count(address, () => this.verify(key, header))
      this.underWay.set(key, result)
      const done = () => this.underWay.delete(key)
      result.then(done, done)
    }
    const caller = await result
    if (!caller) throw new Problem('unauthenticated', 'Invalid Email or password.')
    return caller
  }

  private async verify(key: string, header: string): Promise<Caller | undefined> {
    const sent = parseBasic(header)
    if (!sent || !fitsHashing(sent.password)) return undefined
    const user = findUser(this.store.read, sent.email)
    if (!(await this.passwords.verify(sent.password, user?.passwordHash)) || !user) return undefined
    this.remember(key, { userId: user.id, epoch: user.epoch, until: this.clock() + REMEMBERED_FOR })
    return { userId: user.id, role: user.role }
  }

  private remember(key: string, verified: Verified) {
    this.verified.delete(key)
    this.verified.set(key, verified)
    if (this.verified.size <= REMEMBERED_AT_MOST) return
    const [oldest] = this.verified.keys()
    if (oldest !== undefined) this.verified.delete(oldest)
  }
}
