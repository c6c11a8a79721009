import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { created } from '../../http/response/reply.ts'
import { type AnyRoute, route, withFormats } from '../../http/route.ts'
import { createdResponse, itemResponse, listResponse, messageResponse } from '../../http/routeDescription.ts'
import { LOGO_FIELD } from '../logos/rules.ts'
import { getJobToManage, requireConfirmed } from './access.ts'
import { createJob, deleteJob, updateJob } from './actions.ts'
import { jobJson } from './jobJson.ts'
import { accessForList, replyWithJobs } from './jobList.ts'
import { Job, OwnJob } from './responseSchemas.ts'
import { JOBS_PER_MINUTE } from './rules.ts'
import { JobPatch, JobQuery, NewDraft, NewJob } from './schema.ts'

const tag = 'Jobs'
/** How many jobs an account can create in a minute. */
const ShownJob = Type.Union([OwnJob, Job])
export const OWNER_ONLY = {
  forbidden: "The job is somebody else's.",
  notFound: 'The job does not exist, or the caller may not see it.',
}

/** Creates the routes of jobs. @param formats other formats of a job, an image and a page, by the suffix of the path */
export const jobRoutes = (board: Board, formats: Readonly<Record<string, AnyRoute>>) =>
  new Elysia({ name: 'jobs' })
    .get(
      '/jobs.json',
      ...route(
        {
          id: 'listJobs',
          access: 'public',
          scope: 'jobs:read',
          accessFor: accessForList,
          tag,
          summary: 'List and search jobs',
          description:
            'All active jobs that match every filter: pinned jobs first, then the newest; with `q`, the best matches first. Blank filters are ignored, and an id that does not exist matches nothing. Every match is returned, unless `page` or `per_page` asks for a page.',
          forAccounts:
            'Owners and administrators see all fields of their jobs, and with `status` those that are not active. `mine` needs an account, too.',
          query: JobQuery,
          responses: {
            200: listResponse(ShownJob, 'The jobs, or a page of them, as the caller may see them.', [
              'X-Search',
              'X-Search-Corrected',
              'X-Change-Seq',
            ]),
          },
        },
        context => replyWithJobs(board, context),
      ),
    )

    .get(
      '/jobs/:id',
      ...withFormats(
        route(
          {
            id: 'getJob',
            access: 'public',
            scope: 'jobs:read',
            tag,
            summary: 'Read a job',
            description: 'Counted as a view, unless its owner or an administrator reads it.',
            forAccounts: 'Its owner and administrators see all fields, and the job while it is not active.',
            responses: { 200: itemResponse(ShownJob, 'The job, as the caller may see it.') },
            errors: { notFound: 'The job does not exist, or is not active.' },
          },
          context => {
            const job = jobJson(board, context.caller, context.params.id)
            if (!job) throw notFound('job')
            context.view = job.view
            return job
          },
        ),
        formats,
      ),
    )

    .post(
      '/jobs.json',
      ...route(
        {
          id: 'createJob',
          access: 'user',
          perAccount: JOBS_PER_MINUTE,
          tag,
          summary: 'Post a job',
          description:
            "The job belongs to the account that posts it. It is active from now, or from `publish_at`, until its plan's period ends, or `pending` until an administrator approves it, where the board asks for that. With `draft` it is saved as a draft, which needs only a title.",
          body: NewJob,
          draft: NewDraft,
          file: LOGO_FIELD,
          requires: ({ caller }) => requireConfirmed(board, caller),
          responses: { 201: createdResponse(OwnJob, 'The job was posted.') },
          errors: { forbidden: "The account's e-mail address is not confirmed yet." },
        },
        async ({ caller, input }) => {
          const job = await createJob(board, caller, input)
          return created(job.url, job)
        },
      ),
    )

    .put(
      '/jobs/:id',
      ...route(
        {
          id: 'updateJob',
          access: 'user',
          tag,
          summary: 'Update a job',
          description:
            'For its owner and administrators. Fields that are not sent keep their values, and the rules apply to the job as it will be. `plan_id` can only be changed in a draft, and in a job that was refused before it was public. Blank fields of a draft are cleared. Where the board approves jobs, a change by its owner of title, description, location, company, links, addresses or logo makes the job `pending` again; its end stays the same.',
          body: JobPatch,
          isPatch: true,
          file: LOGO_FIELD,
          requires: ({ caller, params }) => getJobToManage(board, caller, params.id),
          responses: { 200: itemResponse(OwnJob, 'The job as it is now.') },
          errors: OWNER_ONLY,
        },
        ({ caller, params, input }) => updateJob(board, caller, params.id, input.fields),
      ),
    )

    .delete(
      '/jobs/:id',
      ...route(
        {
          id: 'deleteJob',
          access: 'user',
          tag,
          summary: 'Delete a job',
          description: 'For its owner and administrators. Its logo is deleted too.',
          responses: {
            200: messageResponse('The job "Palliative care nurse" was deleted.', 'The job was deleted.'),
          },
          errors: OWNER_ONLY,
        },
        async ({ caller, params }) => {
          const job = await deleteJob(board, caller, params.id)
          return { message: `The job "${job.title}" was deleted.` }
        },
      ),
    )
