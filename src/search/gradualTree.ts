import SearchableMap from 'minisearch/SearchableMap'

/** The number of keys that are added to the tree at a time, which takes about 2 ms. */
const STEP_SIZE = 300

/**
 * MiniSearch's radix tree (`SearchableMap`), which can be loaded gradually, because adding a key takes several microseconds.
 * Keys that wait for that are in a sorted list, which finds prefixes, too.
 */
export class GradualTree {
  private readonly tree = new SearchableMap<number>()
  /** The keys that are not in the tree yet, in order. They are added from the end, so that the rest remains in order. */
  private waiting: string[] = []

  /** @param numberOf returns the value of a key that waits */
  constructor(private readonly numberOf: (key: string) => number | undefined) {}

  /** Loads an empty tree. The keys are added by `addSome`, or as soon as they are needed. */
  load(keys: string[]): void {
    this.waiting = keys.sort()
  }

  /** Adds some of the keys that wait. Returns whether there are more. */
  addSome(): boolean {
    this.addFrom(Math.max(0, this.waiting.length - STEP_SIZE))
    return this.waiting.length > 0
  }

  set(key: string, number: number): void {
    this.tree.set(key, number)
  }

  delete(key: string): void {
    this.addFrom(0)
    this.tree.delete(key)
  }

  get(key: string): number | undefined {
    this.addFrom(0)
    return this.tree.get(key)
  }

  /** Returns the values of the keys at an edit distance: the number of wrong, missing or extra letters. */
  withinDistance(key: string, distance: number): number[] {
    this.addFrom(0)
    return [...this.tree.fuzzyGet(key, distance).values()].map(([number]) => number)
  }

  /** Returns the keys that begin with a prefix, and their values. */
  startingWith(prefix: string): [key: string, number: number][] {
    const found = [...this.tree.atPrefix(prefix)]
    for (let at = this.firstFrom(prefix); this.waiting[at]?.startsWith(prefix) === true; at++) {
      const key = this.waiting[at] ?? ''
      const number = this.numberOf(key)
      if (number !== undefined) found.push([key, number])
    }
    return found
  }

  /** Returns the index of the first waiting key that is not before another. */
  private firstFrom(other: string): number {
    let low = 0
    let high = this.waiting.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.waiting[middle] ?? '') < other) low = middle + 1
      else high = middle
    }
    return low
  }

  private addFrom(start: number) {
    for (const key of this.waiting.splice(start)) {
      const number = this.numberOf(key)
      if (number !== undefined) this.tree.set(key, number)
    }
  }
}
