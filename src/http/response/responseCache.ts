import { LRUCache } from 'lru-cache'
import type { Later } from '../../base/later.ts'
import type { PageView } from '../request/context.ts'
import type { EncodedBody } from './encodedBody.ts'
import { Reply } from './reply.ts'

/** The memory of an entry besides its value and key, in bytes: without it, there would be no limit to empty lists. */
const ENTRY_COST = 1024
/** How many keys that were requested once are remembered. */
export const MAX_SEEN_KEYS = 10_000

/** What can be cached. */
export interface Cacheable {
  /** In bytes. */
  readonly cost: number
  /** Set once it is in the cache. */
  isCached?: boolean
}

/** A reply that is encoded already. */
export type EncodedReply<T = unknown> = Reply<T, 200> & { readonly body: EncodedBody }

export const encodedReply = <T>(body: EncodedBody, headers: Readonly<Record<string, string>> = {}) =>
  new Reply<T, 200>(body, 200, headers) as EncodedReply<T>

/** A reply that everybody gets, with the page view that it counts as. */
export class CachedReply<T = unknown> implements Cacheable {
  constructor(
    readonly reply: EncodedReply<T>,
    readonly view?: PageView,
  ) {}

  get cost(): number {
    return this.reply.body.cost
  }

  set isCached(isCached: boolean) {
    this.reply.body.isCached = isCached
  }
}

/** The version of what a value is made from, or undefined if the value is not to be cached. */
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
 * Caches what everybody gets: replies, and what they are made of. There is one rule: an entry is valid while the version of
 * what it was made from is unchanged. It is checked at each use, so nobody has to clear anything.
 *
 * A reply's key is the path and query by which it is requested, in canonical form: the route names it from its checked
 * input, so that unknown parameters don't fill the cache. All other keys begin with a word.
 */
export class ResponseCache {
  private readonly entries: LRUCache<string, Entry>
  /** What is being made, which simultaneous requests share. */
  private readonly inProgress = new Map<string, Pending>()
  private readonly seen = new LRUCache<string, true>({ max: MAX_SEEN_KEYS })
  private oversized:
    { readonly key: string; readonly madeAt: number; readonly value: WeakRef<Cacheable> } | undefined

  /** @param maxSize in bytes */
  constructor(private readonly maxSize: number) {
    this.entries = new LRUCache({ maxSize, sizeCalculation: ({ value }, key) => sizeOf(key, value) })
  }

  /** What is cached under a key and still valid. */
  get(key: string): Cacheable | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    if (entry.version() === entry.madeAt) return entry.value
    this.entries.delete(key)
    return undefined
  }

  /** The reply to a path and query, if it is cached under just these. */
  replyTo(target: string): CachedReply | undefined {
    const value = this.get(target)
    return value instanceof CachedReply ? value : undefined
  }

  /**
   * Returns what is cached under a key, or else creates it, and caches it unless its version has changed meanwhile.
   * @param onlyRepeated cache it from the second request on. Most searches are made once: to store those costs more than it
   * saves
   */
  getOrCreate<T extends Later<Cacheable>>(
    key: string,
    version: Version,
    create: () => T,
    onlyRepeated = false,
  ): T | Awaited<T> {
    const madeAt = version()
    // a key always stands for the same type of value
    const known = (this.get(key) ?? this.shared(key, madeAt)) as T | Awaited<T> | undefined
    if (known) return known
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

  /** What is being made, or too large to cache and still being sent. Not what lacks a change that was committed since. */
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
