import { Problem } from '../../base/problem.ts'
import type { RouteRules } from '../routeDescription.ts'
import type { BodyBudget } from './bodyBudget.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** In bytes: what is reserved at first for a body that does not state its length. Most are shorter. */
const UNSTATED_LENGTH = 64 * KiB

/** The most bytes that a body may have. */
export interface BodyLimits {
  /** Of a multipart form, which may hold a file. */
  readonly multipart: number
  /** Of every other type. */
  readonly other: number
}

const PUBLIC: BodyLimits = { multipart: 16 * KiB, other: 16 * KiB }
const WITH_FILE: BodyLimits = { multipart: 8 * MiB, other: MiB }
const USUAL: BodyLimits = { multipart: MiB, other: MiB }

/** The limits of a route: small where no account is needed, and large only where a file is taken. */
export function bodyLimits({ access, file }: Pick<RouteRules, 'access' | 'file'>): BodyLimits {
  if (access === 'public') return PUBLIC
  return file ? WITH_FILE : USUAL
}

/** What reading a body takes of a request's context. */
export interface BodySource {
  readonly request: Request
  readonly clientAddress: string
  readonly services: { readonly bodyBudget: BodyBudget }
  /** Has a function called once the request is answered, when the body is no longer needed. */
  onEnd(release: () => void): void
}

/**
 * Reads a body of at most `limit` bytes, once there is room for it. A longer one is refused before it is read if it states
 * its length, else as soon as it exceeds the limit; the server discards the rest.
 * @param tooLong makes the error for a longer one
 * @throws Problem 'malformed' if the client disconnects, 'busy' if there is no room
 */
export async function readBody(source: BodySource, limit: number, tooLong = tooLarge): Promise<Uint8Array> {
  const { request } = source
  const { body } = request
  const length = request.headers.get('content-length')
  if (Number(length) > limit) throw tooLong(limit)
  if (!body) return new Uint8Array()
  let reserved = Math.min(limit, Number(length ?? UNSTATED_LENGTH))
  await reserve(source, reserved)
  const buffer = new GrowingBuffer(length === null ? limit : reserved)
  try {
    for await (const piece of body) {
      const size = buffer.length + piece.length
      if (size > limit) throw tooLong(limit)
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
  if (size > 0)
    source.onEnd(await source.services.bodyBudget.reserve(source.clientAddress, size, source.request.signal))
}

/** A buffer for a body that comes in pieces. Its memory grows as they come. */
class GrowingBuffer {
  private memory = new Uint8Array()
  length = 0

  /** @param most the most bytes that will come */
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

  /** Frees the memory at once: the garbage collector, which knows little of it, may take minutes. */
  free(): void {
    this.memory.buffer.transfer(0)
    this.length = 0
  }
}

const tooLarge = (limit: number) =>
  new Problem('contentTooLarge', `The body is over ${sizeText(limit)}, the limit here.`)

const sizeText = (bytes: number) => (bytes < MiB ? `${bytes / KiB} KiB` : `${bytes / MiB} MiB`)
