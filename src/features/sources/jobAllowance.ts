import { isAdmin } from '../../base/caller.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { JOBS_PER_MINUTE } from '../jobs/rules.ts'

/** Jobs that sources and batches create count like those that are posted one by one. */
const ROUTE = '/jobs.json'

/**
 * Counts the jobs that a request creates against the limit of its account. Administrators have none. One request may exceed
 * the limit, because sets and batches are larger; the next one then has to wait.
 */
export class JobAllowance {
  private undos: (() => void)[] = []

  constructor(private readonly context: RequestContext) {}

  /** Counts a job. @throws Problem 'throttled' if the account had reached its limit before this request */
  readonly countJob = (): void => {
    const { caller, services } = this.context
    if (caller.userId === undefined || isAdmin(caller)) return
    const allowed = this.counted === 0 ? JOBS_PER_MINUTE : Infinity
    this.undos.push(services.rateLimit.countOne(caller.userId, ROUTE, allowed))
  }

  /** Runs work in which jobs are created. If it fails, they are not counted. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { counted } = this
    try {
      return await work()
    } catch (error) {
      this.undoTo(counted)
      throw error
    }
  }

  /** The number of jobs that were counted. */
  get counted(): number {
    return this.undos.length
  }

  /** Counts only the first jobs. */
  undoTo(counted: number): void {
    for (const undo of this.undos.splice(counted)) undo()
  }
}
