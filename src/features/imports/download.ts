import { SECOND } from '../../base/clock.ts'
import { errorCode, errorMessage } from '../../base/error.ts'
import { ImportError } from './importError.ts'
import { type ImportSource, SourceFile } from './source.ts'

/** The longest wait for more data, in milliseconds. */
const IDLE_TIMEOUT = 30 * SECOND
const GIBIBYTE = 2 ** 30
/** The limit for all pages together, in bytes. */
const MAX_BYTES = 2 * GIBIBYTE
const MAX_PAGES = 10_000

/**
 * Downloads a URL and the pages that follow it by `Link: rel="next"`.
 * @param onProgress gets the number of bytes so far
 * @throws ImportError
 */
export async function download(url: string, onProgress: (bytes: number) => void): Promise<ImportSource> {
  const files: SourceFile[] = []
  const seen = new Set<string>()
  let total = 0
  let origin: string | undefined
  try {
    for (let next: string | undefined = url; next !== undefined;) {
      if (seen.has(next) || seen.size >= MAX_PAGES)
        throw new ImportError(`${url} has too many pages, or they link in a circle.`)
      seen.add(next)
      const file = SourceFile.createSpool(next)
      files.push(file)
      const response = await fetchInPieces(next, 'follow', async piece => {
        total += piece.length
        if (total > MAX_BYTES) throw new ImportError(`${url} is larger than ${MAX_BYTES / GIBIBYTE} GiB.`)
        await file.append(piece)
        onProgress(total)
      })
      origin ??= new URL(response.url).origin
      next = nextPage(response, origin)
    }
    return { files, origin }
  } catch (error) {
    for (const file of files) file.close()
    throw error
  }
}

/**
 * Fetches a URL, piece by piece.
 * @param onPiece may return false to stop
 * @param accept returns whether to read the body of a response, or throws
 * @throws ImportError if there is no response, or by default no 2xx response, and errors of `onPiece`
 */
export async function fetchInPieces(
  url: string,
  redirect: 'follow' | 'error',
  onPiece: (piece: Uint8Array) => unknown,
  accept: (response: Response) => boolean = requireOk,
): Promise<Response> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), IDLE_TIMEOUT)
  try {
    const response = await fetch(url, { redirect, signal: silence.signal })
    if (!accept(response)) {
      await response.body?.cancel()
      return response
    }
    for await (const piece of response.body ?? []) {
      timer.refresh()
      if ((await onPiece(piece)) === false) break
    }
    return response
  } catch (error) {
    if (error instanceof ImportError) throw error
    const reason = silence.signal.aborted
      ? `no data for ${IDLE_TIMEOUT / SECOND} seconds`
      : fetchErrorReason(error)
    throw new ImportError(`${url} can't be fetched: ${reason}.`)
  } finally {
    clearTimeout(timer)
  }
}

function requireOk({ ok, url, status, statusText }: Response): boolean {
  if (!ok) throw new ImportError(`${url} responded with ${`${status} ${statusText}`.trim()}.`)
  return true
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
}

/** Returns why a URL can't be fetched, as a part of a sentence. */
export function fetchErrorReason(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? errorMessage(error).replace(/\.$/, '')
}

const LINK = /<([^>]*)>([^<]*)/g

/** Returns the URL of the next page, which must be on the same host. */
function nextPage(response: Response, origin: string): string | undefined {
  const links = [...(response.headers.get('link') ?? '').matchAll(LINK)]
  const [, target] = links.find(([, , parameters]) => /;\s*rel="?next"?/i.test(parameters ?? '')) ?? []
  if (target === undefined) return undefined
  const next = URL.parse(target, response.url)
  if (next?.origin !== origin)
    throw new ImportError(`${response.url} links to a next page on another host: ${target}.`)
  return next.href
}
