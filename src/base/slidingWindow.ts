import { type Clock, MINUTE } from './clock.ts'
import { LruMap } from './lruMap.ts'

const KEYS_AT_MOST = 10_000
/** Moments kept of one key: no limit is larger. */
const MOMENTS_AT_MOST = 100

/** Counts what happened under each key within a sliding window of time. */
export class SlidingWindow {
  private readonly moments = new LruMap<string, readonly number[]>(KEYS_AT_MOST)

  /** @param length of the window, in milliseconds */
  constructor(
    private readonly clock: Clock,
    private readonly length = MINUTE,
  ) {}

  /** Counts one more, and returns its moment. */
  add(key: string): number {
    const now = this.clock()
    this.moments.set(key, [...this.recent(key), now].slice(-MOMENTS_AT_MOST))
    return now
  }

  /** Takes back one that was counted at a moment. */
  remove(key: string, moment: number): void {
    const recent = [...this.recent(key)]
    const at = recent.lastIndexOf(moment)
    if (at !== -1) recent.splice(at, 1)
    if (recent.length > 0) this.moments.set(key, recent)
    else this.moments.delete(key)
  }

  /** The moments within the window, oldest first. */
  recent(key: string): readonly number[] {
    const now = this.clock()
    // a moment ahead of now dates from before the clock was set back: it would count for as long as that
    return this.moments.get(key)?.filter(at => at > now - this.length && at <= now) ?? []
  }

  /** Milliseconds until fewer than `allowed` are in the window; 0 if that is so now. */
  wait(key: string, allowed: number): number {
    const recent = this.recent(key)
    const last = recent[recent.length - allowed]
    return last === undefined ? 0 : last + this.length - this.clock()
  }
}
