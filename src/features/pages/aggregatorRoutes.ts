import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { route } from '../../http/route.ts'
import { fileResponse } from '../../http/routeDescription.ts'
import { replyWithFeed } from './aggregatorFeed.ts'
import { type AggregatorFormat, INDEED, JOOBLE, LINKEDIN } from './aggregatorFormats.ts'
import { AggregatorQuery } from './query.ts'

/** Writing a feed of all jobs takes seconds of the processor's time on a large board. */
const FEEDS_PER_MINUTE = 30

/** Creates the routes of the feeds for aggregators. */
export const aggregatorRoutes = (board: Board) =>
  new Elysia({ name: 'feeds for aggregators' })
    .get('/feed/indeed.xml', ...feedRoute(board, INDEED))
    .get('/feed/linkedin.xml', ...feedRoute(board, LINKEDIN))
    .get('/feed/jooble.xml', ...feedRoute(board, JOOBLE))

const feedRoute = (board: Board, format: AggregatorFormat) =>
  route(
    {
      id: `get${format.name}Feed`,
      access: 'public',
      tag: 'Jobs',
      summary: `Get the active jobs as a feed for ${format.name}`,
      description: `All active jobs that match the query, in the XML format of ${format.name}. Descriptions are HTML. The links lead to the board's own pages, and applications through \`/jobs/{id}/apply\`, which counts them. Only while the board shows pages.`,
      perNetwork: FEEDS_PER_MINUTE,
      query: AggregatorQuery,
      responses: { 200: fileResponse('application/xml', 'The feed, which is sent in pieces of any size.') },
    },
    context => replyWithFeed(board, context, format),
  )
