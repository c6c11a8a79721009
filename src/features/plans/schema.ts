import { type Static, Type } from '@sinclair/typebox'
import { idSchema, objectSchema } from '../../http/openapi/responseSchemas.ts'
import { pagingFields } from '../../http/response/paging.ts'
import { responseField } from '../../validation/field.ts'
import { booleanField, enumField, integerField } from '../../validation/fields.ts'
import { nameField } from '../../validation/textFields.ts'

const DEFAULT_PERIOD = 30

const fields = {
  name: nameField({ examples: ['Featured'] }),
  price: integerField({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "In whole units of the board's currency.",
    examples: [49],
  }),
  period: integerField({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: DEFAULT_PERIOD,
    description: 'In days, from when a job becomes active. With 0, jobs never expire.',
    examples: [30],
  }),
  highlight: booleanField({
    default: false,
    description: 'Its jobs stand out in the list.',
    examples: [true],
  }),
  badge: booleanField({ default: false, description: 'Its jobs have a badge.', examples: [false] }),
  pin: booleanField({ default: false, description: 'Its jobs come first in the list.', examples: [true] }),
}

export const PlanFields = Type.Object(fields, { $id: 'NewPlan' })

const STATUSES = ['active', 'archived'] as const
export type PlanStatus = (typeof STATUSES)[number]

export const PlanQuery = Type.Object({
  status: enumField([...STATUSES, 'all'], {
    default: 'active',
    description: 'Values other than `active` require an administrator.',
  }),
  ...pagingFields,
})

const publicFields = {
  id: idSchema(1),
  name: responseField(fields.name),
  price: responseField(fields.price),
  period: responseField(fields.period),
  highlight: responseField(fields.highlight),
  badge: responseField(fields.badge),
  pin: responseField(fields.pin),
}

export const Plan = objectSchema('Plan', publicFields, { description: 'A plan as everybody sees it.' })

/** A plan as administrators see it, except inside a job. */
export const AdminPlan = objectSchema(
  'AdminPlan',
  {
    ...publicFields,
    status: Type.Unsafe<PlanStatus>({ type: 'string', enum: [...STATUSES], examples: ['active'] }),
  },
  { description: 'A plan as administrators see it.' },
)

export type Plan = Static<typeof Plan>
export type AdminPlan = Static<typeof AdminPlan>
