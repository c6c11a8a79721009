/** A word with more slips than one in this many letters was not meant. */
const LETTERS_PER_EDIT = 3

/** The one of `known` that was most likely meant by `word`: misspelt, or cut short; undefined if none is like it. */
function nearestOf(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.floor(word.length / LETTERS_PER_EDIT) + 1
  for (const candidate of known) {
    const edits = editDistance(word, candidate)
    if (edits >= least) continue
    best = candidate
    least = edits
  }
  return best ?? known.find(candidate => word.length >= LETTERS_PER_EDIT && candidate.startsWith(word))
}

/** `; did you mean …?`, or a full stop. What all of them begin with is given apart, for it says nothing. */
export function suggestion(word: string, known: readonly string[], prefix = ''): string {
  const bare = (text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)
  const meant = nearestOf(bare(word), known.map(bare))
  return meant === undefined ? '.' : `; did you mean ${prefix}${meant}?`
}

/** How many letters are wrong, missing, too many or swapped with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const wrong = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const missing = Math.min(current[column - 1] ?? 0, above[column] ?? 0) + 1
      const isSwap = column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? (before[column - 2] ?? 0) + 1 : Infinity
      current.push(Math.min(wrong, missing, swapped))
    }
    before = above
    above = current
  }
  return above[b.length] ?? 0
}
