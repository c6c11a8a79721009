import { SECOND } from '../base/clock.ts'
import { Histogram } from '../base/histogram.ts'

/** In seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Counts the writes to a store since it was opened. */
export class WriteCounts {
  /** In seconds, the time until a write's transaction begins. */
  readonly waits = new Histogram(BOUNDS)
  /** In seconds, the time until a write is on disk, including its wait. */
  readonly durations = new Histogram(BOUNDS)
  private failures = 0

  /** The number of writes that changed nothing because they were refused or failed. */
  get failed(): number {
    return this.failures
  }

  /** Measures a write. @param write gets a function to call when its transaction begins */
  async measure<T>(write: (begin: () => void) => Promise<T>): Promise<T> {
    const start = performance.now()
    const elapsed = () => (performance.now() - start) / SECOND
    try {
      const result = await write(() => this.waits.observe(elapsed()))
      this.durations.observe(elapsed())
      return result
    } catch (error) {
      this.failures++
      throw error
    }
  }
}
