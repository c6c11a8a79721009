import type { Board } from '../../board.ts'
import { GONE, MISSING, type Refusal } from '../../http/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Listed, statusOf } from '../../search/listing.ts'
import { cardsOf } from './list.ts'
import { plainHead } from './view.ts'

const OFFERED = 5
/** Where the form for subscribers leads. */
export const SUBSCRIBERS = '/subscribers.json'

/** What the template of a refusal knows: what is told, and what may help; and the status that goes with it. */
export function presentRefusal(board: Board, { path }: Exchange, { told, status }: Refusal) {
  const ended = status === MISSING ? expiredAt(board, path) : undefined
  const similar = ended ? similarTo(board, ended) : []
  const offered = status === MISSING && similar.length === 0 ? board.listing.active : similar
  const heading = ended ? 'This job is no longer open.' : told.error
  const faults = Object.entries(told.errors ?? {})
  const view = {
    head: plainHead(board, heading),
    heading,
    faults: faults.map(([field, messages]) => ({ field, message: messages.join('; ') })),
    jobs: cardsOf(board, offered.slice(0, OFFERED)),
    is_subscription: path === SUBSCRIBERS,
    jobs_heading: similar.length > 0 ? 'Similar jobs' : 'Jobs that are open',
  }
  return { status: ended ? GONE : status, view }
}

/** The job of a path, if it was there for everybody until it expired. */
function expiredAt({ listing, clock }: Board, path: string): Listed | undefined {
  const id = /^\/jobs\/(\d+)$/.exec(path)?.[1]
  const job = id === undefined ? undefined : listing.get(Number(id))
  return job && statusOf(job, clock()) === 'expired' ? job : undefined
}

/** Active jobs of the same category, those of the same term first. */
function similarTo({ listing }: Board, { categoryId, termId }: Listed): readonly Listed[] {
  const alike = listing.active.filter(other => other.categoryId === categoryId)
  return alike.toSorted((a, b) => Number(b.termId === termId) - Number(a.termId === termId))
}
