import { networkOf } from '../base/address.ts'
import { type Account, ANONYMOUS, type Caller } from '../base/caller.ts'
import type { Clock } from '../base/clock.ts'
import { isPossiblePassword } from '../base/password.ts'
import { unauthenticated } from '../base/problem.ts'
import type { Store } from '../store/store.ts'
import { foldName } from '../store/tables.ts'
import { parseBasic } from './basic.ts'
import { FailureLimit } from './failureLimit.ts'
import type { Passwords } from './passwords.ts'
import { findUser } from './users.ts'
import { accountOf, VerifiedCredentials } from './verifiedCredentials.ts'

/** No account has a longer address, and what is counted by address should not take more memory. */
const MAX_KEY_LENGTH = 254

interface Attempt {
  /** In the form in which addresses are compared. */
  readonly email: string
  readonly password: string
  readonly network: string
}

/** Tells whose credentials these are. What was verified once is remembered for a while; what failed is not. */
export class Credentials {
  private readonly verified: VerifiedCredentials
  private readonly failures: FailureLimit
  private readonly inProgress = new Map<string, Promise<Account | undefined>>()

  constructor(
    private readonly store: Store,
    private readonly passwords: Passwords,
    clock: Clock,
  ) {
    this.verified = new VerifiedCredentials(store, clock)
    this.failures = new FailureLimit(clock)
  }

  /**
   * The caller that an `Authorization` header names. Answers at once where there is nothing to hash.
   * @param address gives the client's address, asked only where there are credentials
   * @throws Problem 'unauthenticated', 'throttled', 'busy'
   */
  identify(header: string | null, address: () => string): Caller | Promise<Caller> {
    if (header === null) return ANONYMOUS
    const sent = parseBasic(header)
    // another scheme, or what can't be read, is wrong, but no attempt to sign in
    if (!sent) return Promise.reject(unauthenticated())
    const email = foldName(sent.email)
    const network = networkOf(address())
    return (
      this.verified.find(email, network, sent.password) ??
      this.verifyOnce({ email, password: sent.password, network })
    )
  }

  /** Many requests that bring the same credentials at once are one verification. */
  private async verifyOnce(attempt: Attempt): Promise<Caller> {
    const key = `${attempt.email} ${this.verified.digest(attempt.network, attempt.password)}`
    let result = this.inProgress.get(key)
    if (!result) {
      result = this.verify(attempt)
      this.inProgress.set(key, result)
      const done = () => this.inProgress.delete(key)
      result.then(done, done)
    }
    const account = await result
    if (!account) throw unauthenticated()
    return account
  }

  private async verify(attempt: Attempt): Promise<Account | undefined> {
    const { email, network } = attempt
    const { queue: turns } = this.passwords
    this.failures.requireFew(network)
    const account = String(findUser(this.store.read, email)?.id ?? email.slice(0, MAX_KEY_LENGTH))
    return await turns.forAccount(account, network, async () => {
      const delay = this.failures.delay(account)
      if (delay > 0) await Bun.sleep(delay)
      return await turns.forNetwork(network, () => this.tryPassword(attempt, account))
    })
  }

  /** Comes last in its turns: whatever failed before it was counted, and nothing else of its network is under way. */
  private async tryPassword({ email, password, network }: Attempt, account: string) {
    this.failures.requireFew(network)
    const user = findUser(this.store.read, email)
    const isSuspect = this.failures.isSuspect(network)
    const isRight =
      isPossiblePassword(password) && (await this.passwords.verify(password, user?.passwordHash, isSuspect))
    if (isRight && user) {
      this.verified.add(email, network, password, user)
      return accountOf(user)
    }
    this.failures.add(network, account)
    return undefined
  }
}
