/** Bytes that one takes beside its body and its key, about. Without it there would be no end of empty lists. */
const APART = 1024

/** How many keys are remembered that were asked for. */
export const ASKED_AT_MOST = 10_000

/** What can be kept. */
interface Cacheable {
  /** In bytes. */
  readonly cost: number
  /** Set once it is kept. */
  isCached?: boolean
}

/** A body that is kept, and whether it was used since it was last about to go. */
interface Kept<B> {
  readonly body: B
  isUsed: boolean
}

/**
 * Keeps rendered bodies for as long as they hold, within a bound of memory; what came first goes first, but not what was
 * used meanwhile ("second chance": to note that costs a read nothing, and to keep the order of use costs it a tenth). The
 * board has all of these, and drops from them what a change of the store touches: nobody else caches.
 */
export class ResponseCache<K extends string | number, B extends Cacheable> {
  private readonly kept = new Map<K, Kept<B>>()
  private size = 0
  private version: number | undefined
  private readonly underway = new Map<K, Promise<B>>()
  private tooLarge: { readonly key: K; readonly body: WeakRef<B> } | undefined
  /** By their hashes. */
  private readonly asked = new Set<bigint>()

  /** @param bound in bytes */
  constructor(private readonly bound: number) {}

  get(key: K): B | undefined {
    const known = this.kept.get(key)
    if (!known) return undefined
    known.isUsed = true
    return known.body
  }

  keep(key: K, made: B): B {
    this.drop(key)
    const cost = costOf(key, made)
    if (cost > this.bound) {
      this.tooLarge = { key, body: new WeakRef(made) }
      return made
    }
    for (const [oldest, kept] of this.kept) {
      if (this.size + cost <= this.bound) break
      if (kept.isUsed) this.spare(oldest, kept)
      else this.drop(oldest)
    }
    this.kept.set(key, { body: made, isUsed: false })
    made.isCached = true
    this.size += cost
    return made
  }

  /**
   * What is kept under a key, or else is made now, and kept unless what it was made from has changed meanwhile; from the
   * second time on that it is asked for. Most searches are made once: what is kept of them would stay until it is old,
   * which takes more memory and, to get hold of that, a fifth of a search's time.
   * @param version of what it is made from
   */
  keeping(key: K, version: () => number, make: () => B | Promise<B>): B | Promise<B> {
    const before = version()
    const known = this.at(before).get(key) ?? this.underway.get(key) ?? this.stillSent(key)
    if (known) return known
    const keep = (made: B) => (before === version() ? this.at(before).keep(key, made) : made)
    const made = make()
    const isFirst = this.isFirst(key)
    if (made instanceof Promise) return this.share(key, isFirst ? made : made.then(keep))
    return isFirst ? made : keep(made)
  }

  drop(key: K): void {
    const known = this.kept.get(key)
    if (!known) return
    this.kept.delete(key)
    this.size -= costOf(key, known.body)
  }

  clear(): void {
    this.kept.clear()
    this.underway.clear()
    this.tooLarge = undefined
    this.size = 0
  }

  /** Clears what was kept under another version of what it was made from. */
  at(version: number): this {
    if (version !== this.version) this.clear()
    this.version = version
    return this
  }

  /** Whoever asks for what is being made gets that too. */
  private share(key: K, making: Promise<B>): Promise<B> {
    const shared = making.finally(() => {
      if (this.underway.get(key) === shared) this.underway.delete(key)
    })
    this.underway.set(key, shared)
    return shared
  }

  /** What is too large to keep, for as long as somebody else has hold of it. */
  private stillSent(key: K): B | undefined {
    return this.tooLarge?.key === key ? this.tooLarge.body.deref() : undefined
  }

  private isFirst(key: K): boolean {
    const hash = Bun.hash.wyhash(String(key))
    if (this.asked.has(hash)) return false
    if (this.asked.size >= ASKED_AT_MOST) this.asked.clear()
    this.asked.add(hash)
    return true
  }

  private spare(key: K, kept: Kept<B>) {
    kept.isUsed = false
    this.kept.delete(key)
    this.kept.set(key, kept)
  }
}

const costOf = (key: string | number, { cost }: Cacheable) => cost + String(key).length + APART
