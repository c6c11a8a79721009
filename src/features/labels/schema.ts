import { Type } from '@sinclair/typebox'

import { line } from '../../base/kinds.ts'
import { NAME_LENGTH } from '../../base/names.ts'

export const LabelFields = Type.Object({
  name: line({ maxLength: NAME_LENGTH, description: 'One line, unique without regard to case.' }),
})
