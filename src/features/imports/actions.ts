import type { Caller } from '../../base/caller.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { readUpload } from '../../http/request/upload.ts'
import { REQUIRED } from '../../validation/field.ts'
import { type Fields, validate } from '../../validation/validation.ts'
import { keepFile, takeFile } from './checkedFiles.ts'
import { readerOf } from './format.ts'
import { ImportError } from './importError.ts'
import { type ImportInput, RunningImport } from './runningImport.ts'
import { ImportQuery } from './schema.ts'
import { createRequestSpool, notStored } from './source.ts'

const MEBIBYTE = 2 ** 20
/** The number of imports that are remembered. */
const MAX_REMEMBERED = 10
const KIND = 'import'
/** The name of a file in messages. */
const FILE = 'The file'

/** The file of an import. */
export const IMPORT_FILE = {
  field: 'file',
  types: ['application/json', 'application/x-ndjson', 'text/csv'],
  maxBytes: 64 * MEBIBYTE,
  description:
    'A JSON array, JSON Lines, or CSV with a header, of at most 64 MiB. The format is detected by its content.',
}

/** The last imports of each board, newest first. They are in memory only. */
const remembered = new WeakMap<Board, RunningImport[]>()

export const listImports = (board: Board): readonly RunningImport[] => remembered.get(board) ?? []

/** Returns an import. @throws Problem 'notFound' if there is none, or it was forgotten */
export function getImport(board: Board, id: number): RunningImport {
  const found = listImports(board).find(running => running.id === id)
  if (!found) throw new Problem('notFound', 'Import not found.')
  return found
}

/**
 * Reads a file from a request and starts to import it. Fields of its form replace those of the query.
 * @param check called with the form once it is read, to refuse it
 * @throws Problem 'conflict' if another import is running, 'invalid' if the file has no known format
 */
export const startImport = (
  board: Board,
  context: RequestContext,
  check: (form: Fields) => void = () => {},
): Promise<RunningImport> => start(board, context.caller, signal => receive(board, context, check, signal))

/**
 * Imports the file of a check that the same account made within the last hour. Rows with errors are left out.
 * @throws Problem 'conflict' if another import is running, or the file is no longer there
 */
export const importChecked = (board: Board, caller: Caller, id: number): Promise<RunningImport> =>
  start(board, caller, async signal => {
    const input = takeFile(board, id, caller.userId)
    if (!input) throw new Problem('conflict', 'The checked file is no longer there. Please upload it again.')
    return remember(
      board,
      { ...input, options: { ...input.options, dry_run: false, keep_going: true } },
      signal,
    )
  })

/** Runs an import in the background. Resolves when it has its file. */
function start(
  board: Board,
  caller: Caller,
  create: (signal: AbortSignal) => Promise<RunningImport>,
): Promise<RunningImport> {
  const { tasks } = board
  if (tasks.isRunning(KIND))
    throw new Problem('conflict', 'Another import is running. Please wait until it has ended.')
  const started = Promise.withResolvers<RunningImport>()
  const task = tasks.run(KIND, async signal => {
    const running = await create(signal)
    started.resolve(running)
    const { input } = running
    if (input.options.dry_run) input.file.hold()
    await running.run(caller)
    if (running.importable > 0 && caller.userId !== undefined)
      keepFile(board, { id: running.id, userId: caller.userId, input }, signal)
    else if (input.options.dry_run) input.file.close()
  })
  task.catch(started.reject)
  return started.promise
}

/** Stores the file of a request in the data directory, without a name, and checks its format. */
async function receive(
  board: Board,
  context: RequestContext,
  check: (form: Fields) => void,
  signal: AbortSignal,
): Promise<RunningImport> {
  const { store } = board
  const file = createRequestSpool(store, FILE)
  try {
    const { size, filename, form } = await readUpload(context.request, IMPORT_FILE, piece => {
      signal.throwIfAborted()
      store.requireSpace(piece.length)
      return file.append(piece).catch(() => {
        throw notStored(FILE)
      })
    })
    check(form)
    const values = new Map([...context.query, ...form.values])
    const validation = validate(ImportQuery, { values, isForm: true })
    if (size === 0) validation.addError(IMPORT_FILE.field, REQUIRED)
    const options = validation.valueOrThrow()
    readerOf(file)
    return remember(board, { file, filename, options }, signal)
  } catch (error) {
    file.close()
    if (!(error instanceof ImportError)) throw error
    throw new Problem('invalid', error.message, { errors: { [IMPORT_FILE.field]: [error.message] } })
  }
}

function remember(board: Board, input: ImportInput, signal: AbortSignal) {
  const others = listImports(board)
  const running = new RunningImport((others[0]?.id ?? 0) + 1, board, input, signal)
  remembered.set(board, [running, ...others.slice(0, MAX_REMEMBERED - 1)])
  return running
}
