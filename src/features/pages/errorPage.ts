import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { type ErrorReply, GONE, INVALID, NOT_FOUND } from '../../http/response/errors.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { isOver } from '../../store/jobStatus.ts'
import { Validation } from '../../validation/validation.ts'
import { cardsOf } from './card.ts'
import { plainHead } from './view.ts'

const MAX_JOBS = 5
/** The paths that forms for subscribers are sent to. Templates of operators may name the second one. */
const SUBSCRIPTION_PATHS = ['/subscribe', '/subscribers.json']

/** The labels on pages of the fields that can be wrong. */
const LABELS: Readonly<Record<string, string>> = {
  q: 'Search',
  term: 'Employment type',
  category: 'Category',
  arrangement: 'Workplace',
  page: 'Page',
  company: 'Company',
  email: 'E-mail address',
}

/** Returns the view of the error template, with jobs that may help, and the page's status. */
export function presentErrorPage(board: Board, context: RequestContext, { body, status }: ErrorReply) {
  const { path } = context
  const ended = status === NOT_FOUND ? endedAt(board, path) : undefined
  const similar = ended ? similarTo(board, ended) : []
  const jobs = status === NOT_FOUND && similar.length === 0 ? board.jobIndex.active : similar
  const errors = Object.entries(body.errors ?? {}).map(([field, messages]) => ({
    label: LABELS[field] ?? field,
    message: messages.join('; '),
  }))
  const heading = ended
    ? 'This job is no longer open'
    : errors.length > 0
      ? `Please correct: ${errors.map(({ label }) => label).join(', ')}`
      : body.error.replace(/\.$/, '')
  const view = {
    head: plainHead(board, heading),
    heading,
    errors,
    jobs: cardsOf(board, jobs.slice(0, MAX_JOBS)),
    typed: { q: status === INVALID ? (context.query.get('q') ?? '') : '', email: sentEmail(context) },
    is_subscription: context.method === 'POST' && SUBSCRIPTION_PATHS.includes(path),
    jobs_heading: similar.length > 0 ? 'Similar jobs' : 'Open jobs',
  }
  return { status: ended ? GONE : status, view }
}

/** Returns the e-mail address that a form sent, so that nobody has to type it again. */
function sentEmail({ input }: RequestContext): string {
  const email = input instanceof Validation ? input.fields.values.get('email') : undefined
  return typeof email === 'string' ? email : ''
}

/** Returns the job at a path if it was public and is over. */
function endedAt({ jobIndex, clock }: Board, path: string): JobSummary | undefined {
  const id = /^\/jobs\/(\d+)(?:\/apply)?$/.exec(path)?.[1]
  const job = id === undefined ? undefined : jobIndex.get(Number(id))
  return job && isOver(job, clock()) ? job : undefined
}

/** Returns the active jobs of the same category, those of the same term first. */
function similarTo({ jobIndex }: Board, { categoryId, termId }: JobSummary): readonly JobSummary[] {
  const sameCategory = jobIndex.active.filter(other => other.categoryId === categoryId)
  return sameCategory.toSorted((a, b) => Number(b.termId === termId) - Number(a.termId === termId))
}
