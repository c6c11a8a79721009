import { box, line } from './node.ts'

const SIDE = 112
/** White letters stand out on each of these by 6:1 or more. */
const COLOURS = ['#a63d2f', '#8a4b08', '#4d6312', '#11695a', '#1b5e8c', '#3e4fa3', '#6f3f9c', '#9b2f68']

const tile = {
  width: SIDE,
  height: SIDE,
  borderRadius: 24,
  flexShrink: 0,
  alignItems: 'center',
  justifyContent: 'center',
}

export const logoTile = (logo: Uint8Array) =>
  box({ ...tile, backgroundColor: '#ffffff', border: '2px solid #e3d9c8', padding: 10 }, [
    { type: 'image', src: logo, style: { width: '100%', height: '100%', objectFit: 'contain' } },
  ])

export const monogramTile = (company: string) =>
  box(
    { ...tile, backgroundColor: COLOURS[Bun.hash.crc32(company) % COLOURS.length] ?? '', color: '#ffffff' },
    [line(monogramOf(company), { fontSize: 50, fontWeight: 700 })],
  )

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The initials of the first two words of a name; the first alone where the script has no capitals. */
export function monogramOf(name: string): string {
  const words = name.split(/\s+/u).map(word => word.replace(/^[^\p{L}\p{N}\p{Extended_Pictographic}]+/u, ''))
  const initials = words
    .filter(word => word !== '')
    .map(word => [...graphemes.segment(word)][0]?.segment ?? '')
  const [first = '•', second = ''] = initials.map(initial => initial.toUpperCase())
  return /^[\p{Lu}\p{N}]{2}$/u.test(first + second) ? first + second : first
}
