import { errorCode, errorMessage } from '../base/error.ts'

/** The data directory or a backup can't be used. The message is a sentence for the person who runs the board. */
export class StoreError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreError'
  }
}

/** Explanations of system errors that a person can fix. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied. It must belong to the user who runs Corkboard',
  EPERM: 'permission denied. It must belong to the user who runs Corkboard',
  EROFS: 'the file system is read-only',
  ENOENT: 'no such file or directory',
  ENOTDIR: "a part of the path isn't a directory",
  EEXIST: "it isn't a directory",
  EISDIR: 'it is a directory',
  EIO: "the disk can't be read",
  ENOSPC: 'the disk is full',
}

/** Returns a few words on why something failed. */
export function reasonOf(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? errorMessage(error).replace(/\.$/, '')
}

/** Turns a system error about a file or folder into a StoreError. Returns other errors unchanged. */
function toStoreError(path: string, error: unknown): unknown {
  const code = errorCode(error)
  return code === undefined ? error : new StoreError(`${path} can't be used: ${REASONS[code] ?? code}.`)
}

/**
 * Runs work that needs a file or folder.
 * @throws StoreError instead of a system error
 */
export function withFileErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toStoreError(path, error)
  }
}

/**
 * Runs asynchronous work that needs a file or folder.
 * @throws StoreError instead of a system error
 */
export async function withFileErrorsAsync<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(path, error)
  }
}
