/**
 * The program of the index's own thread: keeps the postings, and does what it is asked in the order in which it was
 * asked. To take in a posting or to rank a common word takes a while, in which the other thread answers requests.
 */
import type { Answered, Numbered } from '../base/apart.ts'
import { Postings } from './postings.ts'
import { ranked } from './ranking.ts'
import type { Searchable } from './texts.ts'

/** What the thread is asked: to follow jobs as they are now, or to search. */
export type Question =
  { readonly put: readonly Searchable[]; readonly remove: readonly number[] } | { readonly q: string }

/** What it answers: the ids that a search found, best first, or why it could not do all that it was asked. */
export interface Answer extends Answered {
  readonly ids?: Float64Array
}

declare const self: Worker

const postings = new Postings()

self.addEventListener('message', ({ data }: MessageEvent<Numbered<Question>>) => {
  self.postMessage({ number: data.number, ...answer(data) } satisfies Numbered<Answer>)
})

function answer(question: Question): Answer {
  try {
    if ('q' in question) return { ids: new Float64Array(ranked(question.q, postings)) }
    for (const id of question.remove) postings.remove(id)
    return follow(question.put)
  } catch (error) {
    return { failure: String(error) }
  }
}

/** One job that can't be taken in must not keep out the others. */
function follow(jobs: readonly Searchable[]): Answer {
  let answered: Answer = {}
  for (const job of jobs)
    try {
      postings.put(job)
    } catch (error) {
      answered = { failure: `job ${job.id}: ${String(error)}` }
    }
  return answered
}
