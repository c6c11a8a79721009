import { type Static, Type } from '@sinclair/typebox'
import { shown } from '../../base/kind.ts'
import { choice, flag, whole } from '../../base/kinds.ts'
import { NAME_LENGTH } from '../../base/names.ts'
import { line } from '../../base/textkinds.ts'
import { pageFields } from '../../http/paging.ts'
import { shownId, shownObject } from '../../http/shown.ts'

const PERIOD = 30

const AT_MOST = Number.MAX_SAFE_INTEGER

const fields = {
  name: line({
    maxLength: NAME_LENGTH,
    description: 'One line, unique without regard to case.',
    examples: ['Featured'],
  }),
  price: whole({
    minimum: 0,
    maximum: AT_MOST,
    default: 0,
    description: "In whole units of the board's currency.",
    examples: [49],
  }),
  period: whole({
    minimum: 0,
    maximum: AT_MOST,
    default: PERIOD,
    description: 'In days, from when a job becomes active; 0 never expires.',
    examples: [30],
  }),
  highlight: flag({ default: false, description: 'Its jobs stand out in the list.', examples: [true] }),
  badge: flag({ default: false, description: 'Its jobs carry a badge.', examples: [false] }),
  pin: flag({ default: false, description: 'Its jobs stand first in the list.', examples: [true] }),
}

export const PlanFields = Type.Object(fields, { $id: 'NewPlan' })

export const PLAN_STATUSES = ['active', 'archived'] as const

export const PlanQuery = Type.Object({
  status: choice([...PLAN_STATUSES, 'all'], {
    default: 'active',
    description: 'Other than the active ones are for administrators.',
  }),
  ...pageFields,
})

const shownFields = {
  id: shownId(1),
  name: shown(fields.name),
  price: shown(fields.price),
  period: shown(fields.period),
  highlight: shown(fields.highlight),
  badge: shown(fields.badge),
  pin: shown(fields.pin),
}

export const Plan = shownObject('Plan', shownFields, { description: 'A plan as everybody sees it.' })

/** A plan in an answer of its own to an administrator. */
export const AdminPlan = shownObject(
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
