import { networkOf } from '../base/address.ts'
import { HashQueue } from './hashQueue.ts'

/** OWASP's least for argon2id; 20 ms where Bun's default takes 90, and 64 MiB. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Hashes a password at once, off the event loop: an argon2id hash in PHC form. */
export const hashPassword = (password: string) => Bun.password.hash(password, ARGON2ID)

/** Whose request has a password hashed. */
export interface Requester {
  /** The client's address. */
  readonly address: string
  /** The account that asks, or on whose behalf a token asks; undefined if there is none yet. */
  readonly userId: number | undefined
}

/** Hashes and verifies passwords as their turns come. */
export class Passwords {
  readonly queue = new HashQueue()
  private readonly decoy = hashPassword(crypto.randomUUID())

  /**
   * Hashes a password that was chosen in a request.
   * @throws Problem 'busy' if too many wait already
   */
  hash(password: string, { address, userId }: Requester): Promise<string> {
    const network = networkOf(address)
    const hash = () =>
      this.queue.forNetwork(network, () =>
        this.queue.forProcessor(() => hashPassword(password), userId === undefined),
      )
    return userId === undefined ? hash() : this.queue.forAccount(String(userId), network, hash)
  }

  /**
   * Whether the password is the one that was hashed. Takes as long where there is no hash, so that nobody can tell by
   * the time whether an account exists.
   * @throws Problem 'busy' if too many wait already
   */
  async verify(password: string, hash: string | undefined, isSuspect: boolean): Promise<boolean> {
    const against = hash ?? (await this.decoy)
    const right = await this.queue.forProcessor(() => Bun.password.verify(password, against), isSuspect)
    return right && hash !== undefined
  }
}
