import type { Caller } from '../../base/caller.ts'
import { Problem } from '../../base/problem.ts'
import type { RefusedPosting } from '../../store/sourceRows.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { JobServices } from '../jobs/jobWriter.ts'
import { errorsOf, isDetached, isOpen, judge, type Verdict } from './judgement.ts'
import { findSourcedJob } from './posting.ts'
import type { NumberedPosting } from './setFile.ts'
import { externalIdOf } from './setRow.ts'

/** From this number of open jobs on, a set must have half of them. */
const GUARDED_JOBS = 10
/** The number of jobs that are read before others get a turn. */
const BATCH_SIZE = 100

/** A job that a run leaves alone, because somebody has edited it. */
export interface DetachedJob {
  readonly id: number
  readonly external_id: string
}

/** Compares a set with the jobs of its source, without any change. */
export class SetCheck {
  readonly refused: RefusedPosting[] = []
  readonly detached: DetachedJob[] = []
  /** The numbers of the postings to store, with what they become. */
  readonly toStore = new Map<number, Verdict>()
  /** The ids of the open jobs that are missing from the set. */
  readonly missing: number[] = []
  postings = 0
  unchanged = 0
  /** The number of postings whose job is unknown, because they have no valid external id. */
  nameless = 0
  /** The number of open jobs of the source that the set has. */
  found = 0
  private open = 0
  private readonly numbers = new Map<string, number>()

  constructor(
    private readonly services: JobServices,
    private readonly tables: TableReaders,
    private readonly caller: Caller,
    private readonly source: string,
  ) {}

  /** The figures that decide whether jobs may be closed. */
  get figures() {
    return { postings: this.postings, open_jobs: this.open + this.found, found: this.found }
  }

  add({ n, fields }: NumberedPosting): void {
    this.postings++
    const id = externalIdOf(fields)
    if ('error' in id) {
      this.nameless++
      this.refused.push({ n, external_id: null, errors: { external_id: [id.error] } })
      return
    }
    const { externalId } = id
    const first = this.numbers.get(externalId)
    if (first !== undefined)
      return this.refuse(n, externalId, { external_id: [`is the same as that of posting ${first}`] })
    this.numbers.set(externalId, n)
    const { services, tables, caller } = this
    const job = findSourcedJob(tables, this.source, externalId)
    if (job && isOpen(job, services.clock())) this.found++
    try {
      const verdict = judge(services, caller, tables, job, fields)
      if (verdict === 'unchanged') this.unchanged++
      else if (verdict === 'detached') this.detached.push({ id: job?.id ?? 0, external_id: externalId })
      else this.toStore.set(n, verdict)
    } catch (error) {
      this.refuse(n, externalId, errorsOf(error))
    }
  }

  refuse(n: number, externalId: string | null, errors: RefusedPosting['errors']): void {
    this.refused.push({ n, external_id: externalId, errors })
  }

  /** Finds the open jobs that are missing from the set. Yields now and then, so that its caller can pause. */
  *findMissing(): Generator<undefined> {
    const { jobs } = this.tables
    const now = this.services.clock()
    for (const batch of jobs.valuesWithin('externalId', this.source, BATCH_SIZE)) {
      for (const [externalId, id] of batch) {
        const job = this.numbers.has(externalId) ? undefined : jobs.get(id)
        if (!job || !isOpen(job, now)) continue
        this.open++
        if (isDetached(this.tables, job)) this.detached.push({ id, external_id: externalId })
        else this.missing.push(id)
      }
      yield undefined
    }
  }

  /** @throws Problem 'conflict' with the figures if the set is empty, or lacks more than half of the open jobs */
  requirePlausible(): void {
    const { postings, open_jobs: open, found } = this.figures
    const isShort = open >= GUARDED_JOBS && 2 * found < open
    if (postings > 0 && !isShort) return
    const reason = postings === 0 ? 'is empty' : `has ${found} of the ${open} open jobs of this source`
    const message = `The set ${reason}, so nothing was changed. If that is right, send it again with force=true (--force) to close the missing jobs.`
    throw new Problem('conflict', message, { figures: { figures: this.figures } })
  }
}
