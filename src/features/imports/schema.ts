import { type Static, Type } from '@sinclair/typebox'
import {
  countSchema,
  idSchema,
  nullableTextSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
} from '../../http/openapi/responseSchemas.ts'
import { booleanField } from '../../validation/fields.ts'
import { nameField } from '../../validation/textFields.ts'

/** The plan of rows that name none. */
export const DEFAULT_PLAN = 'Imported'

/** The number of errors, and of names of each kind, that are shown. */
export const MAX_SHOWN = 100

const STATUSES = ['checking', 'storing', 'done', 'failed'] as const
export type ImportStatus = (typeof STATUSES)[number]

export const ImportQuery = Type.Object({
  dry_run: booleanField({
    default: false,
    description: 'Whether to check the rows only, and import nothing.',
    examples: [true],
  }),
  keep_going: booleanField({
    default: false,
    description: 'Whether to import the rows without errors if others have some.',
    examples: [false],
  }),
  with_accounts: booleanField({
    default: false,
    description: 'Whether to import accounts and subscribers too. New accounts have no password.',
    examples: [false],
  }),
  plan: nameField({
    default: DEFAULT_PLAN,
    description: 'The plan of rows that name none. It is created if necessary, and archived.',
    examples: ['Basic'],
  }),
})
export type ImportQuery = Static<typeof ImportQuery>

const RefusedRow = objectSchema(
  'RefusedRow',
  {
    row: Type.String({
      description: 'Its place in the file: the line, or the row of a JSON array.',
      examples: ['Line 3'],
    }),
    title: nullableTextSchema('The beginning of its title.'),
    message: Type.String({
      description: 'All errors of the row in one sentence.',
      examples: ['description is required.'],
    }),
    errors: Type.Unsafe<Record<string, string[]>>({
      type: 'object',
      description: 'The messages for each invalid field, by its name; empty if the row can not be read.',
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
      examples: [{ description: ['is required'] }],
    }),
  },
  { description: 'A row with errors.' },
)

const CreatedNames = objectSchema(
  'CreatedNames',
  {
    count: countSchema('How many were created.', 1),
    names: Type.Array(Type.String(), {
      description: `The names or addresses of the first ${MAX_SHOWN}.`,
      examples: [['Health care']],
    }),
  },
  { description: 'Records that an import created.' },
)

const CreatedRecords = objectSchema('CreatedRecords', {
  categories: CreatedNames,
  terms: CreatedNames,
  plans: CreatedNames,
  archived_plans: CreatedNames,
  administrators: CreatedNames,
  users: CreatedNames,
  subscribers: CreatedNames,
})

export const Import = objectSchema(
  'Import',
  {
    id: idSchema(1),
    file: nullableTextSchema('The name of the file, if it was sent.'),
    status: Type.Unsafe<ImportStatus>({ type: 'string', enum: [...STATUSES], examples: ['done'] }),
    dry_run: Type.Boolean({ examples: [false] }),
    keep_going: Type.Boolean({ examples: [true] }),
    progress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'The part of the file that was checked or stored, in percent.',
      examples: [100],
    }),
    rows: countSchema('The number of rows that were checked.', 26),
    imported: countSchema('The number of rows that were imported.', 25),
    refused: countSchema('The number of rows with errors.', 1),
    skipped: countSchema('The number of accounts and subscribers that were skipped.', 0),
    errors: Type.Array(RefusedRow, { description: `The first ${MAX_SHOWN} rows with errors.` }),
    created: CreatedRecords,
    message: nullableTextSchema('The result, once there is one.'),
    started_at: timestampSchema('2026-01-10T18:21:59+00:00'),
    ended_at: nullableTimestampSchema('When it ended, or null.', '2026-01-10T18:22:04+00:00'),
  },
  { description: 'An import and its progress.' },
)
export type Import = Static<typeof Import>
