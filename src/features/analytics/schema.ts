import { type SchemaOptions, type Static, Type } from '@sinclair/typebox'
import { countSchema, objectSchema } from '../../http/openapi/responseSchemas.ts'
import { integerField } from '../../validation/fields.ts'
import { pathField, referrerField } from '../../validation/textFields.ts'

const MAX_DAYS = 365

export const AnalyticsQuery = Type.Object({
  days: integerField({
    minimum: 1,
    maximum: MAX_DAYS,
    default: 30,
    description: 'The number of days, including today.',
  }),
})

/** A page view that a board's own front end reports. */
export const NewEvent = Type.Object(
  {
    path: pathField({
      description: "The page's path, as in its URL. A query is removed.",
      examples: ['/careers/nurses'],
    }),
    referrer: referrerField({
      default: '',
      description: 'The absolute URL of the page that linked to it; empty or null if unknown.',
      examples: ['https://news.example.net/'],
    }),
  },
  { $id: 'NewEvent' },
)

const countsSchema = (options: SchemaOptions) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer', format: 'int64', minimum: 0 },
    ...options,
  })

/** Returns the schema of counts by name, the largest first. */
const topCountsSchema = (description: string, example: Record<string, number>) =>
  countsSchema({ description, examples: [example] })

export const Analytics = objectSchema('Analytics', {
  events_per_day: countsSchema({
    propertyNames: { format: 'date' },
    description: 'Page views on each day (UTC), oldest first.',
    examples: [{ '2026-01-09': 311, '2026-01-10': 127 }],
  }),
  top_paths: topCountsSchema('The ten paths with the most views.', {
    '/jobs.json': 240,
    '/jobs/17.json': 42,
  }),
  top_countries: topCountsSchema('The ten countries with the most views.', { Portugal: 300, Spain: 61 }),
  top_sources: topCountsSchema('The ten referring hosts with the most views, without `www.`.', {
    'news.example.net': 58,
  }),
  jobs: countSchema('The number of active jobs.', 84),
  subscribers: countSchema('The number of subscribers.', 230),
  users: countSchema('The number of accounts.', 12),
})

export type Analytics = Static<typeof Analytics>
