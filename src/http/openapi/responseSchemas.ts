import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'

/** The schema of an id in a response. */
export const idSchema = (example: number) =>
  Type.Integer({ format: 'int64', minimum: 1, description: 'Unique, and never reused.', examples: [example] })

export const timestampSchema = (example: string) =>
  Type.String({
    format: 'date-time',
    description: 'In UTC, in whole seconds.',
    examples: [example],
  })

export const nullableTimestampSchema = (description: string, example: string | null) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description,
    examples: [example],
  })

export const nullableTextSchema = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [null] })

/** The schema of an absolute URL on the board. */
export const urlSchema = (description: string, example: string) =>
  Type.String({ format: 'uri', description, examples: [example] })

export const countSchema = (description: string, example: number) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [example] })

const countsSchema = (options: SchemaOptions) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer', format: 'int64', minimum: 0 },
    ...options,
  })

/** The schema of counts by date, for every day of a period. */
export const countsPerDaySchema = (description: string) =>
  countsSchema({
    propertyNames: { format: 'date' },
    description,
    examples: [{ '2026-01-09': 311, '2026-01-10': 127 }],
  })

/** The schema of counts by name, the largest first. */
export const topCountsSchema = (description: string, example: Record<string, number>) =>
  countsSchema({ description, examples: [example] })

/** The schema of an object with these fields and no others. */
export const objectSchema = <P extends Record<string, TSchema>>(
  $id: string,
  properties: P,
  options: object = {},
) => Type.Object(properties, { $id, additionalProperties: false, ...options })

/** The schema of the counts of some days, and their sum. */
export const DailyCounts = objectSchema('DailyCounts', {
  total: countSchema('The sum of these days.', 438),
  per_day: countsPerDaySchema('The count on each day (UTC), oldest first.'),
})

export const MessageBody = objectSchema('Message', {
  message: Type.String({ description: 'A message for people.' }),
})

/** The query of the links in mails. */
export const TokenQuery = Type.Object({
  token: Type.String({ description: 'The token from an e-mail.', examples: ['pFKx1vXhTj2m0wqk'] }),
})

const fieldErrorsSchema = (description: string, example: Record<string, string[]>) =>
  Type.Unsafe<Record<string, string[]>>({
    type: 'object',
    description,
    additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
    examples: [example],
  })

/** The result of one operation of a batch. */
export const OperationResult = objectSchema('OperationResult', {
  status: Type.Integer({
    minimum: 200,
    maximum: 599,
    description:
      'As the HTTP status of a request that does the same; 424 if it was undone because another one failed.',
    examples: [201],
  }),
  id: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    format: 'int64',
    description: 'The id of the job. Null if there is none.',
    examples: [17],
  }),
  errors: fieldErrorsSchema('The messages for each invalid field, by its name.', {}),
  error: Type.Optional(Type.String({ description: 'Why it failed, for people.' })),
})

export const ErrorBody = objectSchema(
  'Error',
  {
    error: Type.String({ description: 'A message for people.', examples: ['Please correct: title.'] }),
    errors: Type.Optional(
      fieldErrorsSchema('The messages for each invalid field, by its name. Missing if no field is invalid.', {
        title: ['is required'],
      }),
    ),
    earliest: Type.Optional(
      Type.Integer({
        format: 'int64',
        minimum: 1,
        description: 'With 410 only: the first seq that is kept.',
        examples: [981],
      }),
    ),
    results: Type.Optional(
      Type.Array(OperationResult, {
        description: 'Of an atomic batch that was undone: the result of each operation.',
      }),
    ),
    figures: Type.Optional(
      Type.Unsafe<Record<string, number>>({
        type: 'object',
        description: 'Of a set of jobs that would close too many: the figures.',
        additionalProperties: { type: 'integer', format: 'int64', minimum: 0 },
        examples: [{ postings: 3, open_jobs: 40, found: 2 }],
      }),
    ),
  },
  { description: 'The body of every error response.' },
)
