import { fullGC } from 'bun:jsc'
import { writeAs } from '../../accounts/writeAs.ts'
import { errorStack } from '../../base/error.ts'
import { Pace } from '../../base/pace.ts'
import { Problem } from '../../base/problem.ts'
import { countGarbage } from '../../base/youngGarbage.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { readUpload } from '../../http/request/upload.ts'
import { validate } from '../../validation/validation.ts'
import { ImportError } from '../imports/importError.ts'
import { createRequestSpool, notStored, type SourceFile } from '../imports/source.ts'
import { findSource } from './access.ts'
import { JobAllowance } from './jobAllowance.ts'
import { presentResult } from './present.ts'
import { failureText, isFruitless, recordRun, summaryOf } from './runs.ts'
import { SET_FILE, SyncQuery, type SyncResult } from './schema.ts'
import { Synchronization } from './synchronization.ts'

/** How long a run works at a time, and how long it rests then, in milliseconds: that readers hardly notice it matters more than its end. */
const WORK = 0.35
const REST = 1
/** How long one transaction of a run may take, in milliseconds. */
const SLICE = 0.25
const KIND = 'sync '
/** The name of a set in messages. */
const SET = 'The set'
/** The number of sources that are synchronized at once: each has a set on disk. */
const MAX_RUNNING = 8
/** In seconds. */
const RETRY_AFTER = 10
/** In bytes of a set, how often the memory is given back in which the pages of the store are that were read. */
const RELEASE_INTERVAL = 256 * 1024
/** Roughly how much garbage the reading of a byte of a set makes. */
const GARBAGE_PER_BYTE = 4
/** In milliseconds, how often all garbage is collected, which delays requests. */
const COLLECT_INTERVAL = 5000

/**
 * Brings the jobs of a source in step with the set in a request's body. The set is stored in a temporary file first, so
 * that nothing is changed before all of it is there and valid.
 * @throws Problem 'conflict' if another run of the source is under way, or too much would be closed
 */
export async function syncSource(
  board: Board,
  context: RequestContext,
  source: string,
  query: SyncQuery,
): Promise<SyncResult> {
  const { tasks } = board
  const kind = KIND + source
  if (tasks.countRunning(KIND) >= MAX_RUNNING)
    throw new Problem('busy', 'Too many sources are being synchronized. Please try again.', {
      retryAfter: RETRY_AFTER,
    })
  if (tasks.isRunning(kind))
    throw new Problem('conflict', 'Another run of this source is under way. Please wait until it has ended.')
  return await tasks.run(kind, signal => new SourceRun(board, context, source, query, signal).run())
}

/** A run of a source, which is recorded unless it is a dry run. */
class SourceRun {
  private readonly startedAt: number
  private readonly file: SourceFile
  private readonly signal: AbortSignal
  private synchronization: Synchronization | undefined
  private releasedAt = 0
  private collectedAt = 0

  constructor(
    private readonly board: Board,
    private readonly context: RequestContext,
    private readonly source: string,
    /** The options. Fields of a form replace those of the query. */
    private query: SyncQuery,
    stopping: AbortSignal,
  ) {
    this.startedAt = board.clock()
    this.file = createRequestSpool(board.store, SET)
    this.signal = AbortSignal.any([stopping, context.request.signal])
  }

  async run(): Promise<SyncResult> {
    try {
      await this.receive()
      this.synchronization = this.start()
      await this.synchronization.run()
      const message = summaryOf(this.synchronization)
      await this.record(isFruitless(this.synchronization), message)
      return presentResult(this.synchronization, message)
    } catch (error) {
      const problem = this.problemOf(error)
      await this.recordFailure(problem)
      throw problem
    } finally {
      this.file.close()
      this.board.jobIndex.showRun()
      this.board.store.releaseMemory()
    }
  }

  private async receive() {
    const { store } = this.board
    const { request, query } = this.context
    const { form } = await readUpload(request, SET_FILE, piece => {
      this.signal.throwIfAborted()
      store.requireSpace(piece.length)
      countGarbage(piece.length * GARBAGE_PER_BYTE)
      return this.file.append(piece)
    })
    if (request.signal.aborted) throw HUNG_UP
    const values = new Map([...query, ...form.values])
    this.query = validate(SyncQuery, { values, isForm: true }).valueOrThrow()
  }

  private start(): Synchronization {
    const { board, context, source, file, query } = this
    const { store } = board
    const { caller, services, request } = context
    const pace = new Pace(this.signal, WORK, REST)
    const allowance = new JobAllowance(context)
    return new Synchronization({
      store,
      services: board,
      caller,
      source,
      file,
      isDryRun: query.dry_run,
      force: query.force,
      countJob: allowance.countJob,
      slice: SLICE,
      write: (change, actor, size) => writeAs(store, caller, change, size, actor),
      pause: () => pace.pause(),
      onRead: (_, done) => {
        // The response may take longer than an idle connection stays open.
        services.peers.holdOpen?.(request)
        this.releaseMemory(done)
      },
    })
  }

  /** Gives back the memory that the run has used, now and then. @param done in bytes of the set */
  private releaseMemory(done: number) {
    const read = Math.abs(done - this.releasedAt)
    if (read < RELEASE_INTERVAL) return
    this.releasedAt = done
    this.board.store.releaseMemory()
    countGarbage(read * GARBAGE_PER_BYTE)
    const now = performance.now()
    if (now - this.collectedAt < COLLECT_INTERVAL) return
    this.collectedAt = now
    fullGC()
  }

  private problemOf(error: unknown): unknown {
    if (error instanceof ImportError) return notStored(SET)
    return this.context.request.signal.aborted && !(error instanceof Problem) ? HUNG_UP : error
  }

  private async record(failed: boolean, message: string) {
    const { board, context, source, startedAt, query, synchronization } = this
    if (query.dry_run || !findSource(board.store.read, source)) return
    const end = { startedAt, now: board.clock(), failed, message }
    await writeAs(board.store, context.caller, tables => recordRun(tables, source, synchronization, end))
  }

  private async recordFailure(problem: unknown) {
    const reason = problem instanceof Problem ? problem.message : 'Something went wrong on our side.'
    try {
      await this.record(true, failureText(reason, this.synchronization))
    } catch (error) {
      this.board.log.warn('a run of a source could not be recorded', { cause: errorStack(error) })
    }
  }
}

const HUNG_UP = new Problem('malformed', 'The connection was closed before the end.')
