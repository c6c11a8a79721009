import { type Static, Type } from '@sinclair/typebox'
import {
  idSchema,
  nullableTextSchema,
  objectSchema,
  timestampSchema,
  urlSchema,
} from '../../http/openapi/responseSchemas.ts'
import {
  CHANGE_TYPES,
  type ChangeType,
  PUBLIC_CHANGE_TYPES,
  type PublicChangeType,
} from '../../store/journal/journalRow.ts'
import { integerField } from '../../validation/fields.ts'
import { listField } from '../../validation/listField.ts'
import { Job, OwnJob } from '../jobs/responseSchemas.ts'
import { Category, Term } from '../labels/schema.ts'
import { AdminPlan } from '../plans/schema.ts'
import { SourceRun } from '../sources/schema.ts'
import { Subscriber } from '../subscribers/schema.ts'
import { User } from '../users/schema.ts'

const MAX_LIMIT = 1000
const MAX_WAIT = 30

const after = Type.Optional(
  integerField({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Only later changes. Without it, all that are kept.',
  }),
)
const limit = integerField({
  minimum: 1,
  maximum: MAX_LIMIT,
  default: 100,
  description: 'The maximum number of changes.',
})

export const PublicChangesQuery = Type.Object({ after, limit })

export const ChangesQuery = Type.Object({
  after,
  limit,
  types: Type.Optional(
    listField<ChangeType>(CHANGE_TYPES, { description: 'Only these types.', examples: [['job.published']] }),
  ),
  wait: integerField({
    minimum: 0,
    maximum: MAX_WAIT,
    default: 0,
    description: 'For how many seconds the response may wait for a change, if there is none yet.',
  }),
})
export type ChangesQuery = Static<typeof ChangesQuery>

const seqSchema = (description: string) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [1042] })
const wordSchema = <W extends string>(words: readonly W[]) =>
  Type.Unsafe<W>({ type: 'string', enum: [...words], examples: [words[0]] })

const pageFields = {
  next: seqSchema(
    'The `after` of the next request. It grows even if no change matches: continue until it stays the same.',
  ),
  earliest: seqSchema('The first seq that is kept.'),
}

const changeFields = {
  seq: seqSchema('The number of the change. Numbers have no gaps, except where `types` leaves changes out.'),
  type: wordSchema(CHANGE_TYPES),
  at: timestampSchema('2026-01-10T18:21:59+00:00'),
  actor: objectSchema('Actor', {
    kind: wordSchema(['user', 'token', 'source', 'system', 'cli'] as const),
    id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Of the account, the token or the source.',
      examples: [3],
    }),
  }),
  id: idSchema(17),
  url: urlSchema('The URL of the record.', 'https://board.example.com/jobs/17.json'),
  source: nullableTextSchema('The source of the run, or where the job comes from.'),
  external_id: nullableTextSchema("The job's id in its source."),
  data: Type.Union([OwnJob, Category, AdminPlan, Term, User, Subscriber, SourceRun, Type.Null()], {
    description: 'The record as it is now. Null if it was deleted.',
  }),
}

export const Change = objectSchema('Change', changeFields)
export type Change = Static<typeof Change>

/** What webhooks send. */
export const ChangeMessage = objectSchema('ChangeMessage', {
  type: wordSchema(CHANGE_TYPES),
  timestamp: timestampSchema('2026-01-10T18:21:59+00:00'),
  data: objectSchema('SentChange', {
    ...changeFields,
    shortened: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The texts of the record that were cut, because the message would be too large.',
        examples: [['description']],
      }),
    ),
  }),
})

export const Changes = objectSchema('Changes', { items: Type.Array(Change), ...pageFields })
export type Changes = Static<typeof Changes>

export const PublicChange = objectSchema('PublicChange', {
  seq: seqSchema('The number of the change.'),
  type: wordSchema<PublicChangeType>(PUBLIC_CHANGE_TYPES),
  at: timestampSchema('2026-01-10T18:21:59+00:00'),
  id: idSchema(17),
  url: urlSchema('The URL of the job.', 'https://board.example.com/jobs/17.json'),
  data: Type.Union([Job, Type.Null()], { description: 'The job as it is now. Null if it is not active.' }),
})
export type PublicChange = Static<typeof PublicChange>

export const PublicChanges = objectSchema('PublicChanges', { items: Type.Array(PublicChange), ...pageFields })
export type PublicChanges = Static<typeof PublicChanges>
