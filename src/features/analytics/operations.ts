import { itemResponse, messageResponse, operation } from '../../http/operation.ts'
import { Analytics, AnalyticsQuery, NewEvent } from './schema.ts'

export const analyticsOperations = {
  report: operation({
    id: 'getAnalytics',
    tag: 'Analytics',
    summary: 'Read what was read',
    description:
      'Page views of the last days, today among them, in UTC. Counted is what people read: no bots, no administrators, and no owners of what they read. The report includes what is not on disk yet.',
    query: AnalyticsQuery,
    responses: { 200: itemResponse(Analytics, 'The report.') },
  }),

  record: operation({
    id: 'recordEvent',
    tag: 'Analytics',
    summary: 'Tell of a page view',
    description:
      "For a board's own front end, be it a page or a program: only what the browsers of crawlers report isn't counted. No address, no cookie and nothing else that names a visitor is kept.",
    body: NewEvent,
    writes: false,
    responses: { 202: messageResponse('The page view was heard.', 'Heard.') },
  }),
}
