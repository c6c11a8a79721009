import { inflect, joinWords, otherForm, split, typo } from './misspellings.ts'
import type { Posting } from './postings.ts'
import { pick } from './random.ts'

/** A query of somebody who looks for a certain posting, and the posting. */
export interface Query {
  readonly text: string
  readonly expected: Posting
}

/** The posting that a query is made from, and what the other postings contain. */
interface Source {
  readonly posting: Posting
  readonly random: () => number
  /** The number of titles that have a word. */
  readonly rarity: ReadonlyMap<string, number>
  /** All words of all postings. */
  readonly words: ReadonlySet<string>
}
type Maker = (source: Source) => string | undefined

const MIN_TYPO_LENGTH = 5
const MIN_TWO_TYPOS_LENGTH = 8
const MIN_INFLECTED_LENGTH = 4
const MIN_SPLIT_LENGTH = 7
const MIN_PREFIX_LENGTH = 3

const PHRASES = [
  'looking for a * job please',
  'jobs in *',
  'i am looking for a position as *',
  '* jobs',
  'find me a job as a *',
  'open positions for *',
  'work as *',
  'the * position at your company',
]

const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Ways to search for a known posting. Each returns a query made from the posting's words. */
export const QUERY_KINDS: Readonly<Record<string, Maker>> = {
  clean: known,
  'one typo': source => withChange(source, MIN_TYPO_LENGTH, typo),
  'another number': source => withChange(source, MIN_INFLECTED_LENGTH, inflect),
  'another form': source =>
    withChange(source, MIN_INFLECTED_LENGTH, (word, random) => otherForm(word, source.words, random)),
  'words around it': source => {
    const words = known(source)
    return words && pick(PHRASES, source.random).replace('*', words)
  },
  'a place': source => {
    const title = rarest(source, 2)
    const place = wordsOf(source.posting.location).filter(word => word.length > 2)
    return title.length > 0 && place.length > 0
      ? [...title, 'in', pick(place, source.random)].join(' ')
      : undefined
  },
  'two typos in two words': source => {
    const words = known(source)?.split(' ') ?? []
    const long = words.filter(word => word.length >= MIN_TYPO_LENGTH).slice(0, 2)
    if (long.length < 2) return undefined
    return words.map(word => (long.includes(word) ? typo(word, source.random) : word)).join(' ')
  },
  'two typos in one word': source =>
    withChange(source, MIN_TWO_TYPOS_LENGTH, (word, random) => typo(typo(word, random), random)),
  'two words glued': source => {
    const words = known(source)?.split(' ') ?? []
    return joinWords(words, wordsOf(source.posting.title), source.random)
  },
  'a word cut in two': source => withChange(source, MIN_SPLIT_LENGTH, split),
  'as it is typed': source => {
    const words = known(source)?.split(' ') ?? []
    const last = words.pop()
    if (last === undefined || last.length <= MIN_PREFIX_LENGTH) return undefined
    const length = MIN_PREFIX_LENGTH + Math.floor(source.random() * (last.length - MIN_PREFIX_LENGTH))
    return [...words, last.slice(0, length)].join(' ')
  },
  'other order': source => known(source)?.split(' ').toReversed().join(' '),
  'accents left off': source =>
    /\p{M}/u.test(`${source.posting.title} ${source.posting.company}`.normalize('NFD'))
      ? known(source)
      : undefined,
}

/** Returns two or three rare words of the title, and the company. */
function known(source: Source): string | undefined {
  const title = rarest(source, source.random() < 0.5 ? 2 : 3)
  const words = [...title, ...wordsOf(source.posting.company).slice(0, 2)]
  return title.length > 1 ? [...new Set(words)].join(' ') : undefined
}

/** Returns the same with one word changed, chosen among those that are long enough. */
function withChange(
  source: Source,
  from: number,
  change: (word: string, random: () => number) => string | undefined,
): string | undefined {
  const { random } = source
  const words = known(source)?.split(' ') ?? []
  const changed = words.map(word =>
    word.length >= from && !/\d/.test(word) ? change(word, random) : undefined,
  )
  const changeable = words.flatMap((word, at) =>
    changed[at] !== undefined && changed[at] !== word ? [at] : [],
  )
  if (changeable.length === 0) return undefined
  const chosen = pick(changeable, random)
  return words.map((word, at) => (at === chosen ? changed[at] : word)).join(' ')
}

const rarest = ({ posting, rarity }: Source, count: number) =>
  [...new Set(wordsOf(posting.title))]
    .sort((a, b) => (rarity.get(a) ?? 0) - (rarity.get(b) ?? 0))
    .slice(0, count)

/** Returns up to `count` queries of one kind, for postings with a unique title and company. */
export function queriesFor(
  kind: string,
  postings: readonly Posting[],
  count: number,
  random: () => number,
): Query[] {
  const rarity = new Map<string, number>()
  for (const { title } of postings)
    for (const word of new Set(wordsOf(title))) rarity.set(word, (rarity.get(word) ?? 0) + 1)
  const words = new Set(postings.flatMap(({ title, description }) => wordsOf(`${title} ${description}`)))
  const names = Map.groupBy(postings, nameOf)
  const alone = postings.filter(posting => names.get(nameOf(posting))?.length === 1)
  const shuffled = alone.map(posting => ({ posting, at: random() })).sort((a, b) => a.at - b.at)
  return shuffled
    .map(({ posting }) => ({
      expected: posting,
      text: QUERY_KINDS[kind]?.({ posting, random, rarity, words }) ?? '',
    }))
    .filter(({ text }) => text !== '')
    .slice(0, count)
}

/** Returns what identifies a posting in results: the words of its title and company. No query could tell signs apart. */
export const nameOf = ({ title, company }: Pick<Posting, 'title' | 'company'>) =>
  [title, company].map(text => wordsOf(text).join(' ')).join('\n')
