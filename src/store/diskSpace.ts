import { statfsSync } from 'node:fs'
import { Problem } from '../base/problem.ts'

const MEBIBYTE = 2 ** 20
/** The free space that writes require: LMDB corrupts the heap if the disk is full during a commit. */
export const MIN_FREE_SPACE = 64 * MEBIBYTE

/** The store grows by more than the size of a text: records fill whole pages, and have index entries and a journal. */
export const STORED_BYTES_PER_BYTE = 6

/** Returns the free space on the disk of a folder, in bytes. */
export function freeSpace(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Returns the Problem for a write that the disk has no space for. */
export const outOfSpace = () =>
  new Problem('full', 'The disk is full: nothing was stored. Free some space, then try again.')

/** Returns the error to throw for a failed commit: its cause, or Problem 'full' if the disk is full. */
export async function commitErrorOf(error: unknown): Promise<unknown> {
  const cause = await causeOf(error)
  return isOutOfSpace(cause) ? outOfSpace() : cause
}

/** Returns the cause of a failed commit, which lmdb-js reports in a promise. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (cause) {
    return cause
  }
}

/** Returns whether LMDB or the system refused to write because the disk, or the user's quota of it, is full. */
export const isOutOfSpace = (error: unknown) =>
  error instanceof Error && /ENOSPC|EDQUOT|No space left|quota exceeded|MDB_MAP_FULL/i.test(error.message)
