import { LRUCache } from 'lru-cache'

const MAX_ENTRIES = 4096
const MAX_KEY_LENGTH = 512

/** Caches what `find` returns for a text, except for long texts; evicts the least recently used. */
export class Lru<T extends object> {
  private readonly entries = new LRUCache<string, T>({ max: MAX_ENTRIES })

  constructor(private readonly find: (text: string) => T) {}

  get(text: string): T {
    const cached = this.entries.get(text)
    if (cached) return cached
    const found = this.find(text)
    if (text.length <= MAX_KEY_LENGTH) this.entries.set(text, found)
    return found
  }

  clear(): void {
    this.entries.clear()
  }
}
