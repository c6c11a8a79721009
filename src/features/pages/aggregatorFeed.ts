import { setImmediate } from 'node:timers/promises'
import { ANONYMOUS } from '../../base/caller.ts'
import { andThen, type Later } from '../../base/later.ts'
import { Semaphore } from '../../base/semaphore.ts'
import type { Board } from '../../board.ts'
import { notModified } from '../../http/response/encoder.ts'
import { matchesETag, preferredEncoding } from '../../http/response/negotiation.ts'
import { Reply } from '../../http/response/reply.ts'
import type { RouteContext } from '../../http/route.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { findVisibleJobs } from '../jobs/findJobs.ts'
import { type AggregatorFormat, feedJobOf } from './aggregatorFormats.ts'
import { TOO_MANY_FEEDS } from './feeds.ts'
import { filterForPage } from './filterForPage.ts'
import type { AggregatorQuery } from './query.ts'

/** Feeds are sent in pieces of at least this length, in characters. */
const PIECE_LENGTH = 64 * 1024
/** How long a piece may take, in milliseconds, because writing it blocks other requests. */
const PIECE_TIME = 4
const MAX_WAITING = 1000

/** Writes one piece at a time, however many clients there are. */
const turns = new Semaphore(1, MAX_WAITING, TOO_MANY_FEEDS)

/** The version of the list starts anew with each process. */
const PROCESS = crypto.randomUUID().slice(0, 8)

type FeedContext = RouteContext<{ access: 'public'; query: typeof AggregatorQuery }>

/** Replies with a feed of any length. Its jobs are read and written at the pace of the client, so it needs little memory. */
export function replyWithFeed(
  board: Board,
  context: FeedContext,
  format: AggregatorFormat,
): Later<Reply<Blob, 200>> {
  const { sources, ...query } = context.input
  const etag = `W/"${PROCESS}-${board.jobIndex.version}"`
  if (matchesETag(context.header('if-none-match'), etag)) return notModified(etag, {})
  const headers = { etag, 'content-type': 'application/xml; charset=utf-8' }
  if (context.method === 'HEAD') return new Reply<Blob, 200>(undefined, 200, headers)
  const isGzip = preferredEncoding(context.header('accept-encoding'), ['gzip']) === 'gzip'
  return andThen(findVisibleJobs(board, ANONYMOUS, query.q === undefined ? {} : { q: query.q }), found => {
    const jobs = filterForPage(found.jobs, query).filter(job => sources === 'all' || !job.isFromElsewhere)
    const feed = streamOf(board, format, jobs)
    if (!isGzip) return new Reply<Blob, 200>(feed, 200, headers)
    return new Reply<Blob, 200>(feed.pipeThrough(new CompressionStream('gzip')), 200, {
      ...headers,
      'content-encoding': 'gzip',
    })
  })
}

function streamOf(
  board: Board,
  format: AggregatorFormat,
  jobs: readonly JobSummary[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = partsOf(board, format, jobs)
  let isCancelled = false
  return new ReadableStream(
    {
      pull: async controller => {
        try {
          const piece = await turns.run(() => nextPiece(parts))
          // The client may have gone meanwhile, which closes the stream.
          if (isCancelled) return
          if (piece === '') controller.close()
          else controller.enqueue(Buffer.from(piece))
        } catch (error) {
          board.log.error('a feed could not be written', { format: format.name, cause: String(error) })
          controller.error(error)
        }
      },
      cancel: () => {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
}

/** Writes the next piece of a feed; empty at its end. */
async function nextPiece(parts: Iterator<string>): Promise<string> {
  await setImmediate()
  const start = performance.now()
  let piece = ''
  while (piece.length < PIECE_LENGTH && !(piece !== '' && performance.now() - start > PIECE_TIME)) {
    const next = parts.next()
    if (next.done === true) break
    piece += next.value
  }
  return piece
}

/** Yields a feed in parts. A job that is no longer active when its turn comes is left out. */
function* partsOf(board: Board, format: AggregatorFormat, jobs: readonly JobSummary[]): Generator<string> {
  const { store, jobIndex, clock } = board
  yield format.open(board, jobs.length, clock())
  for (const { id } of jobs) {
    const job = jobIndex.isActive(id) ? store.read.jobs.get(id) : undefined
    if (job) yield format.item(feedJobOf(board, job))
  }
  yield format.close
}
