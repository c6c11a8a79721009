import { Type } from '@sinclair/typebox'
import { NAME_LENGTH } from '../../base/names.ts'
import { line } from '../../base/textkinds.ts'

export const LabelFields = Type.Object({
  name: line({ maxLength: NAME_LENGTH, description: 'One line, unique without regard to case.' }),
})
