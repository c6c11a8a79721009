const FIRST_CAPACITY = 1024

/** A set of ids that takes a byte for each id up to the highest, so that thousands of look-ups take microseconds. */
export class IdSet {
  private bytes = new Uint8Array(FIRST_CAPACITY)

  has(id: number): boolean {
    return this.bytes[id] === 1
  }

  add(id: number): void {
    if (id >= this.bytes.length) {
      const bytes = new Uint8Array(2 * id)
      bytes.set(this.bytes)
      this.bytes = bytes
    }
    this.bytes[id] = 1
  }

  delete(id: number): void {
    if (id < this.bytes.length) this.bytes[id] = 0
  }

  clear(): void {
    this.bytes.fill(0)
  }
}
