/**
 * Whether two words, given as their letters, are one slip apart:
 * a letter wrong, missing or extra, or two neighbours swapped.
 */
export function isOneEditApart(one: readonly string[], other: readonly string[]): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++

  const [left, right] = [one.length - start - end, other.length - start - end]
  if (left <= 1 && right <= 1) return left + right > 0
  const isSwap = one[start] === other[start + 1] && one[start + 1] === other[start]
  return left === 2 && right === 2 && isSwap
}
