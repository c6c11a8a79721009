import { cutInTwo, glue, inflect, otherForm, slip } from './misspellings.ts'
import type { Posting } from './postings.ts'
import { pick } from './random.ts'

/** What somebody types who knows which posting they want, and the posting. */
export interface Query {
  readonly text: string
  readonly expected: Posting
}

/** What a query is made of: words of a posting, as they are written in it. */
interface Source {
  readonly posting: Posting
  readonly random: () => number
  /** In how many titles a word is. */
  readonly rarity: ReadonlyMap<string, number>
  /** All words of all postings. */
  readonly words: ReadonlySet<string>
}
type Maker = (source: Source) => string | undefined

const SLIP_FROM = 5
const LONG_FROM = 8
const CHANGE_FROM = 4
const CUT_FROM = 7
const PREFIX_FROM = 3

const AROUND = [
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

/** The ways in which somebody asks for a posting that they know. */
export const WAYS: Readonly<Record<string, Maker>> = {
  clean: known,
  'one slip': source => withChange(source, SLIP_FROM, slip),
  'another number': source => withChange(source, CHANGE_FROM, inflect),
  'another form': source =>
    withChange(source, CHANGE_FROM, (word, random) => otherForm(word, source.words, random)),
  'words around it': source => {
    const words = known(source)
    return words && pick(AROUND, source.random).replace('*', words)
  },
  'a place': source => {
    const title = rarest(source, 2)
    const place = wordsOf(source.posting.location).filter(word => word.length > 2)
    return title.length > 0 && place.length > 0
      ? [...title, 'in', pick(place, source.random)].join(' ')
      : undefined
  },
  'two slips in two words': source => {
    const words = known(source)?.split(' ') ?? []
    const long = words.filter(word => word.length >= SLIP_FROM).slice(0, 2)
    if (long.length < 2) return undefined
    return words.map(word => (long.includes(word) ? slip(word, source.random) : word)).join(' ')
  },
  'two slips in one word': source =>
    withChange(source, LONG_FROM, (word, random) => slip(slip(word, random), random)),
  'two words glued': source => {
    const words = known(source)?.split(' ') ?? []
    return glue(words, wordsOf(source.posting.title), source.random)
  },
  'a word cut in two': source => withChange(source, CUT_FROM, cutInTwo),
  'as it is typed': source => {
    const words = known(source)?.split(' ') ?? []
    const last = words.pop()
    if (last === undefined || last.length <= PREFIX_FROM) return undefined
    const length = PREFIX_FROM + Math.floor(source.random() * (last.length - PREFIX_FROM))
    return [...words, last.slice(0, length)].join(' ')
  },
  'other order': source => known(source)?.split(' ').toReversed().join(' '),
  'accents left off': source =>
    /\p{M}/u.test(`${source.posting.title} ${source.posting.company}`.normalize('NFD'))
      ? known(source)
      : undefined,
}

/** Two or three rare words of the title, and the company. */
function known(source: Source): string | undefined {
  const title = rarest(source, source.random() < 0.5 ? 2 : 3)
  const words = [...title, ...wordsOf(source.posting.company).slice(0, 2)]
  return title.length > 1 ? [...new Set(words)].join(' ') : undefined
}

/** The same with one word changed, of those that are long enough and can be. */
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
  const able = words.flatMap((word, at) => (changed[at] !== undefined && changed[at] !== word ? [at] : []))
  if (able.length === 0) return undefined
  const chosen = pick(able, random)
  return words.map((word, at) => (at === chosen ? changed[at] : word)).join(' ')
}

const rarest = ({ posting, rarity }: Source, count: number) =>
  [...new Set(wordsOf(posting.title))]
    .sort((a, b) => (rarity.get(a) ?? 0) - (rarity.get(b) ?? 0))
    .slice(0, count)

/** Up to `count` queries of one way, for postings that no other could be taken for. */
export function queriesFor(
  way: string,
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
      text: WAYS[way]?.({ posting, random, rarity, words }) ?? '',
    }))
    .filter(({ text }) => text !== '')
    .slice(0, count)
}

/** What a posting is recognised by in a list. */
export const nameOf = ({ title, company }: Pick<Posting, 'title' | 'company'>) =>
  `${fold(title)}\n${fold(company)}`
