import { HOUR } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import type { ImportInput } from './runningImport.ts'

/** How long a checked file can be imported. */
const LIFETIME = HOUR

/** A file that an administrator has checked. It has no name on disk, and is deleted when it is closed. */
interface CheckedFile {
  /** The id of the check. */
  readonly id: number
  readonly userId: number
  readonly input: ImportInput
}

interface KeptFile extends CheckedFile {
  readonly until: number
  /** Stops waiting for the end of its time, or of the board. */
  readonly cancel: () => void
}

/** The last checked file of each board. */
const kept = new WeakMap<Board, KeptFile>()

/**
 * Keeps the file of a check, so that it can be imported without another upload. It replaces the one before.
 * @param signal is aborted when the board closes
 */
export function keepFile(board: Board, file: CheckedFile, signal: AbortSignal): void {
  const close = () => remove(board)?.file.close()
  close()
  if (signal.aborted) return file.input.file.close()
  const timer = setTimeout(close, LIFETIME)
  timer.unref()
  signal.addEventListener('abort', close)
  const cancel = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', close)
  }
  kept.set(board, { ...file, until: board.clock() + LIFETIME, cancel })
}

/** Returns whether the file of a check can be imported by this account. */
export function hasFile(board: Board, id: number, userId: number | undefined): boolean {
  const file = kept.get(board)
  return file?.id === id && file.userId === userId && board.clock() < file.until
}

/** Returns the file of a check and its options. The caller closes it, and nobody else gets it. */
export const takeFile = (board: Board, id: number, userId: number | undefined): ImportInput | undefined =>
  hasFile(board, id, userId) ? remove(board) : undefined

function remove(board: Board): ImportInput | undefined {
  const file = kept.get(board)
  file?.cancel()
  kept.delete(board)
  return file?.input
}
