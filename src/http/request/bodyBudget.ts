import { networkOf } from '../../base/address.ts'
import { SECOND } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'

const MEBIBYTE = 2 ** 20
/** Bytes that all request bodies under way may take together. */
const TOTAL = 64 * MEBIBYTE
/** Bytes that those from one network may take: one client never takes all the room. */
const NETWORK_SHARE = TOTAL / 2
/** Requests that may wait for room. The server takes in about 1.6 MB of each before it stops reading (Bun 1.4.5). */
const MOST_WAITING = 32
/** Milliseconds that a request waits for room before it is refused: less than a silent connection is kept open. */
const LONGEST_WAIT = 20 * SECOND
const RETRY_AFTER = 5

interface Waiting {
  readonly network: string
  readonly size: number
  readonly admit: () => void
}

/** Bounds the memory that request bodies take: each reserves its size before it is read, and waits until there is room. */
export class BodyBudget {
  private taken = 0
  private readonly byNetwork = new Map<string, number>()
  private readonly waiting = new Set<Waiting>()

  constructor(
    private readonly total = TOTAL,
    private readonly share = NETWORK_SHARE,
    private readonly longestWait = LONGEST_WAIT,
  ) {}

  /** The bytes that are reserved now. */
  get reserved(): number {
    return this.taken
  }

  /**
   * Reserves room for a body, and returns the function that gives it back.
   * @param size the bytes of the body, or the most that it may have
   * @param signal aborts when the client hangs up
   * @throws Problem 'busy' if too many wait already, or there is no room for too long
   */
  async reserve(address: string, size: number, signal: AbortSignal): Promise<() => void> {
    const network = networkOf(address)
    if (!this.fits(network, size)) await this.waitForRoom(network, size, signal)
    else this.take(network, size)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.take(network, -size)
      this.admitWaiting()
    }
  }

  private fits(network: string, size: number): boolean {
    const ofNetwork = this.byNetwork.get(network) ?? 0
    return this.taken + size <= this.total && ofNetwork + size <= this.share
  }

  private take(network: string, size: number) {
    this.taken += size
    const ofNetwork = (this.byNetwork.get(network) ?? 0) + size
    if (ofNetwork > 0) this.byNetwork.set(network, ofNetwork)
    else this.byNetwork.delete(network)
  }

  private async waitForRoom(network: string, size: number, signal: AbortSignal) {
    if (this.waiting.size >= MOST_WAITING) throw busy()
    const room = Promise.withResolvers<void>()
    const waiting: Waiting = { network, size, admit: room.resolve }
    const giveUp = () => {
      if (this.waiting.delete(waiting)) room.reject(busy())
    }
    this.waiting.add(waiting)
    signal.addEventListener('abort', giveUp)
    const timer = setTimeout(giveUp, this.longestWait)
    timer.unref()
    await room.promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    })
  }

  /** Admits those that fit now, in the order in which they came; one that does not fit holds up nobody else. */
  private admitWaiting() {
    for (const waiting of this.waiting) {
      const { network, size, admit } = waiting
      if (!this.fits(network, size)) continue
      this.waiting.delete(waiting)
      this.take(network, size)
      admit()
    }
  }
}

const busy = () =>
  new Problem('busy', 'Too many uploads are in progress. Please try again.', { retryAfter: RETRY_AFTER })
