import { availableParallelism } from 'node:os'

import { Problem } from '../base/problem.ts'
import { codePoints, hasNul } from '../base/text.ts'

export const PASSWORD_LENGTH = 8
export const PASSWORD_BYTES = 256

/** OWASP's least for argon2id; 20 ms where Bun's default takes 90 and 64 MiB. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const WAITING_AT_MOST = 32
/** Seconds in which a full queue has surely moved on. */
const RETRY_AFTER = 2

/** What is wrong with a password that somebody chose, or undefined. */
export function passwordFault(password: unknown): string | undefined {
  if (password === undefined || password === null || password === '') return 'is required'
  if (typeof password !== 'string') return 'must be text'
  if (hasNul(password) || !password.isWellFormed()) return 'has a character that no keyboard can type'
  if (codePoints(password) < PASSWORD_LENGTH) return `must have at least ${PASSWORD_LENGTH} characters`
  return fitsHashing(password) ? undefined : `may have at most ${PASSWORD_BYTES} bytes`
}

/** Whether a password is of a size that could have been stored, so that a longer one need not be hashed to fail. */
export const fitsHashing = (password: string) => password !== '' && Buffer.byteLength(password) <= PASSWORD_BYTES

/** Hashes and verifies passwords off the event loop, as many at a time as there are cores. */
export class Passwords {
  private free = availableParallelism()
  private readonly waiting: (() => void)[] = []
  private readonly decoy = this.hash(crypto.randomUUID())

  /**
   * An argon2id hash in PHC form.
   * @throws Problem 'busy' if too many wait already
   */
  hash(password: string): Promise<string> {
    return this.inTurn(() => Bun.password.hash(password, ARGON2ID))
  }

  /**
   * Whether the password is the one that was hashed. Takes as long where there is no hash, so that nobody can tell by
   * the time whether an account exists.
   * @throws Problem 'busy' if too many wait already
   */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const against = hash ?? (await this.decoy)
    const right = await this.inTurn(() => Bun.password.verify(password, against))
    return right && hash !== undefined
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await this.place()
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }

  private place(): Promise<void> {
    if (this.waiting.length >= WAITING_AT_MOST)
      throw new Problem('busy', 'Too many are signing in just now. Please try again.', { retryAfter: RETRY_AFTER })
    return new Promise(resolve => this.waiting.push(resolve))
  }
}
