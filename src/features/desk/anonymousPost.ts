import { networkOf } from '../../base/address.ts'
import { ANONYMOUS } from '../../base/caller.ts'
import { SECOND } from '../../base/clock.ts'
import { attempt } from '../../base/later.ts'
import { Problem } from '../../base/problem.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { type Reply, seeOther } from '../../http/response/reply.ts'
import type { RouteContext } from '../../http/route.ts'
import { type Fields, validate } from '../../validation/validation.ts'
import { createJob } from '../jobs/actions.ts'
import { submitJob } from '../jobs/lifecycle.ts'
import { validateTogether } from '../jobs/rules.ts'
import { NewJob } from '../jobs/schema.ts'
import { ResetRequest } from '../resets/schema.ts'
import { checkInbox } from './checkInbox.ts'
import { claimDraft, claimOf, mustSignIn } from './claim.ts'
import { type Desk, signInPath } from './desk.ts'
import { jobInputOf } from './jobInput.ts'
import { jobsAfter } from './jobRoutes.ts'
import { deskPath } from './jobView.ts'
import { withSession } from './signIn.ts'

/** The drafts in a day from one network by people who aren't signed in. */
const DRAFTS_PER_DAY = 20
/** The drafts on the board that nobody has claimed yet, so that strangers can't fill the disk. */
const MAX_UNCLAIMED = 1000

/** Whether people without an account can enter a job: they need a link by mail to post it. */
export const takesAnonymousJobs = ({ board }: Desk) =>
  board.config.registration === 'open' && board.mail.outbox.isEnabled

/**
 * Saves a job of somebody without an account as a draft, and mails a link to claim it. The response is the same whether the
 * address has an account or not.
 */
export async function createUnclaimed(desk: Desk, context: RouteContext, fields: Fields): Promise<Reply> {
  const { board, unclaimed } = desk
  const input = jobInputOf(fields)
  const validation = validate(NewJob, { ...input, values: new Map([...input.values, ['draft', 'true']]) })
  // A draft may be incomplete, but this one is submitted without another look at it.
  validateTogether(validation)
  const address = validate(ResetRequest, fields)
  validation.addErrors(address.errors)
  const network = networkOf(context.clientAddress)
  if (!validation.hasErrors) requireRoom(desk, network)
  await createJob(board, ANONYMOUS, validation, address.value('email') ?? null)
  unclaimed.add(network)
  return checkInbox('post')
}

function requireRoom({ board, unclaimed }: Desk, network: string): void {
  const wait = unclaimed.wait(network, DRAFTS_PER_DAY)
  if (wait > 0)
    throw new Problem('throttled', 'Many jobs were entered from this address today. Sign in to post more.', {
      retryAfter: Math.ceil(wait / SECOND),
    })
  const open = board.jobIndex.all.filter(({ userId, submittedAt }) => userId === null && submittedAt === null)
  if (open.length >= MAX_UNCLAIMED)
    throw new Problem(
      'busy',
      'Too many jobs are waiting for their confirmation. Sign in to post, or try again later.',
    )
}

const TITLE = 'Post your job'

/** Following the link changes nothing, because mail scanners follow it too. */
export const askClaim = ({ board }: Desk, context: RouteContext): Promise<Reply> | Reply => {
  const token = context.query.get('token') ?? ''
  return attempt<Reply>(
    () => {
      const { job, email, ...claimed } = claimOf(board, token)
      if (mustSignIn({ job, email, ...claimed }, context)) return seeOther(signInPath(context))
      return confirmation(context, TITLE, () => ({
        message: `Post “${job.title}” as ${email}?`,
        button: 'Post the job',
      }))
    },
    error =>
      confirmation(context, TITLE, () => {
        throw error
      }),
  )
}

export const claim = (desk: Desk, context: RouteContext): Promise<Reply> | Reply => {
  const token = context.query.get('token') ?? ''
  return attempt<Reply>(
    () => desk.once.runLink(context, token, () => claimAndSubmit(desk, context, token)),
    error =>
      confirmation(context, TITLE, () => {
        throw error
      }),
  )
}

/** Claims the draft and submits it. If it can't be submitted any more, the form shows why. */
async function claimAndSubmit({ board }: Desk, context: RouteContext, token: string): Promise<Reply> {
  if (mustSignIn(claimOf(board, token), context))
    return seeOther(signInPath(context) + encodeURIComponent(`?token=${token}`))
  const { jobId, caller, sessionToken } = await claimDraft(board, context, token)
  const path = await attempt(
    async () => jobsAfter('submit', (await submitJob(board, caller, jobId)).id),
    error => {
      if (error instanceof Problem) return `${deskPath(jobId)}/edit?check=1`
      throw error
    },
  )
  return sessionToken === undefined ? seeOther(path) : withSession(board, sessionToken, path)
}
