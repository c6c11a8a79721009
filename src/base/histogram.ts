/** Counts measured values in buckets, to show how they are distributed. */
export class Histogram {
  /** The number of values in each bucket, and at the end of those above all bounds. */
  private readonly counts: Float64Array
  private total = 0

  /** @param bounds the upper bounds of the buckets, inclusive, in ascending order */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let bucket = 0
    while (value > (this.bounds[bucket] ?? Infinity)) bucket++
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.total += value
  }

  /** The sum of all values. */
  get sum(): number {
    return this.total
  }

  /** Returns the number of values up to each bound, and up to Infinity: the number of all values. */
  cumulative(): [bound: number, count: number][] {
    let count = 0
    return [...this.counts].map((own, bucket) => [this.bounds[bucket] ?? Infinity, (count += own)])
  }
}
