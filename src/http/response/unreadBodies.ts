import { networkOf } from '../../base/address.ts'
import { Problem } from '../../base/problem.ts'

const MEBIBYTE = 2 ** 20
/** In bytes, the memory for all bodies that are being sent. */
const TOTAL = 64 * MEBIBYTE
/** In bytes, the memory for bodies that are being sent to one network, so that one client can't use all of it. */
const NETWORK_SHARE = TOTAL / 2
/** In bytes. Smaller bodies are not counted, because a connection uses as much memory anyway. */
const MIN_COUNTED_SIZE = 16 * 1024
/** The number of readers of one body up to which the finished ones are not removed. */
const FEW_READERS = 64
const RETRY_AFTER = 2

/** A request whose response is being sent. */
export interface Reader {
  readonly request: Request
  readonly clientAddress: string
  /** Whether the body is still being compressed, so that it is in memory even if the client is gone. */
  readonly isCompressing?: boolean
}

/** A body that is being sent. It is counted once, however many requests read it. */
interface UnreadBody {
  readonly size: number
  readers: Reader[]
  /** The number of readers at which the finished ones are removed next. */
  checkAt: number
}

/** Limits the memory for bodies that clients request and then read slowly, or never. */
export class UnreadBodies {
  private readonly bodies = new Map<object, UnreadBody>()
  /** In bytes. It may be too high, because some of the bodies may have been read in the meantime. */
  private size = 0

  /** @param isOpen returns whether the response to a request is still being sent */
  constructor(
    private readonly isOpen: (request: Request) => boolean,
    private readonly total = TOTAL,
    private readonly share = NETWORK_SHARE,
  ) {}

  /**
   * Counts a body that is about to be sent.
   * @param body the object that readers share; it is counted only once
   * @param isCached whether the body is in memory anyway, so that it is never refused
   * @throws Problem 'busy' if too many bytes are being sent, in total or to this network
   */
  add(reader: Reader, body: object, size: number, isCached: boolean): void {
    if (size < MIN_COUNTED_SIZE) return
    const unread = this.bodies.get(body)
    if (unread) return this.addReader(unread, reader)
    if (this.size + size > this.share) {
      this.removeFinished()
      if (!isCached) this.requireRoom(reader, size)
    }
    this.bodies.set(body, { size, readers: [reader], checkAt: FEW_READERS })
    this.size += size
  }

  /** No longer counts a body for a reader, who gets another form of it. */
  remove(reader: Reader, body: object): void {
    const unread = this.bodies.get(body)
    if (!unread) return
    unread.readers = unread.readers.filter(other => other !== reader)
    this.removeIfRead(body, unread)
  }

  private addReader(unread: UnreadBody, reader: Reader) {
    unread.readers.push(reader)
    if (unread.readers.length < unread.checkAt) return
    this.removeFinishedReaders(unread)
    unread.checkAt = Math.max(FEW_READERS, 2 * unread.readers.length)
  }

  private removeFinishedReaders(unread: UnreadBody) {
    unread.readers = unread.readers.filter(
      ({ request, isCompressing }) => isCompressing || this.isOpen(request),
    )
  }

  /** Removes the bodies that everybody has read. */
  private removeFinished() {
    for (const [body, unread] of this.bodies) {
      this.removeFinishedReaders(unread)
      this.removeIfRead(body, unread)
    }
  }

  private removeIfRead(body: object, { readers, size }: UnreadBody) {
    if (readers.length > 0) return
    this.bodies.delete(body)
    this.size -= size
  }

  /** Refuses a body that exceeds a limit. While no other body is being sent, any size is allowed. */
  private requireRoom({ clientAddress }: Reader, size: number) {
    const isOver = (sent: number, limit: number) => sent > 0 && sent + size > limit
    if (isOver(this.size, this.total) || isOver(this.bytesSentTo(networkOf(clientAddress)), this.share))
      throw new Problem('busy', 'Too many large responses are being sent. Please try again.', {
        retryAfter: RETRY_AFTER,
      })
  }

  private bytesSentTo(network: string): number {
    let total = 0
    for (const { size, readers } of this.bodies.values())
      if (readers.some(({ clientAddress }) => networkOf(clientAddress) === network)) total += size
    return total
  }
}
