/** A key and how often it was counted. */
export type KeyCount = readonly [key: string, count: number]

export interface Counter {
  count: number
}

/** The bound of a counter's memory, in characters: enough for the paths of 16,000 jobs with six digits. */
const MAX_COST = 2 ** 19
/** The memory that a key takes besides its characters. */
const ENTRY_COST = 16

/**
 * Counts by key, in bounded memory. When new keys exceed the bound, the keys with the smallest counts are removed until
 * half of it is free: a flood of keys that each occur once evicts only itself.
 */
export class TopCounter implements Iterable<KeyCount> {
  private readonly counters = new Map<string, Counter>()
  private cost = 0

  constructor(counts: readonly KeyCount[] = []) {
    for (const [key, count] of counts) this.add(key, { count })
  }

  *[Symbol.iterator](): Generator<KeyCount> {
    for (const [key, { count }] of this.counters) yield [key, count]
  }

  /** The counter of a key. It is valid for a while only: a key that was evicted gets a new one, which starts at 0. */
  counterOf(key: string): Counter {
    return this.counters.get(key) ?? this.create(key)
  }

  private create(key: string): Counter {
    const counter = { count: 0 }
    this.add(copyOf(key), counter)
    if (this.cost > MAX_COST) this.evictSmallest()
    return counter
  }

  private add(key: string, counter: Counter) {
    this.counters.set(key, counter)
    this.cost += key.length + ENTRY_COST
  }

  private evictSmallest() {
    const counters = [...this.counters].sort(([, a], [, b]) => b.count - a.count)
    this.counters.clear()
    this.cost = 0
    for (const [key, counter] of counters) if (this.cost < MAX_COST / 2) this.add(key, counter)
  }
}

/** Sorts counts, the largest first, and equal ones by key. */
export const sortedByCount = (counts: Iterable<KeyCount>): KeyCount[] =>
  [...counts].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))

/**
 * Returns the counts if their keys fit into `maxCost` characters, or otherwise the largest, which take half of that, so
 * that there is room for new keys to grow.
 */
export function largestWithin(counts: readonly KeyCount[], maxCost: number): readonly KeyCount[] {
  const costOf = (some: readonly KeyCount[]) => some.reduce((sum, [key]) => sum + key.length + ENTRY_COST, 0)
  if (costOf(counts) <= maxCost) return counts
  const largest: KeyCount[] = []
  let cost = 0
  for (const entry of sortedByCount(counts)) {
    cost += entry[0].length + ENTRY_COST
    if (cost <= maxCost / 2) largest.push(entry)
  }
  return largest
}

/** Copies a text: a slice would keep the whole text that it was cut from in memory. */
export const copyOf = (text: string) => Buffer.from(text).toString()
