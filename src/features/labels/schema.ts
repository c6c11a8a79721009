import { type Static, Type } from '@sinclair/typebox'
import { shown } from '../../base/kind.ts'
import { NAME_LENGTH } from '../../base/names.ts'
import { line } from '../../base/textkinds.ts'
import { shownId, shownObject } from '../../http/shown.ts'

export const LabelFields = Type.Object(
  {
    name: line({
      maxLength: NAME_LENGTH,
      description: 'One line, unique without regard to case.',
      examples: ['Health care'],
    }),
  },
  { $id: 'NewLabel' },
)

const shownLabel = ($id: string, id: number, name: string) =>
  shownObject($id, {
    id: shownId(id),
    name: shown({ ...LabelFields.properties.name, examples: [name] }),
  })

export const Category = shownLabel('Category', 2, 'Health care')
export const Term = shownLabel('Term', 1, 'Part-time')
export type Label = Static<typeof Category>
