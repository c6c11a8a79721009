import { wordsIn } from './words.ts'

/** What is searched of a job: what it shows, and the names of its category and term. */
export interface Searchable {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly location: string
  readonly description: string
  readonly category: string
  readonly term: string
}

/** The places a word can have in a job, the weightiest first. It is indexed once, in the first that has it. */
export const PLACES = ['title', 'company', 'location', 'rest'] as const
export type Place = (typeof PLACES)[number]

/** The words of each place, with spaces between. */
export type Texts = Readonly<Record<Place, string>>

/**
 * Distinct words of a job that are indexed. Ten times what a long posting has; each takes about a kilobyte of memory, and a
 * description has room for ten thousand.
 */
export const MOST_WORDS = 2000

/** Splits a job into its words, each in one place. Beyond MOST_WORDS it leaves out the last words of the description. */
export function textsOf({ title, company, location, description, category, term }: Searchable): Texts {
  const seen = new Set<string>()
  const take = (text: string) => {
    const fresh = [...wordsIn(text).difference(seen)].slice(0, MOST_WORDS - seen.size)
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
