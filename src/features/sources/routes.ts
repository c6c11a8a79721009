import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { created, Reply } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { createdResponse, itemResponse, messageResponse } from '../../http/routeDescription.ts'
import { requireConfirmed } from '../jobs/access.ts'
import { OwnJob } from '../jobs/responseSchemas.ts'
import { PostedJob } from '../jobs/schema.ts'
import { outcomeMessage, OUTCOMES } from '../jobs/verbs.ts'
import { LOGO_FIELD } from '../logos/rules.ts'
import { requireSource } from './access.ts'
import { closeSourcedJob, putSourcedJob, requireExternalId } from './actions.ts'

/** The rules of all routes of one source. */
export const SOURCE_RULES = {
  access: 'user',
  tag: 'Sources',
  scope: ({ params }: { params: { source: string } }) => `sources:${params.source}` as const,
  errors: { forbidden: 'The source, or the job, belongs to another account.' },
} as const

type SourceContext = RequestContext & {
  readonly params: { readonly source: string; readonly external_id: string }
}

/** Creates the routes of single jobs of a source. */
export const sourcedJobRoutes = (board: Board) => {
  const requires = ({ caller, params }: SourceContext) => {
    requireConfirmed(board, caller)
    requireSource(board.store.read, caller, params.source)
    requireExternalId(params.external_id)
  }
  return new Elysia({ name: 'jobs of sources' })
    .put(
      '/sources/:source/jobs/:external_id',
      ...route(
        {
          ...SOURCE_RULES,
          id: 'putSourcedJob',
          summary: 'Create or update a job of a source',
          description:
            'The body describes the whole job, as in `POST /jobs.json`: a field that is not sent gets its default, but a logo stays. If there is no job with this id in the source yet, it is created, and belongs to the account of the source. A closed job is reopened under its own id, with a new period if its period has ended. A refused job that changes is submitted again. If nothing differs, nothing is written, and `X-Unchanged` is `true`. The source belongs to the account that uses it first; administrators may use all. A token needs `jobs:write`, or `sources:` and the name. Jobs that are created count as those of `POST /jobs.json`, 60 a minute for each account, administrators excepted.',
          body: PostedJob,
          file: LOGO_FIELD,
          requires,
          responses: {
            200: {
              ...itemResponse(OwnJob, 'The job was there already. This is how it is now.'),
              headers: ['X-Unchanged'],
            },
            201: createdResponse(OwnJob, 'The job was created.'),
          },
          errors: { ...SOURCE_RULES.errors, conflict: "The job's status doesn't allow it to be reopened." },
        },
        async context => {
          const { params, input } = context
          const id = { source: params.source, externalId: params.external_id }
          const { json, outcome } = await putSourcedJob(board, context, id, input.fields)
          if (outcome === 'created') return created(json.url, json)
          return new Reply<OwnJob, 200>(json, 200, outcome === 'unchanged' ? { 'x-unchanged': 'true' } : {})
        },
      ),
    )

    .delete(
      '/sources/:source/jobs/:external_id',
      ...route(
        {
          ...SOURCE_RULES,
          id: 'closeSourcedJob',
          summary: 'Close a job of a source',
          description:
            'It is not deleted: its source can open it again under the same id. Closing it again changes nothing.',
          requires,
          responses: {
            200: messageResponse('The job "Palliative care nurse" is closed.', 'The job is closed.'),
          },
          errors: {
            ...SOURCE_RULES.errors,
            notFound: 'The source has no job with this id.',
            invalid: 'The name of the source or the id is invalid.',
          },
        },
        async ({ caller, params }) => {
          const id = { source: params.source, externalId: params.external_id }
          const job = await closeSourcedJob(board, caller, id)
          return { message: outcomeMessage(job, job.closedAt === null ? 'has expired' : OUTCOMES.close) }
        },
      ),
    )
}
