import type { SearchableJob } from './searchableJob.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The maximum number of indexed terms of a job, ten times those of a long job. A description can have ten thousand. */
export const MAX_TERMS = 2000

/**
 * Returns the numbers of a job's terms, by field. New terms are added to the vocabulary. Beyond MAX_TERMS, the last ones
 * of the description are left out.
 */
export function termsByField(job: SearchableJob, vocabulary: Vocabulary): number[][] {
  const { title, company, location, arrangement, category, term, description } = job
  const rest = [arrangement, category, term, description].join('\n')
  const terms = new Set<number>()
  const ends = [title, company, location, rest].map(text => {
    vocabulary.addText(text, terms, MAX_TERMS)
    return terms.size
  })
  const all = [...terms]
  return ends.map((end, at) => all.slice(ends[at - 1] ?? 0, end))
}
