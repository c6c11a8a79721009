import { type Static, Type } from '@sinclair/typebox'
import { idField, timestampField } from '../../validation/fields.ts'
import { nameField } from '../../validation/textFields.ts'
import { htmlFields } from './htmlField.ts'
import { describedFields, draftFields } from './schema.ts'

const optionalName = () => Type.Optional(nameField({}))

/** The fields of an import that name a job's category, term and plan or give their ids, and its time of creation. */
const importFields = {
  category: optionalName(),
  category_id: Type.Optional(idField({})),
  term: optionalName(),
  term_id: Type.Optional(idField({})),
  plan: optionalName(),
  plan_id: Type.Optional(idField({})),
  created_at: Type.Optional(timestampField({})),
}

export const ImportedJob = Type.Object({ ...describedFields, ...htmlFields, ...importFields })
/** A draft of an export, of which only the title is required. */
export const ImportedDraft = Type.Object({ ...draftFields, ...importFields })
export type ImportedDraft = Static<typeof ImportedDraft>
