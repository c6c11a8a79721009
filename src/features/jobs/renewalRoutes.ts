import { Elysia } from 'elysia'
import { findTokenHolder } from '../../accounts/tokens.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { TokenQuery } from '../../http/openapi/responseSchemas.ts'
import type { PathParams } from '../../http/paths.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { hiddenRoute, route } from '../../http/route.ts'
import { messagePageResponse } from '../../http/routeDescription.ts'
import type { JobRow } from '../../store/rows.ts'
import { renewalOutcome, renewAsOwner } from './renewal.ts'
import { outcomeMessage } from './verbs.ts'

const TITLE = 'Renew your job'
const rules = {
  access: 'public',
  tag: 'Jobs',
  query: TokenQuery,
  errors: {
    notFound: 'The token is invalid or has expired.',
    conflict: "The job can't be renewed now. The message says why.",
  },
} as const

/** The renewal link in mails. Following it changes nothing, because mail scanners follow it too; the POST renews the job. */
export const renewalRoutes = (board: Board) =>
  new Elysia({ name: 'renewal links' })
    .get(
      '/jobs/:id/renew.json',
      ...route(
        {
          ...rules,
          id: 'askRenewal',
          summary: 'See what a renewal link does',
          description: 'Changes nothing. A browser gets a page with a button that sends the POST.',
          responses: {
            200: messagePageResponse(
              'Renew "Palliative care nurse" for 30 days? To choose "Renew it", send a POST to this address.',
              'What a POST would do.',
            ),
          },
        },
        askRenewal(board),
      ),
    )

    .post(
      '/jobs/:id/renew.json',
      ...route(
        {
          ...rules,
          id: 'renewJobByLink',
          summary: 'Renew a job with the link from an e-mail',
          description: "Adds the plan's period, as its owner could. No account is needed.",
          responses: {
            200: messagePageResponse('The job "Palliative care nurse" is renewed.', 'The job is renewed.'),
          },
        },
        renew(board),
      ),
    )

/** The same links as pages, in the look of the board. */
export const renewalPages = (board: Board) =>
  new Elysia({ name: 'renewal pages' })
    .get('/jobs/:id/renew', ...hiddenRoute(askRenewal(board)))
    .post('/jobs/:id/renew', ...hiddenRoute(renew(board)))

type LinkContext = RequestContext & { readonly params: PathParams }

const askRenewal = (board: Board) => (context: LinkContext) =>
  confirmation(context, TITLE, () => {
    const job = jobOfToken(board, context)
    const period = board.store.read.plans.get(job.planId)?.period ?? 0
    const time = period === 0 ? 'without an end' : period === 1 ? 'for a day' : `for ${period} days`
    return { message: `Renew "${job.title}" ${time}?`, button: 'Renew it' }
  })

const renew = (board: Board) => (context: LinkContext) =>
  confirmation(context, TITLE, async () => {
    const job = await renewAsOwner(board, jobOfToken(board, context).id)
    return { message: outcomeMessage(job, renewalOutcome(job)) }
  })

/** Returns the job at the path, for which the token must be. @throws Problem 'notFound' */
function jobOfToken({ store, clock }: Board, { query, params }: LinkContext): JobRow {
  const id = findTokenHolder(store.read, 'renewal', query.get('token') ?? '', clock())
  const job = id === params.id ? store.read.jobs.get(id) : undefined
  // The link was mailed to the owner.
  if (!job || job.userId === null)
    throw new Problem('notFound', 'This link is invalid or has expired. Sign in to renew the job.')
  return job
}
