const KEPT_AT_MOST = 4096
const KEY_LENGTH_AT_MOST = 512

/** Remembers what was found out of a text, for as long as nobody clears it, within a bound of memory. */
export class Lru<T> {
  private readonly known = new Map<string, T>()

  constructor(private readonly find: (text: string) => T) {}

  of(text: string): T {
    const known = this.known.get(text)
    if (known !== undefined) return known
    const found = this.find(text)
    if (this.known.size >= KEPT_AT_MOST) this.clear()
    if (text.length <= KEY_LENGTH_AT_MOST) this.known.set(text, found)
    return found
  }

  clear(): void {
    this.known.clear()
  }
}
