import { statfsSync } from 'node:fs'
import { Problem } from '../base/problem.ts'

const MEBIBYTE = 2 ** 20
/** Below this a write is refused: LMDB, met by a full disk inside a commit, corrupts the process's heap. */
export const MIN_FREE_SPACE = 64 * MEBIBYTE

/** How much may still be written where this folder is, in bytes. */
export function freeSpace(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export const outOfSpace = () =>
  new Problem(
    'full',
    'The disk is full: nothing was stored. Reading goes on; free some space, then try again.',
  )

/** lmdb-js hides the cause of a failed commit in a promise of its own, which must be heard or it ends the process. */
export async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (cause) {
    return cause
  }
}

/** Whether LMDB or the system refused to write because the disk, or the user's quota of it, is full. */
export const isOutOfSpace = (error: unknown) =>
  error instanceof Error && /ENOSPC|EDQUOT|No space left|quota exceeded|MDB_MAP_FULL/i.test(error.message)
