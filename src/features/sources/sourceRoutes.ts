import { Elysia } from 'elysia'
import { type Caller, isAdmin, isOwner } from '../../base/caller.ts'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { pagedList } from '../../http/response/list.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { route } from '../../http/route.ts'
import { itemResponse, listResponse } from '../../http/routeDescription.ts'
import { requireConfirmed } from '../jobs/access.ts'
import { findSource, requireSource } from './access.ts'
import { presentRun, presentSource } from './present.ts'
import { SOURCE_RULES } from './routes.ts'
import { runsOf } from './runs.ts'
import { SET_FILE, Source, SourceRun, SyncQuery, SyncResult } from './schema.ts'
import { syncSource } from './sync.ts'

type SourceContext = RequestContext & { readonly params: { readonly source: string } }

/** Returns the sources that the caller may use. */
const sourcesOf = (board: Board, caller: Caller) =>
  board.store.read.sources.all().filter(source => isAdmin(caller) || isOwner(caller, source))

/** Creates the routes of sources. */
export const sourceRoutes = (board: Board) => {
  const { store, links } = board
  const requires = ({ caller, params }: SourceContext) => requireSource(store.read, caller, params.source)
  return new Elysia({ name: 'sources' })
    .get(
      '/sources.json',
      ...route(
        {
          access: 'user',
          tag: 'Sources',
          id: 'listSources',
          summary: 'List sources of jobs',
          description: 'Those of the account, and for administrators all, with their last run.',
          query: PagingQuery,
          responses: {
            200: listResponse(Source, 'The sources, in the order in which they were used first.'),
          },
        },
        context =>
          pagedList(context, links, sourcesOf(board, context.caller), row => presentSource(row, store.read)),
      ),
    )

    .post(
      '/sources/:source/sync.json',
      ...route(
        {
          ...SOURCE_RULES,
          id: 'syncSource',
          summary: 'Bring all jobs of a source in step with it',
          description:
            'The body is the **whole** set: postings with the fields of `POST /jobs.json` and an `external_id`. Category, term and plan can be names (`category`, `term`, `plan`) where there is no id; they must exist. A title of over 64 characters is cut at a word, and the whole title put above the description. First the whole set is read and checked. Then jobs are created, updated and reopened, and at last those are closed that the set doesn’t have. Postings with errors are refused, and their jobs stay as they are; so do jobs that somebody has edited, filled or closed since (`detached`). A job that somebody has deleted is created again: close it instead. Nothing is changed if the set is incomplete, or if it is empty, or has fewer than half of the open jobs of the source where these are 10 or more, unless `force` is true. If a posting has no valid `external_id`, nothing is closed unless `force` is true, because the posting could belong to any job. Jobs are stored a few at a time, and lists show them within a second; if the run stops in between, nothing is closed, and the next run does the rest. Each run is recorded, except dry runs. Jobs that are created count as those of `POST /jobs.json`, 60 a minute for each account, administrators excepted. One request may create more, but then the account has to wait for a minute.',
          query: SyncQuery,
          upload: SET_FILE,
          requires: (context: SourceContext) => {
            requireConfirmed(board, context.caller)
            requires(context)
          },
          responses: { 200: itemResponse(SyncResult, 'What was done, or would be done.') },
          errors: {
            ...SOURCE_RULES.errors,
            conflict:
              'Another run is under way, or the set would close too many jobs: then `figures` has the numbers.',
          },
        },
        context => syncSource(board, context, context.params.source, context.input),
      ),
    )

    .get(
      '/sources/:source/runs.json',
      ...route(
        {
          ...SOURCE_RULES,
          id: 'listSourceRuns',
          summary: 'List the last runs of a source',
          description: 'The last 100, newest first. Dry runs are not recorded.',
          query: PagingQuery,
          requires,
          responses: { 200: listResponse(SourceRun, 'The runs.') },
          errors: { ...SOURCE_RULES.errors, notFound: 'The source was never used.' },
        },
        context => {
          const source = findSource(store.read, context.params.source)
          if (!source) throw notFound('source')
          return pagedList(context, links, runsOf(store.read, source.id), run => presentRun(run, source.name))
        },
      ),
    )
}
