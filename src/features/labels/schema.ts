import { type Static, Type } from '@sinclair/typebox'
import { idSchema, objectSchema } from '../../http/openapi/responseSchemas.ts'
import { responseField } from '../../validation/field.ts'
import { nameField } from '../../validation/textFields.ts'

export const LabelFields = Type.Object(
  {
    name: nameField({ examples: ['Health care'] }),
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
