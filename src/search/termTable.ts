const FREE = 0
const DELETED = -1
const INITIAL_SLOTS = 1024
/** The place of the first entry. Zero stands for none. */
const FIRST_PLACE = 1
/** The parts of an entry: the term's number and hash, which take two places each, its length and its letters. */
const [NUMBER, HASH, LENGTH, LETTERS] = [0, 2, 4, 5]
const HASH_OFFSET = 0x811c9dc5
const HASH_PRIME = 0x01000193
const [UPPER_A, UPPER_Z, CASE_BIT] = [0x41, 0x5a, 0x20]

/**
 * A hash table with the number of each term. Unlike a Map, it finds a word inside a text without creating a string, which is
 * most of the work of indexing, and it takes a tenth of the memory. A term's number and letters are next to each other, because
 * looking a word up mostly consists of waiting for memory.
 */
export class TermTable {
  /** For each slot the place of an entry, FREE or DELETED. */
  private slots = new Int32Array(INITIAL_SLOTS)
  /** The entries, one after another. Those of deleted terms stay until the table is rebuilt. */
  private entries = new Uint16Array(INITIAL_SLOTS)
  /** The place for the next entry. */
  private end = FIRST_PLACE
  private count = 0
  private usedSlots = 0

  /** The number of terms. */
  get size(): number {
    return this.count
  }

  /** Returns the number of the term at a place in a text, ignoring the case of ASCII letters; -1 if there is none. */
  find(text: string, start = 0, end = text.length): number {
    const place = this.slots[this.slotOf(text, start, end)] ?? FREE
    return place === FREE ? -1 : intAt(this.entries, place + NUMBER)
  }

  /** Adds a lower-case term that the table doesn't have. */
  add(term: string, number: number): void {
    if (2 * (this.usedSlots + 1) > this.slots.length) this.rebuild(this.count)
    const place = this.end
    this.end += LETTERS + term.length
    if (this.end > this.entries.length) this.entries = copyOf(this.entries, 2 * this.end)
    const { entries } = this
    const termHash = hash(term, 0, term.length)
    entries.set([number, number >>> 16, termHash, termHash >>> 16, term.length], place)
    for (let at = 0; at < term.length; at++) entries[place + LETTERS + at] = term.charCodeAt(at)
    this.insert(place)
    this.count++
  }

  delete(term: string): void {
    const slot = this.slotOf(term, 0, term.length)
    if (this.slots[slot] === FREE) return
    this.slots[slot] = DELETED
    this.count--
  }

  /** Rebuilds the table with space for this many terms, and at least three free slots for each. */
  rebuild(count: number): void {
    const { slots, entries, end } = this
    let size = INITIAL_SLOTS
    while (size < 4 * count) size *= 2
    this.slots = new Int32Array(size)
    this.entries = new Uint16Array(Math.max(INITIAL_SLOTS, end))
    this.end = FIRST_PLACE
    this.usedSlots = 0
    for (const place of slots) {
      if (place <= FREE) continue
      const moved = this.end
      const length = LETTERS + (entries[place + LENGTH] ?? 0)
      // A subarray for each entry would take longer than copying it.
      for (let at = 0; at < length; at++) this.entries[moved + at] = entries[place + at] ?? 0
      this.end += length
      this.insert(moved)
    }
  }

  /** Returns the slot of a term, or the free slot that ends the search for it. */
  private slotOf(text: string, start: number, end: number): number {
    const { slots, entries } = this
    const mask = slots.length - 1
    for (let slot = hash(text, start, end) & mask; ; slot = (slot + 1) & mask) {
      const place = slots[slot] ?? FREE
      if (place === FREE || (place !== DELETED && equals(entries, place, text, start, end))) return slot
    }
  }

  private insert(place: number) {
    const mask = this.slots.length - 1
    let slot = intAt(this.entries, place + HASH) & mask
    while (this.slots[slot] !== FREE) slot = (slot + 1) & mask
    this.slots[slot] = place
    this.usedSlots++
  }
}

/** Returns the number in two places. */
const intAt = (entries: Uint16Array, place: number) =>
  (entries[place] ?? 0) | ((entries[place + 1] ?? 0) << 16)

const lowerCase = (code: number) => (code >= UPPER_A && code <= UPPER_Z ? code | CASE_BIT : code)

/** Returns the FNV-1a hash of a part of a text in lower case. */
function hash(text: string, start: number, end: number): number {
  let value = HASH_OFFSET
  for (let at = start; at < end; at++) value = Math.imul(value ^ lowerCase(text.charCodeAt(at)), HASH_PRIME)
  // The lower bits, which choose the slot, depend least on the last letters.
  return value ^ (value >>> 15)
}

function equals(entries: Uint16Array, place: number, text: string, start: number, end: number): boolean {
  if (entries[place + LENGTH] !== end - start) return false
  const offset = place + LETTERS - start
  for (let at = start; at < end; at++)
    if (entries[offset + at] !== lowerCase(text.charCodeAt(at))) return false
  return true
}

function copyOf(numbers: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> {
  const copy = new Uint16Array(length)
  copy.set(numbers)
  return copy
}
