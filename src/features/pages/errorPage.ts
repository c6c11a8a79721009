import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { type ErrorReply, GONE, NOT_FOUND } from '../../http/response/errors.ts'
import { type JobSummary, statusOf } from '../../search/jobIndex.ts'
import { cardsOf } from './list.ts'
import { plainHead } from './view.ts'

const OFFERED = 5
/** Where the form for subscribers leads. */
export const SUBSCRIBERS = '/subscribers.json'

/** What the template of a refusal knows: what is told, and what may help; and the status that goes with it. */
export function presentErrorPage(board: Board, { path }: RequestContext, { told, status }: ErrorReply) {
  const ended = status === NOT_FOUND ? expiredAt(board, path) : undefined
  const similar = ended ? similarTo(board, ended) : []
  const offered = status === NOT_FOUND && similar.length === 0 ? board.listing.active : similar
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
function expiredAt({ listing, clock }: Board, path: string): JobSummary | undefined {
  const id = /^\/jobs\/(\d+)$/.exec(path)?.[1]
  const job = id === undefined ? undefined : listing.get(Number(id))
  return job && statusOf(job, clock()) === 'expired' ? job : undefined
}

/** Active jobs of the same category, those of the same term first. */
function similarTo({ listing }: Board, { categoryId, termId }: JobSummary): readonly JobSummary[] {
  const alike = listing.active.filter(other => other.categoryId === categoryId)
  return alike.toSorted((a, b) => Number(b.termId === termId) - Number(a.termId === termId))
}
