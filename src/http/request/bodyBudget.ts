import { networkOf } from '../../base/address.ts'
import { SECOND } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'

const MEBIBYTE = 2 ** 20
/** In bytes, the memory for all request bodies together. */
const TOTAL = 64 * MEBIBYTE
/** In bytes, the memory for the bodies from one network, so that one client can't use all of it. */
const NETWORK_SHARE = TOTAL / 2
/** The number of requests that may wait. The server buffers about 1.6 MB of each before it stops reading (Bun 1.4.5). */
const MAX_WAITING = 32
/** In milliseconds, how long a request may wait before it is refused. An idle connection is closed only after that. */
const MAX_WAIT = 20 * SECOND
const RETRY_AFTER = 5

interface Waiting {
  readonly network: string
  readonly size: number
  readonly admit: () => void
}

/** Limits the memory for request bodies. Each reserves its size before it is read, and waits until there is room. */
export class BodyBudget {
  private reservedTotal = 0
  private readonly byNetwork = new Map<string, number>()
  private readonly waiting = new Set<Waiting>()

  constructor(
    private readonly total = TOTAL,
    private readonly share = NETWORK_SHARE,
    private readonly maxWait = MAX_WAIT,
  ) {}

  /** The number of bytes that are reserved now. */
  get reserved(): number {
    return this.reservedTotal
  }

  /**
   * Reserves memory for a body, and returns the function that releases it.
   * @param size the size of the body in bytes, or its maximum if that is unknown
   * @param signal aborts when the client disconnects
   * @throws Problem 'busy' if too many requests are waiting, or this one has waited too long
   */
  async reserve(address: string, size: number, signal: AbortSignal): Promise<() => void> {
    const network = networkOf(address)
    if (!this.fits(network, size)) await this.waitForRoom(network, size, signal)
    else this.take(network, size)
    let isReserved = true
    return () => {
      if (!isReserved) return
      isReserved = false
      this.take(network, -size)
      this.admitWaiting()
    }
  }

  private fits(network: string, size: number): boolean {
    const ofNetwork = this.byNetwork.get(network) ?? 0
    return this.reservedTotal + size <= this.total && ofNetwork + size <= this.share
  }

  private take(network: string, size: number) {
    this.reservedTotal += size
    const ofNetwork = (this.byNetwork.get(network) ?? 0) + size
    if (ofNetwork > 0) this.byNetwork.set(network, ofNetwork)
    else this.byNetwork.delete(network)
  }

  private async waitForRoom(network: string, size: number, signal: AbortSignal) {
    if (this.waiting.size >= MAX_WAITING) throw busy()
    const room = Promise.withResolvers<void>()
    const waiting: Waiting = { network, size, admit: room.resolve }
    const giveUp = () => {
      if (this.waiting.delete(waiting)) room.reject(busy())
    }
    this.waiting.add(waiting)
    signal.addEventListener('abort', giveUp)
    const timer = setTimeout(giveUp, this.maxWait)
    timer.unref()
    await room.promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    })
  }

  /** Admits the requests that fit now, in order of arrival. One that doesn't fit doesn't block the others. */
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
