import { type SchemaOptions, type Static, Type } from '@sinclair/typebox'
import { countSchema, objectSchema } from '../../http/openapi/responseSchemas.ts'
import { integerField } from '../../validation/fields.ts'
import { pathField, referrerField } from '../../validation/textFields.ts'

const DAYS_AT_MOST = 365

export const AnalyticsQuery = Type.Object({
  days: integerField({
    minimum: 1,
    maximum: DAYS_AT_MOST,
    default: 30,
    description: 'Today and so many before it.',
  }),
})

/** A page view, told by a board's own front end. */
export const NewEvent = Type.Object(
  {
    path: pathField({
      description: 'Of the page, as in its URL; a query is cut off.',
      examples: ['/careers/nurses'],
    }),
    referrer: referrerField({
      default: '',
      description: 'The page that led there, as an absolute URL; empty or null if unknown.',
      examples: ['https://news.example.net/'],
    }),
  },
  { $id: 'NewEvent' },
)

const shownCounts = (options: SchemaOptions) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer', format: 'int64', minimum: 0 },
    ...options,
  })

/** Counts by what they are of, the largest first. */
const shownTop = (description: string, example: Record<string, number>) =>
  shownCounts({ description, examples: [example] })

export const Analytics = objectSchema('Analytics', {
  events_per_day: shownCounts({
    propertyNames: { format: 'date' },
    description: 'Page views on each day of the window, in UTC, oldest first.',
    examples: [{ '2026-01-09': 311, '2026-01-10': 127 }],
  }),
  top_paths: shownTop('The ten paths that were seen most.', { '/jobs.json': 240, '/jobs/17.json': 42 }),
  top_countries: shownTop('The ten countries that most views came from.', { Portugal: 300, Spain: 61 }),
  top_sources: shownTop('The ten hosts that led to most views, without `www.`.', {
    'news.example.net': 58,
  }),
  jobs: countSchema('Active ones.', 84),
  subscribers: countSchema('All of them.', 230),
  users: countSchema('All of them.', 12),
})

export type Analytics = Static<typeof Analytics>
