const COLOURS = 8

/** Returns the number of the colour of a company's monogram, from 0 to 7. */
export const monogramColour = (company: string) => Bun.hash.crc32(company) % COLOURS

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Returns the initials of the first two words of a name, or only the first one if the script has no capitals. */
export function monogramOf(name: string): string {
  const words = name.split(/\s+/u).map(word => word.replace(/^[^\p{L}\p{N}\p{Extended_Pictographic}]+/u, ''))
  const initials = words
    .filter(word => word !== '')
    .map(word => graphemes.segment(word).containing(0)?.segment)
  const [first = '•', second = ''] = initials.map(initial => initial?.toUpperCase())
  return /^[\p{Lu}\p{N}]{2}$/u.test(first + second) ? first + second : first
}
