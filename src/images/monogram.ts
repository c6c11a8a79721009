const COLOURS = 12

/** Returns the number of a company's colour, of twelve. */
export const monogramColour = (company: string) => Bun.hash.crc32(company) % COLOURS

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Returns the initials of the first two words of a name. A single word gets its first two letters (`Ry`), because many
 * names share a first one. In scripts without capitals, only the first character is used.
 */
export function monogramOf(name: string): string {
  const [first = '•', second = ''] = name
    .split(/\s+/u)
    .map(word => word.replace(/^[^\p{L}\p{N}\p{Extended_Pictographic}]+/u, ''))
    .filter(word => word !== '')
  const initial = characterAt(first, 0).toUpperCase()
  const next =
    second === '' ? characterAt(first, initial.length).toLowerCase() : characterAt(second, 0).toUpperCase()
  return /^[\p{Lu}\p{N}][\p{Lu}\p{Ll}\p{N}]$/u.test(initial + next) ? initial + next : initial
}

/** Returns the character, as readers see it, at an index in UTF-16 units. */
const characterAt = (word: string, index: number) => graphemes.segment(word).containing(index)?.segment ?? ''
