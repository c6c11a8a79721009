import type { Vocabulary } from './vocabulary.ts'

/** What is searched of a job: what it shows, and the names of its category and term. */
export interface SearchableJob {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly location: string
  readonly description: string
  readonly arrangement: string
  readonly category: string
  readonly term: string
}

/** The fields in which a job can have a term, the weightiest first. It is indexed once, in the first that has it. */
export const FIELDS = ['title', 'company', 'location', 'rest'] as const
export type SearchField = (typeof FIELDS)[number]

/** Distinct terms of a job that are indexed. Ten times what a long posting has; a description has room for ten thousand. */
export const MOST_TERMS = 2000

/**
 * Returns the numbers of a job's terms, by field. Terms that are new are added to the vocabulary. Beyond MOST_TERMS the
 * last ones of the description are left out.
 */
export function termsByField(job: SearchableJob, vocabulary: Vocabulary): number[][] {
  const { title, company, location, arrangement, category, term, description } = job
  const rest = [arrangement, category, term, description].join('\n')
  const terms = new Set<number>()
  const ends = [title, company, location, rest].map(text => {
    vocabulary.addText(text, terms, MOST_TERMS)
    return terms.size
  })
  const all = [...terms]
  return ends.map((end, at) => all.slice(ends[at - 1] ?? 0, end))
}

/** The texts of a job that only a change of the job itself alters. */
type OwnTexts = Pick<SearchableJob, 'title' | 'company' | 'location' | 'arrangement' | 'description'>

const HASH_BITS = 53

/** A number that says whether the job's own texts are other than they were. */
export const hashOfTexts = ({ title, company, location, arrangement, description }: OwnTexts) =>
  // a description is long: it is hashed as it is, and its hash with the rest
  hash(`${title}\0${company}\0${location}\0${arrangement}`, Bun.hash.wyhash(description))

/** The same of all that is searched of it. */
export const hashOfJob = (textHash: number, category: string, term: string) =>
  hash(`${textHash}\0${category}\0${term}`)

const hash = (text: string, seed?: bigint) => Number(BigInt.asUintN(HASH_BITS, Bun.hash.wyhash(text, seed)))
