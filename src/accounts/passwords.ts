import { networkOf } from '../base/address.ts'
import { lazy } from '../base/lazy.ts'
import { HashQueue } from './hashQueue.ts'

/** The least that OWASP recommends for argon2id. It takes 20 ms; Bun's default takes 90 ms and 64 MiB. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Hashes a password with argon2id, in PHC form, without waiting for a turn. Runs off the event loop. */
export const hashPassword = (password: string) => Bun.password.hash(password, ARGON2ID)

/** The hash of an unknown password. */
const decoyHash = lazy(() => hashPassword(crypto.randomUUID()))

/** The sender of a request for which a password is hashed. */
interface Requester {
  /** The client's address. */
  readonly address: string
  /** The account that the request or its token belongs to; undefined if there is none yet. */
  readonly userId: number | undefined
}

/** Hashes and verifies passwords, each when its turn comes. */
export class Passwords {
  readonly queue = new HashQueue()
  private readonly decoy = decoyHash()

  /**
   * Hashes a new password.
   * @throws Problem 'busy' if too many are waiting
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
   * Returns whether a password matches a hash. Without a hash it takes as long, so that the time doesn't reveal whether an
   * account exists.
   * @throws Problem 'busy' if too many are waiting
   */
  async verify(password: string, hash: string | undefined, isSuspect: boolean): Promise<boolean> {
    const against = hash ?? (await this.decoy)
    const isRight = await this.queue.forProcessor(() => Bun.password.verify(password, against), isSuspect)
    return isRight && hash !== undefined
  }
}
