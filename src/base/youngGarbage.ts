import { edenGC } from 'bun:jsc'

/**
 * In bytes, the short-lived memory after which young garbage is collected. By itself, the runtime lets garbage grow to the size
 * of the heap, and getting new memory from the system takes longer than collecting and using the old again.
 */
const LIMIT = 16 * 2 ** 20

let uncollected = 0

/** Counts short-lived memory, in bytes, and collects young garbage when there is a lot of it. */
export function countGarbage(bytes: number): void {
  uncollected += bytes
  if (uncollected < LIMIT) return
  uncollected = 0
  edenGC()
}
