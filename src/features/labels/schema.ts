import { type Static, Type } from '@sinclair/typebox'
import { MAX_NAME_LENGTH } from '../../base/names.ts'
import { idSchema, objectSchema } from '../../http/openapi/responseSchemas.ts'
import { responseField } from '../../validation/field.ts'
import { lineField } from '../../validation/textFields.ts'

export const LabelFields = Type.Object(
  {
    name: lineField({
      maxLength: MAX_NAME_LENGTH,
      description: 'A single line, unique (case is ignored).',
      examples: ['Health care'],
    }),
  },
  { $id: 'NewLabel' },
)

const labelSchema = ($id: string, id: number, name: string) =>
  objectSchema($id, {
    id: idSchema(id),
    name: responseField({ ...LabelFields.properties.name, examples: [name] }),
  })

export const Category = labelSchema('Category', 2, 'Health care')
export const Term = labelSchema('Term', 1, 'Part-time')
export type Label = Static<typeof Category>
