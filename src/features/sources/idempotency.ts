import { BATCH_PERIOD } from '../../accounts/cleanup.ts'
import { invalid, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { IDEMPOTENCY_KEY } from '../../http/openapi/parameters.ts'
import type { RequestContext } from '../../http/request/context.ts'
import type { BatchRow, OperationResult } from '../../store/sourceRows.ts'
import type { Tables } from '../../store/tables.ts'
import { type BatchOutcome, RunningBatch } from './batch.ts'
import { hashOf } from './content.ts'

/** What to do in a batch. */
interface Batch {
  readonly operations: readonly unknown[]
  readonly atomic: boolean
}

const KEY = /^[ -~]{1,255}$/

type Batches = Map<string, { readonly bodyHash: string; readonly outcome: Promise<BatchOutcome> }>

/** The batches with a key that are under way on each board, by the hash of the account and the key. */
const running = new WeakMap<Board, Batches>()

/**
 * Carries out a batch. If it was sent before with the same `Idempotency-Key`, returns the outcome of then, or waits for it.
 * @throws Problem 'invalid' if the key was used for something else
 */
export async function runBatch(board: Board, context: RequestContext, batch: Batch): Promise<BatchOutcome> {
  const key = keyOf(context)
  const { userId } = context.caller
  if (key === undefined || userId === undefined) return await run(board, context, batch, () => {}, [])
  const [hash, bodyHash] = [hashOf([userId, key]), hashOf(batch)]
  const underWay: Batches = running.get(board) ?? new Map()
  running.set(board, underWay)
  const first = underWay.get(hash)
  if (first) {
    requireSame(first.bodyHash, bodyHash)
    return await first.outcome
  }
  const known = knownBatch(board, hash)
  if (known) requireSame(known.bodyHash, bodyHash)
  if (known && known.status !== null) return { status: known.status, results: known.results }
  const columns = { hash, bodyHash, userId, createdAt: known?.createdAt ?? board.clock() }
  const save = (tables: Tables, results: readonly OperationResult[], status: number | null) =>
    store(tables, { ...columns, results, status })
  const outcome = run(board, context, batch, save, known?.results ?? [])
  underWay.set(hash, { bodyHash, outcome })
  try {
    return await outcome
  } finally {
    underWay.delete(hash)
  }
}

function run(
  board: Board,
  context: RequestContext,
  { operations, atomic }: Batch,
  save: ConstructorParameters<typeof RunningBatch>[3],
  known: readonly OperationResult[],
): Promise<BatchOutcome> {
  const batch = new RunningBatch(board, context, operations, save)
  return atomic ? batch.runAll() : batch.runEach(known)
}

/** Returns the key of a request. @throws Problem 'invalid' */
function keyOf(context: RequestContext): string | undefined {
  const key = context.header(IDEMPOTENCY_KEY)
  if (key === null) return undefined
  if (!KEY.test(key)) throw invalid({ [IDEMPOTENCY_KEY]: ['must have 1 to 255 printable ASCII characters'] })
  return key
}

/** Returns a batch whose outcome is still kept. */
function knownBatch({ store: { read }, clock }: Board, hash: string): BatchRow | undefined {
  const row = read.batches.findBy('hash', hash)
  return row && row.createdAt > clock() - BATCH_PERIOD ? row : undefined
}

function store({ batches }: Tables, columns: Omit<BatchRow, 'id'>) {
  const old = batches.findBy('hash', columns.hash)
  if (old) batches.update(old, columns)
  else batches.insert(columns)
}

function requireSame(first: string, second: string) {
  if (first === second) return
  const message = `This ${IDEMPOTENCY_KEY} was already used for another batch. Use a new one.`
  throw new Problem('invalid', message, { errors: { [IDEMPOTENCY_KEY]: ['was used for another batch'] } })
}
