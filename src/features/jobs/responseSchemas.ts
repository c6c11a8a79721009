import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  countSchema,
  idSchema,
  nullableTextSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
  urlSchema,
} from '../../http/openapi/responseSchemas.ts'
import { STATUSES } from '../../store/jobStatus.ts'
import { responseField } from '../../validation/field.ts'
import { Category, Term } from '../labels/schema.ts'
import { Plan } from '../plans/schema.ts'
import { Owner } from '../users/schema.ts'
import { APPLICATION_BY_TYPE, describedFields } from './schema.ts'

const { application_url: url, application_email: email, ...described } = describedFields

/** The fields of a job that everybody sees. */
const publicFields = {
  id: idSchema(17),
  title: responseField(described.title),
  description: responseField(described.description),
  location: responseField(described.location),
  arrangement: responseField(described.arrangement),
  salary: Type.String({
    pattern: '^[0-9]*$',
    description: 'In whole units of the currency, per period; empty if unknown.',
    examples: ['2400'],
  }),
  salary_currency: responseField(described.salary_currency),
  salary_period: responseField(described.salary_period),
  company: responseField(described.company),
  company_website: responseField(described.company_website),
  application_type: responseField(described.application_type),
  application_url: Type.Optional(responseField(url)),
  application_email: Type.Optional(responseField(email)),
  term: Term,
  category: Category,
  plan: Plan,
  logo: Type.String({
    description: 'The URL of a WebP image, which changes when the image does; empty if there is none.',
    examples: ['https://board.example.com/logos/0123456789abcdef-0123456789abcdef0123456789abcdef.webp'],
  }),
  url: urlSchema("The job's URL.", 'https://board.example.com/jobs/17.json'),
  preview_image_url: urlSchema(
    'A PNG of 1200 × 630 pixels, to show with links to the job.',
    'https://board.example.com/jobs/17.png?v=2zq1x5dnv8e3k',
  ),
  created_at: timestampSchema('2026-01-10T18:21:59+00:00'),
}

export const Job = objectSchema('Job', publicFields, {
  description: 'A job as everybody sees it. Its category, term and plan are shown as they are now.',
  ...APPLICATION_BY_TYPE,
})

/** A text that can be empty in a draft. */
const inDraft = ({ description, examples, maxLength }: TSchema) =>
  Type.String({
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...(maxLength !== undefined && { maxLength }),
  })

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A job as its owner and administrators see it. */
export const OwnJob = objectSchema(
  'OwnJob',
  {
    ...publicFields,
    description: inDraft(described.description),
    location: inDraft(described.location),
    company: inDraft(described.company),
    company_website: inDraft(described.company_website),
    application_url: Type.Optional(inDraft(url)),
    application_email: Type.Optional(inDraft(email)),
    term: orNull(Term),
    category: orNull(Category),
    plan: orNull(Plan),
    status: Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      examples: ['active'],
    }),
    expires_at: nullableTimestampSchema(
      'When the job expires or expired. Null means never or, for a job that was never approved, not yet known.',
      '2026-02-09T18:21:59+00:00',
    ),
    updated_at: timestampSchema('2026-01-12T09:00:00+00:00'),
    views: countSchema('The number of reads, without those by its owner and administrators.', 42),
    user: Owner,
    publish_at: nullableTimestampSchema('When the job is to be published, if not at once.', null),
    published_at: nullableTimestampSchema(
      'When the job was published. Null if it is not published yet.',
      '2026-01-10T18:21:59+00:00',
    ),
    filled_at: nullableTimestampSchema('When the job was marked as filled.', null),
    closed_at: nullableTimestampSchema('When the job was closed.', null),
    refusal: nullableTextSchema('Why an administrator refused the job. Null if it is not refused.'),
    apply_clicks: countSchema(
      'The number of clicks on Apply, without those by its owner and administrators.',
      3,
    ),
    impressions: countSchema("How often the job was shown in a list on the board's pages.", 640),
    source: nullableTextSchema('Where the job comes from. Null if it was posted here.'),
    external_id: nullableTextSchema("The job's id in its source."),
  },
  {
    description:
      'A job as its owner and administrators see it. In a draft, texts can be empty, and term, category and plan null.',
  },
)

export type Job = Static<typeof Job>
export type OwnJob = Static<typeof OwnJob>
