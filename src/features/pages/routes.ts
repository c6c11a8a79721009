import { Elysia } from 'elysia'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { canonicalQuery, pagedList } from '../../http/response/list.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { Reply } from '../../http/response/reply.ts'
import { hiddenRoute, route } from '../../http/route.ts'
import { listResponse } from '../../http/routeDescription.ts'
import type { JobRow } from '../../store/rows.ts'
import { feedInTurn, jsonFeed, presentFeed } from './feeds.ts'
import { jobsWithoutStructuredData } from './jobPosting.ts'
import { presentListPage } from './list.ts'
import { htmlReply, type Pages } from './pages.ts'
import { presentPosting } from './posting.ts'
import { FeedQuery, ListQuery, queryText } from './query.ts'
import { IncompleteJob } from './schema.ts'
import { presentSitemap, robotsText } from './sitemap.ts'
import { plainHead } from './view.ts'

const RSS = 'application/rss+xml; charset=utf-8'
const JSON_FEED = 'application/feed+json; charset=utf-8'
const XML = 'application/xml; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

/** Creates the route of a job's page, `/jobs/7`. @param getJob returns the job, if the caller may see its page */
export const jobPage = (
  board: Board,
  pages: Pages,
  getJob: (context: RequestContext, id: number) => JobRow,
) =>
  hiddenRoute({ access: 'public', scope: 'jobs:read' }, context => {
    const { id } = context.params
    const path = `/jobs/${id}`
    const view = { path, job: board.jobIndex.get(id) }
    const render = () => pages.render(context, 'posting', presentPosting(board, getJob(context, id)))
    if (board.jobIndex.hasPublicPage(id)) return pages.cached(context, path, render, view)
    context.view = view
    return htmlReply(render())
  })

/** Creates the routes of the pages that the operator wrote, such as `/imprint`. */
export const ownPageRoutes = (board: Board, pages: Pages) =>
  pages.ownPages.reduce(
    (app, { path, title, html }) => {
      const head = { ...plainHead(board, title), canonical: board.links.to(path), is_indexed: true }
      return app.get(
        path,
        ...hiddenRoute(context =>
          pages.cached(context, path, () =>
            pages.render(context, 'document', { head, heading: title, html }),
          ),
        ),
      )
    },
    new Elysia({ name: 'own pages' }),
  )

/** Creates the routes of all other pages and of the feeds. */
export const pageRoutes = (board: Board, pages: Pages) =>
  new Elysia({ name: 'pages' })
    .get(
      '/',
      ...hiddenRoute({ access: 'public', query: ListQuery }, context => {
        const { input } = context
        const render = async () => {
          const page = await presentListPage(board, input)
          return htmlReply(pages.render(context, 'list', page), {
            path: '/',
            shown: page.jobs.map(({ id }) => id),
          })
        }
        return pages.cached(context, `/${queryText(input)}`, render)
      }),
    )

    .get(
      '/subscribe',
      ...hiddenRoute(context => {
        const head = {
          ...plainHead(board, 'Job alerts'),
          canonical: board.links.to('/subscribe'),
          is_indexed: true,
        }
        const view = { head, typed: { email: '' }, errors: [] }
        return pages.cached(context, '/subscribe', () => pages.render(context, 'subscribe', view))
      }),
    )

    .get(
      '/feed.xml',
      ...hiddenRoute({ access: 'public', query: FeedQuery }, context => {
        const { input } = context
        const render = async () => pages.render(context, 'feed', await presentFeed(board, input), RSS)
        const key = `/feed.xml${canonicalQuery(FeedQuery, input)}`
        return pages.cached(context, key, () => feedInTurn(context, render))
      }),
    )

    .get(
      '/feed.json',
      ...hiddenRoute({ access: 'public', query: FeedQuery }, context => {
        const { input } = context
        const render = async () => EncodedBody.text(JSON.stringify(await jsonFeed(board, input)), JSON_FEED)
        const key = `/feed.json${canonicalQuery(FeedQuery, input)}`
        return pages.cached(context, key, () => feedInTurn(context, render))
      }),
    )

    .get(
      '/sitemap.xml',
      ...hiddenRoute(context =>
        pages.cached(context, '/sitemap.xml', () =>
          pages.render(context, 'sitemap', presentSitemap(board), XML),
        ),
      ),
    )

    .get('/robots.txt', ...hiddenRoute(() => new Reply(EncodedBody.text(robotsText(board), TEXT))))

    .get(
      '/pages/:name',
      ...hiddenRoute(({ params }) => {
        const file = pages.files.reply(params.name)
        if (!file) throw notFound('file')
        return file
      }),
    )

    .get(
      '/structured-data.json',
      ...route(
        {
          id: 'listIncompleteJobs',
          access: 'admin',
          tag: 'Board',
          summary: 'List the jobs without structured data',
          description:
            "Active jobs whose location doesn't name a country, without which their pages have no `JobPosting` data for search engines. Only while the board shows pages.",
          query: PagingQuery,
          responses: { 200: listResponse(IncompleteJob, 'The jobs and the properties that are missing.') },
        },
        context => pagedList(context, board.links, jobsWithoutStructuredData(board), job => job),
      ),
    )
