import { type Static, Type } from '@sinclair/typebox'
import { DailyCounts, objectSchema, topCountsSchema } from '../../http/openapi/responseSchemas.ts'
import { integerField } from '../../validation/fields.ts'

const MAX_DAYS = 365

export const JobStatsQuery = Type.Object({
  days: integerField({
    minimum: 1,
    maximum: MAX_DAYS,
    default: 30,
    description: 'The number of days, including today.',
  }),
})

/** The statistics of a job. */
export const JobStats = objectSchema('JobStats', {
  impressions: DailyCounts,
  views: DailyCounts,
  apply_clicks: DailyCounts,
  top_sources: topCountsSchema(
    'The ten hosts that most of its views came from, without `www.`, since it was posted.',
    { 'news.example.net': 58 },
  ),
  top_countries: topCountsSchema('The ten countries that most of its views came from, since it was posted.', {
    Portugal: 300,
    Spain: 61,
  }),
})

export type JobStats = Static<typeof JobStats>
