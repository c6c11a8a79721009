import { Elysia } from 'elysia'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { redirect } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { itemResponse, redirectResponse } from '../../http/routeDescription.ts'
import { applicationAddress, presentJobStats } from './present.ts'
import { JobStats, JobStatsQuery } from './schema.ts'

/** The headers of a redirect to an application: it is counted each time, and companies see which board it came from. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-robots-tag': 'noindex',
}

/**
 * Creates the routes from a job to an application, and of the statistics about it.
 * @param requireManager throws if the caller may not see or manage the job
 */
export const funnelRoutes = (
  board: Board,
  requireManager: (context: RequestContext, id: number) => unknown,
) =>
  new Elysia({ name: 'funnel' })
    .get(
      '/jobs/:id/apply',
      ...route(
        {
          id: 'applyToJob',
          access: 'public',
          tag: 'Jobs',
          summary: 'Apply for a job',
          description:
            "Redirects to the job's `application_url`, or to a `mailto:` address with its title as the subject. Counted as an apply click, except for bots, administrators and the job's owner. Link to this path instead of the address to have clicks counted.",
          responses: { 302: redirectResponse('The address for applications is in `Location`.') },
          errors: { notFound: 'The job does not exist, or is not active.' },
        },
        context => {
          const { id } = context.params
          const job = board.jobIndex.isActive(id) ? board.store.read.jobs.get(id) : undefined
          if (!job) throw notFound('job')
          context.view = { path: context.path, job, step: 'apply' }
          return redirect(applicationAddress(job), HEADERS)
        },
      ),
    )

    .get(
      '/jobs/:id/stats.json',
      ...route(
        {
          id: 'getJobStats',
          access: 'user',
          tag: 'Jobs',
          summary: "View a job's statistics",
          description:
            "For its owner and administrators. How often others saw the job in a list on the board's pages, read it, and clicked Apply on the last days in UTC, including today. Counts that are not yet on disk are included. 400 days are kept.",
          query: JobStatsQuery,
          requires: context => requireManager(context, context.params.id),
          responses: { 200: itemResponse(JobStats, 'The statistics.') },
          errors: {
            forbidden: "The job is somebody else's.",
            notFound: 'The job does not exist, or the caller may not see it.',
          },
        },
        ({ params, input }) => {
          const { traffic } = board
          const days = Array.from({ length: input.days }, (_, at) => traffic.today - input.days + 1 + at)
          return presentJobStats(traffic.trafficOf(params.id), days)
        },
      ),
    )
