import { errorMessage } from '../base/error.ts'
import { printable } from '../base/text.ts'
import { UsageError } from '../config/errors.ts'
import { fetchErrorReason } from '../features/imports/download.ts'
import type { SourceFile } from '../features/imports/source.ts'
import type { SyncQuery, SyncResult } from '../features/sources/schema.ts'
import { CommandError } from './command.ts'
import type { ImportProgress } from './importProgress.ts'

/** A synchronization by a running board. */
interface RemoteTask {
  readonly board: URL
  readonly token: string
  readonly source: string
  readonly options: SyncQuery
}

/** Parses the URL of a board. @throws UsageError */
export function boardUrl(text: string): URL {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url || url.username !== '' || url.password !== '')
    throw new UsageError(['--board must be an absolute http or https URL without a user name or password.'])
  return url
}

/**
 * Sends a set to a running board, and returns what the board did.
 * @throws CommandError with the board's message if it did nothing
 */
export async function sendSet(
  { board, token, source, options }: RemoteTask,
  file: SourceFile,
  progress: ImportProgress,
): Promise<SyncResult> {
  const path = `${board.pathname.replace(/\/$/, '')}/sources/${source}/sync.json`
  const url = new URL(`${path}?dry_run=${options.dry_run}&force=${options.force}`, board)
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: streamOf(file, progress),
      // The token is for this board alone.
      redirect: 'manual',
      // A large set takes the board minutes.
      timeout: false,
    })
    text = await response.text()
  } catch (error) {
    throw new CommandError(`${board.origin} can't be reached: ${fetchErrorReason(error)}.`)
  }
  const body = parse(text)
  if (response.ok && isResult(body)) return body
  const message =
    typeof body['error'] === 'string' ? body['error'] : `it responded with status ${response.status}.`
  throw new CommandError(`${board.origin}: ${printable(message)}`)
}

function streamOf(file: SourceFile, progress: ImportProgress): ReadableStream<Uint8Array> {
  const chunks = file.chunks()
  const { size } = file
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      const next = chunks.next()
      if (next.done) return controller.close()
      progress.update('Sending', (sent += next.value.length), size)
      controller.enqueue(next.value)
    },
  })
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    return { error: `its response is no JSON (${errorMessage(error)}).` }
  }
}

const isResult = (body: object): body is SyncResult =>
  'refused' in body && 'detached' in body && 'message' in body
