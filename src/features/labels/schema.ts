import { type Static, Type } from '@sinclair/typebox'
import { countSchema, idSchema, objectSchema } from '../../http/openapi/responseSchemas.ts'
import { responseField } from '../../validation/field.ts'
import { nameField } from '../../validation/textFields.ts'

export const LabelFields = Type.Object(
  {
    name: nameField({ examples: ['Health care'] }),
  },
  { $id: 'NewLabel' },
)

const publicFields = (id: number, name: string) => ({
  id: idSchema(id),
  name: responseField({ ...LabelFields.properties.name, examples: [name] }),
})

const jobs = countSchema('The number of its jobs, in every status.', 12)

/** A kind of label as everybody and as administrators see it. */
const labelSchemas = ($id: string, noun: string, fields: ReturnType<typeof publicFields>) => ({
  shared: objectSchema($id, fields, { description: `${noun} as everybody sees it.` }),
  admin: objectSchema(
    `Admin${$id}`,
    { ...fields, jobs },
    { description: `${noun} as administrators see it, except inside a job.` },
  ),
})

export const CATEGORY = labelSchemas('Category', 'A category', publicFields(2, 'Health care'))
export const TERM = labelSchemas('Term', 'An employment term', publicFields(1, 'Part-time'))
export const Category = CATEGORY.shared
export const Term = TERM.shared
export type Label = Static<typeof Category>
export type AdminLabel = Static<typeof CATEGORY.admin>
