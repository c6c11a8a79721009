import { LRUCache } from 'lru-cache'
import type { Later } from '../../base/later.ts'
import type { PageView } from '../request/context.ts'
import type { EncodedBody } from './encodedBody.ts'
import { Reply } from './reply.ts'

/** In bytes, the memory of an entry without its value and key. Without it, the number of empty lists would be unlimited. */
const ENTRY_COST = 1024
/** The number of keys that are remembered after one request. */
export const MAX_SEEN_KEYS = 10_000

/** A value that can be cached. */
export interface Cacheable {
  /** The memory that it uses, in bytes. */
  readonly cost: number
  /** Set by the cache when it stores the value. */
  isCached?: boolean
}

/** A reply whose body is already encoded, so that it can be cached and sent to everybody. */
export class EncodedReply<T = unknown> extends Reply<T, 200> implements Cacheable {
  /** The pattern of the route that made it, which the pipeline sets. */
  route: string | undefined

  /** @param view the page view that it counts as */
  constructor(
    override readonly body: EncodedBody,
    headers?: Readonly<Record<string, string>>,
    readonly view?: PageView,
  ) {
    super(body, 200, headers)
  }

  get cost(): number {
    return this.body.cost
  }

  get isCached(): boolean {
    return this.body.isCached
  }

  set isCached(isCached: boolean) {
    this.body.isCached = isCached
  }
}

/** Returns the version of the data that a value depends on, or undefined if the value must not be cached. */
export type Version = () => number | undefined

interface Entry {
  readonly value: Cacheable
  readonly madeAt: number
  readonly version: Version
}

interface Pending {
  readonly madeAt: number | undefined
  readonly value: Promise<Cacheable>
}

/**
 * Caches the replies that are the same for everybody, and parts of them. There is one rule: an entry is valid while the
 * version of the data it depends on is unchanged. It is checked at each use, so nothing has to be invalidated.
 *
 * A reply's key is its path and query in canonical form. The route builds it from the validated input, so that unknown
 * parameters don't fill the cache. All other keys begin with a word instead of a slash.
 */
export class ResponseCache {
  private readonly entries: LRUCache<string, Entry>
  /** The values that are being created, which simultaneous requests share. */
  private readonly inProgress = new Map<string, Pending>()
  private readonly seen = new LRUCache<string, true>({ max: MAX_SEEN_KEYS })
  private oversized:
    { readonly key: string; readonly madeAt: number; readonly value: WeakRef<Cacheable> } | undefined
  private hitCount = 0
  private missCount = 0

  /** @param maxSize in bytes */
  constructor(private readonly maxSize: number) {
    this.entries = new LRUCache({ maxSize, sizeCalculation: ({ value }, key) => sizeOf(key, value) })
  }

  /** The number of entries, and in bytes the memory that they use and may use. */
  get usage(): { readonly entries: number; readonly size: number; readonly maxSize: number } {
    return { entries: this.entries.size, size: this.entries.calculatedSize, maxSize: this.maxSize }
  }

  /** How often a value was used again, and how often one had to be created. */
  get lookups(): { readonly hits: number; readonly misses: number } {
    return { hits: this.hitCount, misses: this.missCount }
  }

  /** Returns the value of a key if it is cached and still valid. */
  get(key: string): Cacheable | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    if (entry.version() === entry.madeAt) return entry.value
    this.entries.delete(key)
    return undefined
  }

  /** Returns the cached reply whose key is this path and query. */
  replyTo(target: string): EncodedReply | undefined {
    const value = this.get(target)
    if (!(value instanceof EncodedReply)) return undefined
    this.hitCount++
    return value
  }

  /**
   * Returns the cached value of a key, or creates it, and caches it unless its version has changed in the meantime.
   * @param onlyRepeated cache it only from the second request on, for searches: most of them are made once
   */
  getOrCreate<T extends Later<Cacheable>>(
    key: string,
    version: Version,
    create: () => T,
    onlyRepeated = false,
  ): T | Awaited<T> {
    const madeAt = version()
    // All values of a key have the same type.
    const cached = (this.get(key) ?? this.shared(key, madeAt)) as T | Awaited<T> | undefined
    if (cached) {
      this.hitCount++
      return cached
    }
    this.missCount++
    const store = <V extends Cacheable>(value: V) => {
      const isCurrent = madeAt !== undefined && madeAt === version()
      if (isCurrent && !(onlyRepeated && this.isFirst(key))) this.store(key, { value, madeAt, version })
      return value
    }
    const created = create()
    if (!(created instanceof Promise)) return store(created as Awaited<T> & Cacheable)
    return this.share(key, madeAt, created.then(store)) as unknown as T
  }

  private store(key: string, entry: Entry) {
    if (sizeOf(key, entry.value) > this.maxSize) {
      this.oversized = { key, madeAt: entry.madeAt, value: new WeakRef(entry.value) }
      return
    }
    entry.value.isCached = true
    this.entries.set(key, entry)
  }

  /** Returns a current value that is being created, or is too large to cache but still in memory because it is being sent. */
  private shared(key: string, version: number | undefined): Later<Cacheable> | undefined {
    const pending = this.inProgress.get(key)
    if (pending && pending.madeAt === version) return pending.value
    const { oversized } = this
    return oversized?.key === key && oversized.madeAt === version ? oversized.value.deref() : undefined
  }

  private share<T extends Cacheable>(key: string, madeAt: number | undefined, value: Promise<T>): Promise<T> {
    const pending = { madeAt, value }
    this.inProgress.set(key, pending)
    const finish = () => {
      if (this.inProgress.get(key) === pending) this.inProgress.delete(key)
    }
    value.then(finish, finish)
    return value
  }

  private isFirst(key: string): boolean {
    const wasSeen = this.seen.has(key)
    this.seen.set(key, true)
    return !wasSeen
  }
}

const sizeOf = (key: string, { cost }: Cacheable) => cost + key.length + ENTRY_COST
