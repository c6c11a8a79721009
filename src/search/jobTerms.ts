import { IdSet } from './idSet.ts'
import type { SearchableJob } from './searchableJob.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The maximum number of indexed terms of a job, ten times those of a long job. A description can have ten thousand. */
export const MAX_TERMS = 2000

/** The terms of the job that is being read. It is empty between jobs, and is reused because filling a new set takes longer. */
const found = new IdSet()

/**
 * Returns the numbers of a job's terms, by field. New terms are added to the vocabulary. Beyond MAX_TERMS, the last ones
 * of the description are left out.
 */
export function termsByField(job: SearchableJob, vocabulary: Vocabulary): number[][] {
  const { title, company, location, arrangement, category, term, description } = job
  const rest = [arrangement, category, term, description].join('\n')
  const terms: number[] = []
  const add = (number: number) => {
    if (!found.has(number)) {
      found.add(number)
      terms.push(number)
    }
    return terms.length < MAX_TERMS
  }
  try {
    const ends = [title, company, location, rest].map(text => {
      vocabulary.forEachTerm(text, add)
      return terms.length
    })
    return ends.map((end, at) => terms.slice(ends[at - 1] ?? 0, end))
  } finally {
    for (const number of terms) found.delete(number)
  }
}
