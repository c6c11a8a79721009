import { Elysia } from 'elysia'
import type { Caller } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { created } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { createdResponse, messageResponse } from '../../http/routeDescription.ts'
import type { JobRow } from '../../store/rows.ts'
import { getJobToManage, requireConfirmed } from './access.ts'
import { approveJob, closeJob, duplicateJob, fillJob, refuseJob, reopenJob, submitJob } from './lifecycle.ts'
import { renewalOutcome, renewJob } from './renewal.ts'
import { OwnJob } from './responseSchemas.ts'
import { OWNER_ONLY } from './routes.ts'
import { JOBS_PER_MINUTE } from './rules.ts'
import { Refusal, Renewal } from './statusSchema.ts'
import { outcomeMessage, OUTCOMES, type Verb } from './verbs.ts'

const tag = 'Jobs'

/** What the routes of an owner's verbs have in common. */
const OWNER_RULES = {
  access: 'user',
  tag,
  errors: {
    ...OWNER_ONLY,
    conflict: "The job's status doesn't allow it. The message says what to do instead.",
  },
} as const

type Change = (board: Board, caller: Caller, id: number) => Promise<JobRow>

/** Replies with a message about the job that was changed. */
const changed =
  (board: Board, change: Change, verb: Verb) =>
  async ({ caller, params }: { caller: Caller; params: { id: number } }) => ({
    message: outcomeMessage(await change(board, caller, params.id), OUTCOMES[verb]),
  })

const response = (verb: Verb) => ({
  200: messageResponse(
    outcomeMessage({ title: 'Palliative care nurse' }, OUTCOMES[verb]),
    `The job ${OUTCOMES[verb]}.`,
  ),
})

/** The routes that change the status of a job. Each is idempotent. */
export const statusRoutes = (board: Board) =>
  new Elysia({ name: 'job status' })
    .put(
      '/jobs/:id/submit.json',
      ...route(
        {
          ...OWNER_RULES,
          id: 'submitJob',
          summary: 'Submit a draft or a refused job',
          description:
            'The job must be complete. It becomes active, or `scheduled` if its `publish_at` is ahead, or `pending` where the board approves jobs.',
          requires: ({ caller }) => requireConfirmed(board, caller),
          responses: response('submit'),
          errors: {
            ...OWNER_RULES.errors,
            invalid: 'The job is incomplete. Every field that is wrong is named.',
          },
        },
        changed(board, submitJob, 'submit'),
      ),
    )
    .put(
      '/jobs/:id/approve.json',
      ...route(
        {
          id: 'approveJob',
          access: 'admin',
          tag,
          summary: 'Approve a pending job',
          description:
            'It becomes active, or `scheduled` if its `publish_at` is ahead. Its period starts then, unless it was published before: then its end stays the same. Approving it again changes nothing.',
          responses: response('approve'),
          errors: { conflict: OWNER_RULES.errors.conflict },
        },
        changed(board, approveJob, 'approve'),
      ),
    )
    .put(
      '/jobs/:id/refuse.json',
      ...route(
        {
          id: 'refuseJob',
          access: 'admin',
          tag,
          summary: 'Refuse a pending job',
          description: 'The reason is e-mailed to the owner, who can correct the job and submit it again.',
          body: Refusal,
          responses: response('refuse'),
          errors: { conflict: OWNER_RULES.errors.conflict },
        },
        ({ caller, params, input }) => {
          const { reason } = input.valueOrThrow()
          return changed(board, (...job) => refuseJob(...job, reason), 'refuse')({ caller, params })
        },
      ),
    )
    .put(
      '/jobs/:id/fill.json',
      ...route(
        {
          ...OWNER_RULES,
          id: 'fillJob',
          summary: 'Mark a job as filled',
          description:
            'It leaves all lists. Its page says that it is filled for 30 days, and is gone after that.',
          responses: response('fill'),
        },
        changed(board, fillJob, 'fill'),
      ),
    )
    .put(
      '/jobs/:id/close.json',
      ...route(
        {
          ...OWNER_RULES,
          id: 'closeJob',
          summary: 'Close a job',
          description: 'It is not public any more.',
          responses: response('close'),
        },
        changed(board, closeJob, 'close'),
      ),
    )
    .put(
      '/jobs/:id/reopen.json',
      ...route(
        {
          ...OWNER_RULES,
          id: 'reopenJob',
          summary: 'Reopen a filled or closed job',
          description: 'Its end stays the same. It must not have passed.',
          responses: response('reopen'),
        },
        changed(board, reopenJob, 'reopen'),
      ),
    )
    .put(
      '/jobs/:id/renew.json',
      ...route(
        {
          ...OWNER_RULES,
          id: 'renewJob',
          summary: 'Renew a job',
          description:
            "Possible from 14 days before its end, and any time after. Adds the plan's period to the end, or to now if that is later. A filled or closed job is reopened. Where the board approves jobs, it is `pending` until an administrator approves it.",
          body: Renewal,
          requires: ({ caller, params }) => getJobToManage(board, caller, params.id),
          responses: response('renew'),
        },
        async ({ caller, params, input }) => {
          const job = await renewJob(board, caller, params.id, input.valueOrThrow().plan_id)
          return { message: outcomeMessage(job, renewalOutcome(job)) }
        },
      ),
    )
    .post(
      '/jobs/:id/duplicate.json',
      ...route(
        {
          ...OWNER_RULES,
          id: 'duplicateJob',
          perAccount: JOBS_PER_MINUTE,
          summary: 'Duplicate a job',
          description:
            'Creates a draft with the same fields and logo, which belongs to the account that asks. If the plan is archived, the draft has none.',
          responses: { 201: createdResponse(OwnJob, 'The draft was created.') },
          errors: OWNER_ONLY,
        },
        async ({ caller, params }) => {
          const job = await duplicateJob(board, caller, params.id)
          return created(job.url, job)
        },
      ),
    )
