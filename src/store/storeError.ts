/** The data directory can't be used as it is: a sentence for the one who runs the board. */
export class StoreError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreError'
  }
}

/** Why the system refused a file, where a person can do something about it. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied; it must belong to the user who runs Corkboard',
  EPERM: 'permission is denied; it must belong to the user who runs Corkboard',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is no directory',
  EEXIST: 'it is no directory',
  EISDIR: 'it is a directory',
  EIO: 'the disk can not be read',
  ENOSPC: 'the disk is full',
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Why something failed, in a few words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return REASONS[code ?? ''] ?? (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}

/** The system's own refusal of a file or a folder, as a StoreError; any other error as it is. */
function toStoreError(path: string, error: unknown): unknown {
  const code = codeOf(error)
  return code === undefined ? error : new StoreError(`${path} can't be used: ${REASONS[code] ?? code}.`)
}

/**
 * Does what needs a file or a folder.
 * @throws StoreError in place of the system's own error
 */
export function withFileErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toStoreError(path, error)
  }
}

/**
 * The same for work that takes its time.
 * @throws StoreError in place of the system's own error
 */
export async function withFileErrorsAsync<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(path, error)
  }
}
