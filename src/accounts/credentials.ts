import { networkOf } from '../base/address.ts'
import { type Account, ANONYMOUS, type Caller } from '../base/caller.ts'
import type { Clock } from '../base/clock.ts'
import { isPossiblePassword } from '../base/password.ts'
import { Problem, unauthenticated } from '../base/problem.ts'
import type { Store } from '../store/store.ts'
import { foldName } from '../store/tables.ts'
import { MAX_EMAIL_LENGTH } from '../validation/textFields.ts'
import type { AccessTokens } from './accessTokens.ts'
import { type BasicCredentials, parseBasic } from './basic.ts'
import { FailureLimit } from './failureLimit.ts'
import type { Passwords } from './passwords.ts'
import { findUser } from './users.ts'
import { accountOf, VerifiedCredentials } from './verifiedCredentials.ts'

const BEARER = /^bearer +(cbt_\S*) *$/i

const invalidToken = () =>
  new Problem('unauthenticated', 'This token is invalid, has expired or was deleted.')

interface Attempt {
  /** The address, folded for comparison. */
  readonly email: string
  readonly password: string
  readonly network: string
}

/** Identifies callers by their credentials. Verified credentials are cached for a while, failed ones are not. */
export class Credentials {
  private readonly verified: VerifiedCredentials
  private readonly failures: FailureLimit
  private readonly inProgress = new Map<string, Promise<Account | undefined>>()

  constructor(
    private readonly store: Store,
    private readonly passwords: Passwords,
    private readonly accessTokens: AccessTokens,
    clock: Clock,
  ) {
    this.verified = new VerifiedCredentials(store, clock)
    this.failures = new FailureLimit(clock)
  }

  /**
   * Returns the caller that an `Authorization` header names, without a promise if there is nothing to hash.
   * @param address returns the client's address; called only if there are credentials
   * @throws Problem 'unauthenticated', 'throttled', 'busy'
   */
  identify(header: string | null, address: () => string): Caller | Promise<Caller> {
    if (header === null) return ANONYMOUS
    const token = BEARER.exec(header)?.[1]
    if (token !== undefined) return this.accessTokens.find(token) ?? Promise.reject(invalidToken())
    const parsed = parseBasic(header)
    // Another scheme or a malformed header is refused, but is no attempt to sign in.
    if (!parsed) return Promise.reject(unauthenticated())
    return this.verifyPassword(parsed, address())
  }

  /**
   * Returns the account of an address and its password.
   * @param address the client's address
   * @throws Problem 'unauthenticated', 'throttled', 'busy'
   */
  verifyPassword({ email: given, password }: BasicCredentials, address: string): Account | Promise<Account> {
    const email = foldName(given)
    const network = networkOf(address)
    return this.verified.find(email, network, password) ?? this.verifyOnce({ email, password, network })
  }

  /** Verifies credentials once for all requests that send them at the same time. */
  private async verifyOnce(attempt: Attempt): Promise<Account> {
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
    const { queue } = this.passwords
    this.failures.requireBelowLimit(network)
    const account = String(findUser(this.store.read, email)?.id ?? email.slice(0, MAX_EMAIL_LENGTH))
    return await queue.forAccount(account, network, async () => {
      const delay = this.failures.delay(account)
      if (delay > 0) await Bun.sleep(delay)
      return await queue.forNetwork(network, () => this.tryPassword(attempt, account))
    })
  }

  /** Verifies a password when its turn comes: after earlier failures are counted, and one at a time for a network. */
  private async tryPassword({ email, password, network }: Attempt, account: string) {
    this.failures.requireBelowLimit(network)
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
