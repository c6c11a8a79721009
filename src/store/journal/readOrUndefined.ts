/** Reads a row that may be damaged; undefined if it is. */
export function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
