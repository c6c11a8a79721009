import { availableParallelism } from 'node:os'
import { Turns } from '../base/turns.ts'

/** OWASP's least for argon2id; 20 ms where Bun's default takes 90, and 64 MiB. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const WAITING_AT_MOST = 32
/** In seconds. */
const RETRY_AFTER = 2

/** Hashes and verifies passwords off the event loop, as many at a time as there are cores. */
export class Passwords {
  private readonly turns = new Turns(
    availableParallelism(),
    WAITING_AT_MOST,
    'Too many are signing in just now. Please try again.',
    RETRY_AFTER,
  )
  private readonly decoy = this.hash(crypto.randomUUID())

  /**
   * An argon2id hash in PHC form.
   * @throws Problem 'busy' if too many wait already
   */
  hash(password: string): Promise<string> {
    return this.turns.take(() => Bun.password.hash(password, ARGON2ID))
  }

  /**
   * Whether the password is the one that was hashed. Takes as long where there is no hash, so that nobody can tell by
   * the time whether an account exists.
   * @throws Problem 'busy' if too many wait already
   */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const against = hash ?? (await this.decoy)
    const right = await this.turns.take(() => Bun.password.verify(password, against))
    return right && hash !== undefined
  }
}
