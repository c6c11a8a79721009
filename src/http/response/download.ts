import type { FileHandle } from 'node:fs/promises'
import { dateOfDay, DAY } from '../../base/clock.ts'
import type { LongTasks } from '../../base/longTasks.ts'
import { Problem } from '../../base/problem.ts'
import type { RequestContext } from '../request/context.ts'
import { Reply } from './reply.ts'

/** In bytes. */
const CHUNK_SIZE = 256 * 1024
/** Seconds after which another download has probably ended. */
const RETRY_AFTER = 10

/** A file that is created for a request. */
interface Download {
  /** The kind of the task that creates and sends it, of which only one runs at a time. */
  readonly kind: string
  /** The name that browsers save it under. */
  readonly name: string
  readonly type: string
  /** Creates the file. It needs no name on disk. */
  readonly create: (signal: AbortSignal) => Promise<FileHandle>
  /** Called once the client has got the whole file. */
  readonly onSent?: () => Promise<void>
}

/**
 * Replies with a file, which is read at the pace of the client.
 * @throws Problem 'busy' if another client is downloading one of this kind
 */
export async function replyWithDownload(
  context: RequestContext,
  tasks: LongTasks,
  { kind, name, type, create, onSent }: Download,
): Promise<Reply<Blob, 200>> {
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
  if (context.method === 'HEAD') return new Reply<Blob, 200>(undefined, 200, headers)
  if (tasks.isRunning(kind))
    throw new Problem('busy', 'Another download is in progress. Please try again.', {
      retryAfter: RETRY_AFTER,
    })
  const { request, services } = context
  services.peers.holdOpen?.(request)
  const ready = Promise.withResolvers<ReadableStream<Uint8Array>>()
  const task = tasks.run(kind, async signal => {
    const file = await create(signal)
    const ended = Promise.withResolvers<void>()
    const onEnd = async (isComplete: boolean) => {
      ended.resolve()
      await task
      if (isComplete) await onSent?.()
    }
    ready.resolve(streamFile(file, AbortSignal.any([signal, request.signal]), onEnd))
    await ended.promise
  })
  task.catch(ready.reject)
  return new Reply<Blob, 200>(await ready.promise, 200, headers)
}

/**
 * Streams a file, and closes it at the end.
 * @param signal ends the stream with an error
 * @param onEnd called with whether the file was read to its end; then the client may begin another download
 */
function streamFile(file: FileHandle, signal: AbortSignal, onEnd: (isComplete: boolean) => Promise<void>) {
  const end = async (isComplete: boolean) => {
    await file.close().catch(() => {})
    await onEnd(isComplete)
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = () => {
        controller.error(signal.reason)
        void end(false)
      }
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    },
    async pull(controller) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_SIZE), 0, CHUNK_SIZE)
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
      await end(true)
      controller.close()
    },
    cancel: () => end(false),
  })
}

/** Returns the name of a download, such as `harbour-jobs-2026-01-10.tar`. */
export function downloadName(boardName: string, now: number, ending: string): string {
  const plain = boardName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${plain || 'corkboard'}-${dateOfDay(Math.floor(now / DAY))}.${ending}`
}
