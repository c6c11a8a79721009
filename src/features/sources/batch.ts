import { writeAs } from '../../accounts/writeAs.ts'
import { SLICE } from '../../base/pace.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { FAILED_DEPENDENCY, INVALID } from '../../http/response/errors.ts'
import type { OperationResult } from '../../store/sourceRows.ts'
import type { Tables } from '../../store/tables.ts'
import { JobAllowance } from './jobAllowance.ts'
import { applyOperation, type BatchSender, failureOf } from './operations.ts'

const OK = 200

/** The outcome of a batch. */
export interface BatchOutcome {
  readonly status: number
  readonly results: readonly OperationResult[]
}

/** Stores the results so far, in the transaction of the operations. @param status of the response, null before the end */
type Save = (tables: Tables, results: readonly OperationResult[], status: number | null) => void

/** A batch of operations with jobs. */
export class RunningBatch {
  private readonly allowance: JobAllowance
  private readonly sender: BatchSender

  /** @param save remembers the results */
  constructor(
    private readonly board: Board,
    context: RequestContext,
    private readonly operations: readonly unknown[],
    private readonly save: Save,
  ) {
    this.allowance = new JobAllowance(context)
    this.sender = { services: board, caller: context.caller, countJob: this.allowance.countJob }
  }

  /**
   * Carries out each operation that is possible, a few in each transaction.
   * @param known the results of the first operations, which were carried out before a crash
   */
  async runEach(known: readonly OperationResult[]): Promise<BatchOutcome> {
    const results = [...known]
    do {
      const counted = this.allowance.counted
      try {
        results.push(...(await this.write(tables => this.applySlice(tables, results))))
      } catch (error) {
        this.allowance.undoTo(counted)
        // What was done before stays, so the client has to learn of it.
        if (results.length === 0) throw error
        const failure = failureOf(error)
        while (results.length < this.operations.length) results.push(failure)
      }
    } while (results.length < this.operations.length)
    return { status: OK, results }
  }

  /** Carries out all operations in one transaction, or none. */
  async runAll(): Promise<BatchOutcome> {
    try {
      return await this.allowance.run(() =>
        this.write(tables => {
          const results = this.operations.map(operation => this.apply(tables, operation))
          if (results.some(isFailure)) throw new Undone(results)
          this.save(tables, results, OK)
          return { status: OK, results }
        }),
      )
    } catch (error) {
      if (!(error instanceof Undone)) throw error
      const { results } = error
      await this.write(tables => this.save(tables, results, INVALID))
      return { status: INVALID, results }
    }
  }

  private write<T>(change: (tables: Tables) => T extends PromiseLike<unknown> ? never : T): Promise<T> {
    return writeAs(this.board.store, this.sender.caller, change)
  }

  private applySlice(tables: Tables, before: readonly OperationResult[]): OperationResult[] {
    const start = performance.now()
    const results: OperationResult[] = []
    const isDone = () => before.length + results.length === this.operations.length
    while (!isDone() && performance.now() - start < SLICE)
      results.push(this.apply(tables, this.operations[before.length + results.length]))
    this.save(tables, [...before, ...results], isDone() ? OK : null)
    return results
  }

  /** Carries out an operation. If it fails, nothing of it remains. */
  private apply(tables: Tables, operation: unknown): OperationResult {
    const { counted } = this.allowance
    try {
      return this.board.store.attempt(() => applyOperation(this.sender, tables, operation))
    } catch (error) {
      this.allowance.undoTo(counted)
      return failureOf(error)
    }
  }
}

const isFailure = ({ error }: OperationResult) => error !== undefined

/** Undoes a batch of which an operation failed. The others get a status that says so. */
class Undone extends Error {
  readonly results: readonly OperationResult[]

  constructor(results: readonly OperationResult[]) {
    super('undone')
    this.results = results.map(result =>
      isFailure(result) ? result : { status: FAILED_DEPENDENCY, id: null, errors: {}, error: UNDONE },
    )
  }
}

const UNDONE = 'Undone, because another operation failed.'

/** Returns the results of a batch. @throws Problem 'invalid' if it was undone */
export function resultsOrThrow({ status, results }: BatchOutcome): { results: OperationResult[] } {
  if (status === OK) return { results: [...results] }
  const failed = results.filter(result => result.status !== FAILED_DEPENDENCY).length
  const message = `Nothing was changed: ${failed} of ${results.length} operations failed.`
  throw new Problem('invalid', message, { figures: { results } })
}
