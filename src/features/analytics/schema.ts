import { Type } from '@sinclair/typebox'
import { whole } from '../../base/kinds.ts'
import { pagePath, referrer } from '../../base/textkinds.ts'

const DAYS_AT_MOST = 365

export const AnalyticsQuery = Type.Object({
  days: whole({
    minimum: 1,
    maximum: DAYS_AT_MOST,
    default: 30,
    description: 'Today and so many before it.',
  }),
})

/** A page view, told by a board's own front end. */
export const NewEvent = Type.Object({
  path: pagePath({ description: 'Of the page, as in its URL; a query is cut off.' }),
  referrer: referrer({ default: '', description: 'The page that led there; empty or null if unknown.' }),
})
