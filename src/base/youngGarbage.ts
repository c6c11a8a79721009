import { edenGC } from 'bun:jsc'

/**
 * In bytes, the short-lived memory that is used between two collections of young garbage. By itself, the runtime lets it grow
 * to the size of the heap, and each new page of it takes longer than the collection of an old one.
 */
const LIMIT = 16 * 2 ** 20

let uncollected = 0

/** Counts memory that is needed only for a moment, in bytes, and collects young garbage when it has become much. */
export function countGarbage(bytes: number): void {
  uncollected += bytes
  if (uncollected < LIMIT) return
  uncollected = 0
  edenGC()
}
