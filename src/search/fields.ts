import type { Vocabulary } from './vocabulary.ts'

/** The searchable texts of a job: its own, and the names of its category and term. */
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

/** The fields of a job, most important first. A term is indexed once, in the first field that has it. */
export const FIELDS = ['title', 'company', 'location', 'rest'] as const
export type SearchField = (typeof FIELDS)[number]

/** The maximum number of indexed terms of a job, ten times those of a long job. A description can have ten thousand. */
export const MOST_TERMS = 2000

/**
 * Returns the numbers of a job's terms, by field. New terms are added to the vocabulary. Beyond MOST_TERMS, the last ones
 * of the description are left out.
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

/** Returns the job's own texts, without the names of its category and term. */
type OwnTexts = Pick<SearchableJob, 'title' | 'company' | 'location' | 'arrangement' | 'description'>

const HASH_BITS = 53

/** Returns a hash of the job's own texts, to detect changes. */
export const hashOfTexts = ({ title, company, location, arrangement, description }: OwnTexts) =>
  // A description is long, so it is hashed without copying it, and its hash with the other texts.
  hash(`${title}\0${company}\0${location}\0${arrangement}`, Bun.hash.wyhash(description))

/** Returns a hash of all searchable texts. */
export const hashOfJob = (textHash: number, category: string, term: string) =>
  hash(`${textHash}\0${category}\0${term}`)

const hash = (text: string, seed?: bigint) => Number(BigInt.asUintN(HASH_BITS, Bun.hash.wyhash(text, seed)))
