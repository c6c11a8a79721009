import { Problem } from '../../base/problem.ts'
import type { Access } from '../auth.ts'
import type { BodyBudget } from './bodyBudget.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** Bytes that are reserved at first for a body that does not state its length. Most are shorter. */
const UNSTATED = 64 * KiB

/** The most bytes that a body may have. */
interface BodyLimits {
  /** Of a multipart form, which may hold a file. */
  readonly multipart: number
  /** Of every other type. */
  readonly other: number
}

const FOR_ANYBODY: BodyLimits = { multipart: 16 * KiB, other: 16 * KiB }
const WITH_FILE: BodyLimits = { multipart: 8 * MiB, other: MiB }
const USUAL: BodyLimits = { multipart: MiB, other: MiB }

/** What reading a body takes: the request, who may use its route, and the memory that all bodies share. */
export interface BodySource {
  readonly request: Request
  /** Who may use the route. */
  readonly needs: Access
  readonly budget: BodyBudget
  /** The address of the client. */
  readonly client: string
  /** Has a function called once the request is answered, when nothing needs the body any more. */
  onEnd(release: () => void): void
}

/** Returns the limits of a route: who needs no account sends little, and only a file is large. */
export function bodyLimitsOf(needs: Access, takesFile: boolean): BodyLimits {
  if (needs === 'nobody') return FOR_ANYBODY
  return takesFile ? WITH_FILE : USUAL
}

/**
 * Reads a body of at most `limit` bytes, once there is room for it. A longer one is refused before it is read if it states
 * its length, else as soon as it passes the limit; the server takes in the rest and throws it away.
 * @param refusal makes what a longer one is refused with
 * @throws Problem 'malformed' if the sender hangs up, 'busy' if there is no room
 */
export async function readBody(source: BodySource, limit: number, refusal = tooLarge): Promise<Uint8Array> {
  const { request } = source
  const { body } = request
  const length = request.headers.get('content-length')
  if (Number(length) > limit) throw refusal(limit)
  if (!body) return new Uint8Array()
  let reserved = Math.min(limit, Number(length ?? UNSTATED))
  await reserve(source, reserved)
  const buffer = new GrowingBuffer(length === null ? limit : reserved)
  try {
    for await (const piece of body) {
      const size = buffer.length + piece.length
      if (size > limit) throw refusal(limit)
      if (size > reserved) {
        await reserve(source, limit - reserved)
        reserved = limit
      }
      buffer.add(piece)
    }
    return buffer.bytes
  } catch (error) {
    buffer.free()
    throw request.signal.aborted ? new Problem('malformed', 'The body ended before it was whole.') : error
  }
}

async function reserve(source: BodySource, size: number) {
  if (size > 0) source.onEnd(await source.budget.reserve(source.client, size, source.request.signal))
}

/** Bytes that come in pieces. Its memory grows as they come, and not ahead of them. */
class GrowingBuffer {
  private memory = new Uint8Array()
  length = 0

  /** @param most bytes that will come */
  constructor(private readonly most: number) {}

  add(piece: Uint8Array): void {
    const needed = this.length + piece.length
    if (needed > this.memory.length) {
      const capacity = Math.min(Math.max(needed, 2 * this.memory.length), Math.max(needed, this.most))
      this.memory = new Uint8Array(this.memory.buffer.transfer(capacity))
    }
    this.memory.set(piece, this.length)
    this.length = needed
  }

  get bytes(): Uint8Array {
    return this.memory.subarray(0, this.length)
  }

  /** Gives the memory back at once: the garbage collector, which knows little of it, may take minutes. */
  free(): void {
    this.memory.buffer.transfer(0)
    this.length = 0
  }
}

const tooLarge = (limit: number) =>
  new Problem('contentTooLarge', `The body is over ${sizeText(limit)}, the most that is accepted here.`)

const sizeText = (bytes: number) => (bytes < MiB ? `${bytes / KiB} KiB` : `${bytes / MiB} MiB`)
