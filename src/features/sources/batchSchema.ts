import { type Static, Type } from '@sinclair/typebox'
import { objectSchema, OperationResult } from '../../http/openapi/responseSchemas.ts'
import { defineField, REQUIRED, verbatim } from '../../validation/field.ts'
import { booleanField, enumField, idField } from '../../validation/fields.ts'
import { JobPatch } from '../jobs/schema.ts'
import { SOURCE_FIELD } from './access.ts'
import { EXTERNAL_ID_FIELD } from './actions.ts'

const MAX_OPERATIONS = 500

export const OPERATIONS = ['create', 'update', 'upsert', 'close', 'delete'] as const

/** The fields of an operation besides those of its job: what to do with which job. */
export const Target = Type.Object({
  op: enumField(OPERATIONS, {
    description: 'What to do. `upsert` creates the job of a source, or makes it what the fields say.',
    examples: ['upsert'],
  }),
  id: Type.Optional(idField({ description: 'The id of the job to update, close or delete.' })),
  source: Type.Optional(SOURCE_FIELD),
  external_id: Type.Optional(EXTERNAL_ID_FIELD),
})
export type Target = Static<typeof Target>

const Operation = Type.Object({ ...Target.properties, ...Type.Partial(JobPatch).properties })

const operationsField = defineField<unknown[]>(
  { type: 'array', maxItems: MAX_OPERATIONS },
  {
    parse: verbatim,
    error: value => {
      if (value === null) return REQUIRED
      if (!Array.isArray(value)) return 'must be a list of operations'
      return value.length > MAX_OPERATIONS
        ? `has ${value.length} operations: at most ${MAX_OPERATIONS} are allowed`
        : undefined
    },
    isBlank: input => input === undefined || input === null || input === '',
  },
)

export const Batch = Type.Object(
  {
    operations: operationsField({
      description:
        "What to do, in this order: objects with `op` and the job's fields. `update`, `close` and `delete` name the job by its `id`, or by `source` and `external_id`; `upsert` by the latter.",
      items: { type: 'object', properties: Operation.properties, required: ['op'] },
      examples: [
        [
          { op: 'update', id: 17, salary: 2500 },
          { op: 'close', source: 'harbour-ats', external_id: 'REQ-1042' },
        ],
      ],
    }),
  },
  { $id: 'Batch' },
)

export const BatchQuery = Type.Object({
  atomic: booleanField({
    default: false,
    description: 'Whether to carry out all operations or, if one fails, none.',
    examples: [true],
  }),
})

export const BatchResults = objectSchema('BatchResults', {
  results: Type.Array(OperationResult, { description: 'The result of each operation, in their order.' }),
})
export type BatchResults = Static<typeof BatchResults>
