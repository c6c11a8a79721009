import { Problem } from '../../base/problem.ts'
import type { RouteRules } from '../routeDescription.ts'
import type { BodyBudget } from './bodyBudget.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** In bytes, what is first reserved for a body without a Content-Length. Most are shorter. */
const UNSTATED_LENGTH = 64 * KiB
/** In bytes. A body with a Content-Length up to this is read at once, because a stream takes twice as long. */
const MAX_READ_AT_ONCE = 64 * KiB

/** The maximum sizes of a body, in bytes. */
export interface BodyLimits {
  /** For a multipart form, which may contain a file. */
  readonly multipart: number
  /** For every other type. */
  readonly other: number
}

const PUBLIC: BodyLimits = { multipart: 16 * KiB, other: 16 * KiB }
const WITH_FILE: BodyLimits = { multipart: 8 * MiB, other: MiB }
const LARGE: BodyLimits = { multipart: 8 * MiB, other: 8 * MiB }
const USUAL: BodyLimits = { multipart: MiB, other: MiB }

/** Returns the limits of a route: large only if it accepts a file or much JSON, and otherwise small if it is public. */
export function bodyLimits({
  access,
  file,
  isLarge = false,
}: Pick<RouteRules, 'access' | 'file' | 'isLarge'>): BodyLimits {
  if (isLarge) return LARGE
  if (file) return WITH_FILE
  return access === 'public' ? PUBLIC : USUAL
}

/** The part of a request's context that reading its body requires. */
export interface BodySource {
  readonly request: Request
  readonly clientAddress: string
  readonly services: { readonly bodyBudget: BodyBudget }
  /** Calls a function after the reply is made, when the body is no longer needed. */
  onEnd(release: () => void): void
}

/**
 * Reads a body of at most `limit` bytes, once there is room for it in memory. A longer one is refused before it is read
 * if it has a Content-Length, otherwise as soon as it exceeds the limit; the server discards the rest.
 * @param tooLong creates the error for a longer body
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
  if (length !== null && reserved <= MAX_READ_AT_ONCE) return await readAtOnce(request)
  const buffer = new GrowingBuffer(length === null ? limit : reserved)
  try {
    for await (const chunk of body) {
      const size = buffer.length + chunk.length
      if (size > limit) throw tooLong(limit)
      if (size > reserved) {
        await reserve(source, limit - reserved)
        reserved = limit
      }
      buffer.add(chunk)
    }
    return buffer.bytes
  } catch (error) {
    buffer.free()
    throw request.signal.aborted ? incomplete() : error
  }
}

async function readAtOnce(request: Request): Promise<Uint8Array> {
  try {
    return await request.bytes()
  } catch (error) {
    throw request.signal.aborted ? incomplete() : error
  }
}

const incomplete = () => new Problem('malformed', 'The body is incomplete.')

async function reserve(source: BodySource, size: number) {
  if (size > 0)
    source.onEnd(await source.services.bodyBudget.reserve(source.clientAddress, size, source.request.signal))
}

/** A buffer for a body that arrives in chunks. It grows with them. */
class GrowingBuffer {
  private memory = new Uint8Array()
  length = 0

  /** @param maxLength the maximum length of the body, in bytes */
  constructor(private readonly maxLength: number) {}

  add(chunk: Uint8Array): void {
    const needed = this.length + chunk.length
    if (needed > this.memory.length) {
      const capacity = Math.min(Math.max(needed, 2 * this.memory.length), Math.max(needed, this.maxLength))
      this.memory = new Uint8Array(this.memory.buffer.transfer(capacity))
    }
    this.memory.set(chunk, this.length)
    this.length = needed
  }

  get bytes(): Uint8Array {
    return this.memory.subarray(0, this.length)
  }

  /** Frees the memory at once. The garbage collector doesn't see most of it, and may take minutes. */
  free(): void {
    this.memory.buffer.transfer(0)
    this.length = 0
  }
}

/** Returns the problem of a body that is larger than a limit in bytes. */
export const tooLarge = (limit: number) =>
  new Problem('contentTooLarge', `The body is over ${sizeText(limit)}, the limit here.`)

const sizeText = (bytes: number) => (bytes < MiB ? `${bytes / KiB} KiB` : `${bytes / MiB} MiB`)
