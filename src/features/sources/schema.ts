import { type Static, Type } from '@sinclair/typebox'
import {
  countSchema,
  idSchema,
  nullableTextSchema,
  objectSchema,
  timestampSchema,
} from '../../http/openapi/responseSchemas.ts'
import { booleanField } from '../../validation/fields.ts'
import { Owner } from '../users/schema.ts'

const MEBIBYTE = 2 ** 20

export const SyncQuery = Type.Object({
  dry_run: booleanField({
    default: false,
    description: 'Whether to find out only what would be done.',
    examples: [true],
  }),
  force: booleanField({
    default: false,
    description:
      'Whether to close missing jobs even if the set is empty, has fewer than half of the open jobs, or has postings without a valid external_id.',
    examples: [false],
  }),
})
export type SyncQuery = Static<typeof SyncQuery>

/** The body of a synchronization. */
export const SET_FILE = {
  field: 'file',
  types: ['application/json', 'application/x-ndjson', 'application/jsonl', 'application/json-lines'],
  maxBytes: 256 * MEBIBYTE,
  description:
    'All postings of the source: a JSON array, or JSON Lines, of at most 20,000 postings and 256 MiB.',
}

const RefusedPosting = objectSchema(
  'RefusedPosting',
  {
    n: countSchema('Its place in the set, from 1.', 7),
    external_id: nullableTextSchema('Its id. Null if it has none that is valid.'),
    errors: Type.Unsafe<Record<string, string[]>>({
      type: 'object',
      description: 'The messages for each invalid field, by its name.',
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
      examples: [{ company_website: ['is required'] }],
    }),
  },
  { description: 'A posting with errors. Its job stays as it is.' },
)

const counts = {
  created: countSchema('The number of jobs that were created.', 3),
  updated: countSchema('The number of jobs that were changed.', 2),
  unchanged: countSchema('The number of jobs that were the same already.', 118),
  reopened: countSchema('The number of closed jobs that were opened again.', 1),
  closed: countSchema('The number of jobs that were closed, because they are missing from the set.', 4),
}

const message = Type.String({
  description: 'The outcome, for people.',
  examples: ['3 created, 2 updated, 118 unchanged, 1 reopened, 4 closed, 1 detached, 1 refused.'],
})

export const SyncResult = objectSchema(
  'SyncResult',
  {
    ...counts,
    detached: Type.Array(
      objectSchema('DetachedJob', {
        id: idSchema(17),
        external_id: Type.String({ description: 'Its id in the source.', examples: ['REQ-1042'] }),
      }),
      { description: 'The jobs that were left alone, because somebody has edited, filled or closed them.' },
    ),
    refused: Type.Array(RefusedPosting, { description: 'The postings with errors.' }),
    message,
  },
  { description: 'What a run did with the jobs of a source.' },
)
export type SyncResult = Static<typeof SyncResult>

export const SourceRun = objectSchema(
  'SourceRun',
  {
    id: idSchema(12),
    source: Type.String({ description: 'The name of the source.', examples: ['harbour-ats'] }),
    status: Type.Unsafe<'done' | 'failed'>({ type: 'string', enum: ['done', 'failed'], examples: ['done'] }),
    started_at: timestampSchema('2026-01-10T18:21:59+00:00'),
    ended_at: timestampSchema('2026-01-10T18:22:04+00:00'),
    ...counts,
    detached: countSchema('The number of jobs that were left alone.', 0),
    refused: countSchema('The number of postings with errors.', 1),
    refusals: Type.Array(RefusedPosting, { description: 'The first 100 of them.' }),
    message,
  },
  { description: 'A run of a source.' },
)
export type SourceRun = Static<typeof SourceRun>

export const Source = objectSchema(
  'Source',
  {
    id: idSchema(2),
    name: Type.String({ description: 'Its name.', examples: ['harbour-ats'] }),
    user: Owner,
    created_at: timestampSchema('2026-01-10T18:21:59+00:00'),
    last_run: Type.Union([SourceRun, Type.Null()]),
  },
  { description: 'A source of jobs, and the account that it belongs to.' },
)
export type Source = Static<typeof Source>
