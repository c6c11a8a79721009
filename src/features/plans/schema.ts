import { type Static, Type } from '@sinclair/typebox'
import { NAME_LENGTH } from '../../base/names.ts'
import { idSchema, objectSchema } from '../../http/openapi/responseSchemas.ts'
import { pagingFields } from '../../http/response/paging.ts'
import { responseField } from '../../validation/field.ts'
import { booleanField, enumField, integerField } from '../../validation/fields.ts'
import { lineField } from '../../validation/textFields.ts'

const PERIOD = 30

const AT_MOST = Number.MAX_SAFE_INTEGER

const fields = {
  name: lineField({
    maxLength: NAME_LENGTH,
    description: 'One line, unique without regard to case.',
    examples: ['Featured'],
  }),
  price: integerField({
    minimum: 0,
    maximum: AT_MOST,
    default: 0,
    description: "In whole units of the board's currency.",
    examples: [49],
  }),
  period: integerField({
    minimum: 0,
    maximum: AT_MOST,
    default: PERIOD,
    description: 'In days, from when a job becomes active; 0 never expires.',
    examples: [30],
  }),
  highlight: booleanField({
    default: false,
    description: 'Its jobs stand out in the list.',
    examples: [true],
  }),
  badge: booleanField({ default: false, description: 'Its jobs carry a badge.', examples: [false] }),
  pin: booleanField({ default: false, description: 'Its jobs stand first in the list.', examples: [true] }),
}

export const PlanFields = Type.Object(fields, { $id: 'NewPlan' })

export const PLAN_STATUSES = ['active', 'archived'] as const

export const PlanQuery = Type.Object({
  status: enumField([...PLAN_STATUSES, 'all'], {
    default: 'active',
    description: 'Other than the active ones are for administrators.',
  }),
  ...pagingFields,
})

const shownFields = {
  id: idSchema(1),
  name: responseField(fields.name),
  price: responseField(fields.price),
  period: responseField(fields.period),
  highlight: responseField(fields.highlight),
  badge: responseField(fields.badge),
  pin: responseField(fields.pin),
}

export const Plan = objectSchema('Plan', shownFields, { description: 'A plan as everybody sees it.' })

/** A plan in an answer of its own to an administrator. */
export const AdminPlan = objectSchema(
  'AdminPlan',
  {
    ...shownFields,
    status: Type.Unsafe<(typeof PLAN_STATUSES)[number]>({
      type: 'string',
      enum: [...PLAN_STATUSES],
      examples: ['active'],
    }),
  },
  { description: 'A plan as administrators see it.' },
)

export type Plan = Static<typeof Plan>
export type AdminPlan = Static<typeof AdminPlan>
