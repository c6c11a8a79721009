/** A key and how often it was counted. */
export type KeyCount = readonly [key: string, count: number]

export interface Counter {
  count: number
}

/** The default bound of a counter's memory, in characters: enough for the paths of 16,000 jobs with six digits. */
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

  /** @param maxCost the bound, in characters */
  constructor(
    counts: readonly KeyCount[] = [],
    private readonly maxCost = MAX_COST,
  ) {
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
    if (this.cost > this.maxCost) this.evictSmallest()
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
    for (const [key, counter] of counters) if (this.cost < this.maxCost / 2) this.add(key, counter)
  }
}

/** Sorts counts, the largest first, and equal ones by key. */
export const sortedByCount = (counts: Iterable<KeyCount>): KeyCount[] =>
  [...counts].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))

/** Copies a text: a slice would keep the whole text that it was cut from in memory. */
const copyOf = (text: string) => Buffer.from(text).toString()
