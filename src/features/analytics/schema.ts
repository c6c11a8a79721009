import { type Static, Type } from '@sinclair/typebox'
import {
  countSchema,
  countsPerDaySchema,
  DailyCounts,
  objectSchema,
  topCountsSchema,
} from '../../http/openapi/responseSchemas.ts'
import { FUNNEL_STEPS } from '../../store/countRows.ts'
import { enumField, idField, integerField } from '../../validation/fields.ts'
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

/** A page view, an impression or an apply click that a board's own front end reports. */
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
    job: Type.Optional(
      idField({ description: 'The id of an active job that the event is about.', examples: [1] }),
    ),
    kind: enumField(FUNNEL_STEPS, {
      default: 'view',
      description:
        'A page view, which is also a view of the `job` if it is sent; or the `job` was shown in a list, or somebody clicked Apply.',
      examples: ['apply'],
    }),
  },
  { $id: 'NewEvent' },
)

export const Analytics = objectSchema('Analytics', {
  events_per_day: countsPerDaySchema('Page views on each day (UTC), oldest first.'),
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

/** The steps from a job in a list to an application, of all jobs together. */
export const Funnel = objectSchema('Funnel', {
  impressions: DailyCounts,
  views: DailyCounts,
  apply_clicks: DailyCounts,
})
export type Funnel = Static<typeof Funnel>
