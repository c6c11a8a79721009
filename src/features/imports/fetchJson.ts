import { SECOND, systemClock } from '../../base/clock.ts'
import { STATUS } from '../../http/response/errors.ts'
import { fetchInPieces } from './download.ts'
import { ImportError } from './importError.ts'

const MEBIBYTE = 2 ** 20
/** In bytes. A hundred long jobs have a few. */
const MAX_PAGE_BYTES = 32 * MEBIBYTE
const MAX_ATTEMPTS = 3
/** The longest wait that a service may ask for, in milliseconds. */
const MAX_WAIT = 60 * SECOND
/** The wait if a busy service doesn't ask for one. */
const DEFAULT_WAIT = 5 * SECOND

/** A response of any status. */
export interface JsonResponse {
  readonly url: string
  readonly isOk: boolean
  readonly status: number
  /** The status with its text: `404 Not Found`. */
  readonly statusText: string
  readonly headers: Headers
  /** Undefined if the body isn't JSON. */
  readonly body: unknown
}

/**
 * Fetches JSON. A service that is busy is asked again, after as long as it says.
 * @throws ImportError if it doesn't respond, stays busy, redirects to another host, or sends too much
 */
export async function fetchJson(url: string): Promise<JsonResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetchOnce(url)
    const { status, statusText, headers } = response
    if (status !== STATUS.throttled && status !== STATUS.busy) return response
    const wait = waitOf(headers.get('retry-after'))
    if (attempt >= MAX_ATTEMPTS || wait > MAX_WAIT)
      throw new ImportError(
        `${url} responded with ${statusText}. Try again in ${Math.ceil(wait / SECOND)} seconds.`,
      )
    await Bun.sleep(wait)
  }
}

/** Returns the body of a successful response. @throws ImportError */
export function bodyOf({ url, isOk, statusText, body }: JsonResponse): unknown {
  if (!isOk) throw new ImportError(`${url} responded with ${statusText}.`)
  if (body === undefined) throw new ImportError(`${url} responded with something that isn't JSON.`)
  return body
}

async function fetchOnce(url: string): Promise<JsonResponse> {
  const pieces: Uint8Array[] = []
  let size = 0
  const onPiece = (piece: Uint8Array) => {
    size += piece.length
    if (size > MAX_PAGE_BYTES)
      throw new ImportError(`${url} is larger than ${MAX_PAGE_BYTES / MEBIBYTE} MiB.`)
    pieces.push(piece)
  }
  const response = await fetchInPieces(url, 'follow', onPiece, () => true)
  const { origin } = new URL(response.url)
  if (origin !== new URL(url).origin)
    throw new ImportError(`${url} redirects to another host. Import from ${origin} instead.`)
  const { ok: isOk, status, statusText, headers } = response
  const body = parse(Buffer.concat(pieces).toString())
  return { url, isOk, status, statusText: `${status} ${statusText}`.trim(), headers, body }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the wait that a `Retry-After` header asks for, in milliseconds. It has seconds or a date. */
function waitOf(header: string | null): number {
  if (header === null) return DEFAULT_WAIT
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - systemClock()
  return Number.isNaN(wait) ? DEFAULT_WAIT : Math.max(0, wait)
}
