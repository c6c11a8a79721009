import { networkOf } from '../../base/address.ts'
import { Problem } from '../../base/problem.ts'

const MEBIBYTE = 2 ** 20
/** Bytes of different bodies that may be on their way to clients at once. */
const TOTAL = 64 * MEBIBYTE
/** Bytes of them that may be on their way to one network: one client never takes all the room. */
const NETWORK_SHARE = TOTAL / 2
/** Bytes: a smaller body is not counted, since a connection takes as much anyway. */
const WORTH_COUNTING = 16 * 1024
/** Readers of one body, after which it is worth looking which of them are done. */
const FEW_READERS = 64
const RETRY_AFTER = 2

/** A request whose answer is being sent. */
export interface Reader {
  readonly request: Request
  readonly clientAddress: string
}

/** A body that is being sent. It is held here for as long, and counted once for all who read it. */
interface Sent {
  readonly size: number
  readers: Reader[]
  lookAt: number
}

/** Bounds the memory of bodies that clients asked for and are slow to read, or never do. */
export class UnreadBodies {
  private readonly sent = new Map<object, Sent>()
  /** At least as many bytes as there are: some of the bodies may have been read meanwhile. */
  private size = 0

  /** @param isOpen tells whether a request is still being answered */
  constructor(
    private readonly isOpen: (request: Request) => boolean,
    private readonly total = TOTAL,
    private readonly share = NETWORK_SHARE,
  ) {}

  /**
   * Counts a body that is about to be sent.
   * @param body what readers share: one that is sent already takes no more memory
   * @param isCached whether the body is there anyway, so that it takes no more memory either
   * @throws Problem 'busy' if too much waits to be read, by everybody or by this network
   */
  add(reader: Reader, body: object, size: number, isCached: boolean): void {
    if (size < WORTH_COUNTING) return
    const known = this.sent.get(body)
    if (known) return this.addReader(known, reader)
    if (this.size + size > this.share) {
      this.forgetRead()
      if (!isCached) this.requireRoom(reader, size)
    }
    this.sent.set(body, { size, readers: [reader], lookAt: FEW_READERS })
    this.size += size
  }

  private addReader(sent: Sent, reader: Reader) {
    sent.readers.push(reader)
    if (sent.readers.length < sent.lookAt) return
    this.forgetReaders(sent)
    sent.lookAt = Math.max(FEW_READERS, 2 * sent.readers.length)
  }

  private forgetReaders(sent: Sent) {
    sent.readers = sent.readers.filter(({ request }) => this.isOpen(request))
  }

  /** Forgets the bodies that nobody reads any more. */
  private forgetRead() {
    for (const [body, sent] of this.sent) {
      this.forgetReaders(sent)
      if (sent.readers.length > 0) continue
      this.sent.delete(body)
      this.size -= sent.size
    }
  }

  /** Refuses what is too much. A body that is too large by itself may be sent while nothing else is. */
  private requireRoom({ clientAddress }: Reader, size: number) {
    const isOver = (taken: number, allowed: number) => taken > 0 && taken + size > allowed
    if (isOver(this.size, this.total) || isOver(this.takenBy(networkOf(clientAddress)), this.share))
      throw new Problem('busy', 'Too many large answers are being sent. Please try again.', {
        retryAfter: RETRY_AFTER,
      })
  }

  private takenBy(network: string): number {
    let taken = 0
    for (const { size, readers } of this.sent.values())
      if (readers.some(({ clientAddress }) => networkOf(clientAddress) === network)) taken += size
    return taken
  }
}
