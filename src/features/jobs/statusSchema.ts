import { Type } from '@sinclair/typebox'
import { idField } from '../../validation/fields.ts'
import { textField } from '../../validation/textFields.ts'

export const MAX_REASON_LENGTH = 2000

export const Refusal = Type.Object(
  {
    reason: textField({
      maxLength: MAX_REASON_LENGTH,
      description: 'Why the job is refused. It is e-mailed to the owner.',
      examples: ['Please name the employer.'],
    }),
  },
  { $id: 'Refusal' },
)

export const Renewal = Type.Object(
  {
    plan_id: Type.Optional(
      idField({ description: "The id of an active plan. If not sent, the job's own plan.", examples: [1] }),
    ),
  },
  { $id: 'Renewal' },
)
