import { tokenize } from './tokenizer.ts'

/** What is searched of a job: what it shows, and the names of its category and term. */
export interface SearchableJob {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly location: string
  readonly description: string
  readonly category: string
  readonly term: string
}

/** The places a word can have in a job, the weightiest first. It is indexed once, in the first that has it. */
export const FIELDS = ['title', 'company', 'location', 'rest'] as const
export type SearchField = (typeof FIELDS)[number]

/** The words of each place, with spaces between. */
export type FieldTexts = Readonly<Record<SearchField, string>>

/**
 * Distinct words of a job that are indexed. Ten times what a long posting has; each takes about a kilobyte of memory, and a
 * description has room for ten thousand.
 */
export const MOST_WORDS = 2000

/** Splits a job into its words, each in one place. Beyond MOST_WORDS it leaves out the last words of the description. */
export function fieldTextsOf({
  title,
  company,
  location,
  description,
  category,
  term,
}: SearchableJob): FieldTexts {
  const seen = new Set<string>()
  const take = (text: string) => {
    const fresh = [...tokenize(text).difference(seen)].slice(0, MOST_WORDS - seen.size)
    for (const word of fresh) seen.add(word)
    return fresh.join(' ')
  }
  return {
    title: take(title),
    company: take(company),
    location: take(location),
    rest: take([category, term, description].join('\n')),
  }
}
