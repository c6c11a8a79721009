import { LRUCache } from 'lru-cache'
import { type Clock, MINUTE } from './clock.ts'

const MAX_KEYS = 10_000
/** The number of times stored for one key. No limit is larger. */
const MAX_MOMENTS = 100

/** Counts the events of each key within a sliding window of time. */
export class SlidingWindow {
  private readonly moments: LRUCache<string, readonly number[]>

  /**
   * @param length the length of the window, in milliseconds
   * @param maxKeys the number of keys that are stored; the least recently used ones are removed first
   */
  constructor(
    private readonly clock: Clock,
    private readonly length = MINUTE,
    maxKeys = MAX_KEYS,
  ) {
    this.moments = new LRUCache({ max: maxKeys })
  }

  /** Counts an event, and returns its time. */
  add(key: string, moment = this.clock()): number {
    this.moments.set(key, [...this.recent(key), moment].slice(-MAX_MOMENTS))
    return moment
  }

  /** Removes an event that was counted at this time. */
  remove(key: string, moment: number): void {
    const recent = [...this.recent(key)]
    const at = recent.lastIndexOf(moment)
    if (at !== -1) recent.splice(at, 1)
    if (recent.length > 0) this.moments.set(key, recent)
    else this.moments.delete(key)
  }

  /** Returns the times of the events within the window, oldest first. */
  recent(key: string): readonly number[] {
    const now = this.clock()
    // A time in the future is from before the clock was set back, and would count for too long.
    return this.moments.get(key)?.filter(at => at > now - this.length && at <= now) ?? []
  }

  /** Returns the milliseconds until fewer than `allowed` events are in the window; 0 if there are fewer now. */
  wait(key: string, allowed: number): number {
    const recent = this.recent(key)
    const last = recent[recent.length - allowed]
    return last === undefined ? 0 : last + this.length - this.clock()
  }
}
