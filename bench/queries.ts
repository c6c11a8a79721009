import type { Posting } from './postings.ts'
import { pick } from './random.ts'

/** A query for a known posting. */
export interface Query {
  readonly text: string
  readonly expected: Posting
}

type Maker = (posting: Posting, random: () => number, rarity: Rarity) => string | undefined
/** The number of postings that contain a word. */
type Rarity = ReadonlyMap<string, number>

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const MIN_TYPO_LENGTH = 5
const MIN_PREFIX_LENGTH = 3

const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The ways in which people search for a posting that they know. */
export const WAYS: Readonly<Record<string, Maker>> = {
  clean: known,
  'one slip': (posting, random, rarity) => {
    const words = known(posting, random, rarity)?.split(' ') ?? []
    const long = words.filter(word => word.length >= MIN_TYPO_LENGTH)
    if (long.length === 0) return undefined
    const wrong = pick(long, random)
    return words.map(word => (word === wrong ? addTypo(word, random) : word)).join(' ')
  },
  'as it is typed': (posting, random, rarity) => {
    const words = known(posting, random, rarity)?.split(' ') ?? []
    const last = words.pop()
    if (last === undefined || last.length <= MIN_PREFIX_LENGTH) return undefined
    const length = MIN_PREFIX_LENGTH + Math.floor(random() * (last.length - MIN_PREFIX_LENGTH))
    return [...words, last.slice(0, length)].join(' ')
  },
  'other order': (posting, random, rarity) =>
    known(posting, random, rarity)?.split(' ').toReversed().join(' '),
  'accents left off': (posting, random, rarity) =>
    /\p{M}/u.test(`${posting.title} ${posting.company}`.normalize('NFD'))
      ? known(posting, random, rarity)
      : undefined,
  'two fields': (posting, random, rarity) => {
    const title = rarest(wordsOf(posting.title), rarity, 2)
    const place = wordsOf(posting.location).filter(word => word.length > 2)
    return title.length > 0 && place.length > 0 ? [...title, pick(place, random)].join(' ') : undefined
  },
}

/** Returns two or three rare words of the title, and the company. */
function known(posting: Posting, random: () => number, rarity: Rarity): string | undefined {
  const title = rarest(wordsOf(posting.title), rarity, random() < 0.5 ? 2 : 3)
  const words = [...title, ...wordsOf(posting.company).slice(0, 2)]
  return title.length > 1 ? [...new Set(words)].join(' ') : undefined
}

const rarest = (words: readonly string[], rarity: Rarity, count: number) =>
  [...new Set(words)].sort((a, b) => (rarity.get(a) ?? 0) - (rarity.get(b) ?? 0)).slice(0, count)

/** Returns a word with a wrong, missing, extra or swapped letter. */
function addTypo(word: string, random: () => number): string {
  const at = Math.floor(random() * (word.length - 1))
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  const letter = pick([...LETTERS], random)
  return pick(
    [
      before + letter + after,
      before + after,
      before + letter + word.slice(at),
      before + word[at + 1] + word[at] + word.slice(at + 2),
    ],
    random,
  )
}

/** Returns up to `count` queries of one way, for postings whose title and company are unique. */
export function queriesFor(
  way: string,
  postings: readonly Posting[],
  count: number,
  random: () => number,
): Query[] {
  const rarity = new Map<string, number>()
  for (const { title } of postings)
    for (const word of new Set(wordsOf(title))) rarity.set(word, (rarity.get(word) ?? 0) + 1)
  const names = Map.groupBy(postings, nameOf)
  const alone = postings.filter(posting => names.get(nameOf(posting))?.length === 1)
  const shuffled = alone.map(posting => ({ posting, at: random() })).sort((a, b) => a.at - b.at)
  return shuffled
    .map(({ posting }) => ({ expected: posting, text: WAYS[way]?.(posting, random, rarity) ?? '' }))
    .filter(({ text }) => text !== '')
    .slice(0, count)
}

/** Returns the title and company, which identify a posting in a list. */
export const nameOf = ({ title, company }: Pick<Posting, 'title' | 'company'>) =>
  `${fold(title)}\n${fold(company)}`
