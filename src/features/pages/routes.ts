import { Elysia } from 'elysia'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { pagedList } from '../../http/response/list.ts'
import { Reply } from '../../http/response/reply.ts'
import { jsonFeed, presentFeed } from './feeds.ts'
import { jobsWithoutStructuredData } from './jobPosting.ts'
import { structuredDataOperation } from './operations.ts'
import type { Pages } from './pages.ts'
import { FEED_KEYS, readFeedQuery } from './query.ts'
import { presentSitemap, robotsText } from './sitemap.ts'
import { plainHead } from './view.ts'

const RSS = 'application/rss+xml; charset=utf-8'
const JSON_FEED = 'application/feed+json; charset=utf-8'
const XML = 'application/xml; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

/** What people read is no part of the interface, nor of its description. */
const PAGE = { needs: 'nobody', detail: { hide: true } } as const

/** The pages beside those of single jobs, which jobs' own routes answer. */
export function pageRoutes(board: Board, pages: Pages) {
  return new Elysia({ name: 'pages' })
    .use(guard)

    .get('/', ({ exchange: context }) => pages.list(context), PAGE)

    .get(
      '/subscribe',
      () =>
        pages.kept('/subscribe', () =>
          pages.render('subscribe', {
            head: {
              ...plainHead(board, 'Job alerts'),
              canonical: board.links.to('/subscribe'),
              is_indexed: true,
            },
          }),
        ),
      PAGE,
    )

    .get(
      '/feed.xml',
      ({ exchange: context }) =>
        pages.keptFor(context, FEED_KEYS, async () =>
          pages.render('feed', await presentFeed(board, readFeedQuery(context)), RSS),
        ),
      PAGE,
    )

    .get(
      '/feed.json',
      ({ exchange: context }) =>
        pages.keptFor(context, FEED_KEYS, async () =>
          EncodedBody.text(JSON.stringify(await jsonFeed(board, readFeedQuery(context))), JSON_FEED),
        ),
      PAGE,
    )

    .get(
      '/sitemap.xml',
      () => pages.kept('/sitemap.xml', () => pages.render('sitemap', presentSitemap(board), XML)),
      PAGE,
    )

    .get('/robots.txt', () => new Reply(EncodedBody.text(robotsText(board), TEXT)), PAGE)

    .get(
      '/pages/:name',
      ({ params }) => {
        const file = pages.files.answer(params.name)
        if (!file) throw notFound('file')
        return file
      },
      PAGE,
    )

    .get(
      '/structured-data.json',
      ({ exchange: context }) =>
        pagedList(context, board.links, jobsWithoutStructuredData(board), lacking => lacking),
      { needs: 'admin', ...structuredDataOperation },
    )
}
