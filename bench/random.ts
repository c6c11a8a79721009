/** Returns a generator of pseudo-random numbers from 0 to 1, the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a random item of a list. */
export function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
