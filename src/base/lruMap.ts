/** A map of bounded size: when it is full, it forgets the key that was set longest ago. */
export class LruMap<K, V> extends Map<K, V> {
  constructor(private readonly atMost: number) {
    super()
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.size > this.atMost ? this.keys() : []
    if (oldest !== undefined) this.delete(oldest)
    return this
  }
}
