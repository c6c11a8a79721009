/** The maximum number of instances that are kept for later searches. */
const MAX_POOL_SIZE = 4

/** Unused instances, because creating large arrays for each word of a search takes longer than clearing the used parts. */
const pool: Scores[] = []

/** The scores of jobs, by their positions. */
export class Scores {
  /** The positions of the matching jobs, without duplicates, in the first `count` elements. */
  readonly positions: Uint32Array
  /** The score of each job, 0 if it doesn't match. */
  readonly values: Float64Array
  /** The number of matching jobs. */
  count = 0

  private constructor(capacity: number) {
    this.positions = new Uint32Array(capacity)
    this.values = new Float64Array(capacity)
  }

  /** Returns empty scores for positions below a limit. */
  static create(capacity: number): Scores {
    const pooled = pool.pop()
    return pooled && pooled.values.length >= capacity ? pooled : new Scores(capacity)
  }

  /** Allows reuse. The scores must not be used afterwards. */
  release(): void {
    for (let at = 0; at < this.count; at++) this.values[this.positions[at] ?? 0] = 0
    this.count = 0
    if (pool.length < MAX_POOL_SIZE) pool.push(this)
  }

  /** Returns the score at a position. */
  get(position: number): number {
    return this.values[position] ?? 0
  }

  /** Sets a score above 0. */
  set(position: number, score: number): void {
    if (this.values[position] === 0) this.positions[this.count++] = position
    this.values[position] = score
  }

  /** Sets a score if it is higher than the present one. */
  raise(position: number, score: number): void {
    if (score > (this.values[position] ?? 0)) this.set(position, score)
  }
}
