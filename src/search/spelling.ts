/** Returns a word with its letters in reverse order. */
export const reversed = (word: string) => [...word].toReversed().join('')

/** Returns all variants of a word with two neighbouring letters swapped. */
export const transpositionsOf = (word: string) =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  ).filter(swapped => swapped !== word)
