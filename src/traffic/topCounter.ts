/** How many of a key there were. */
export type KeyCount = readonly [key: string, count: number]

/** A count that goes up. */
export interface Counter {
  count: number
}

/** In characters: what a tally may hold. The 16,000 paths of jobs with six digits fit into it. */
const MAX_COST = 2 ** 19
/** What a key costs beside its characters. */
const ENTRY_COST = 16

/**
 * Counts by key, within a bound of memory. Where new keys pass it, the keys with the smallest counts are forgotten until
 * half of it is free: a flood of keys that are each seen once makes room for itself alone.
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

  /** Where a key is counted. Holds for a while: a key that was forgotten begins anew in another cell. */
  counterOf(key: string): Counter {
    return this.counters.get(key) ?? this.create(key)
  }

  private create(key: string): Counter {
    const cell = { count: 0 }
    this.add(copyOf(key), cell)
    if (this.cost > MAX_COST) this.evictSmallest()
    return cell
  }

  private add(key: string, cell: Counter) {
    this.counters.set(key, cell)
    this.cost += key.length + ENTRY_COST
  }

  private evictSmallest() {
    const cells = [...this.counters].sort(([, a], [, b]) => b.count - a.count)
    this.counters.clear()
    this.cost = 0
    for (const [key, cell] of cells) if (this.cost < MAX_COST / 2) this.add(key, cell)
  }
}

/** Counts, the largest first; of two that are the same, the key decides. */
export const sortedByCount = (counts: Iterable<KeyCount>): KeyCount[] =>
  [...counts].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))

/** A text of its own: what was cut from a long one keeps all of that in memory. */
const copyOf = (text: string) => Buffer.from(text).toString()
