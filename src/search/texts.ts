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

/** The words of a job, each in one place. */
export function textsOf({ title, company, location, description, category, term }: Searchable): Texts {
  const seen = new Set<string>()
  const take = (text: string) => {
    const fresh = wordsIn(text).difference(seen)
    for (const word of fresh) seen.add(word)
    return [...fresh].join(' ')
  }
  return {
    title: take(title),
    company: take(company),
    location: take(location),
    rest: take([description, category, term].join('\n')),
  }
}
