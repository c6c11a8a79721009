import { Type } from '@sinclair/typebox'
import { choice, flag, whole } from '../../base/kinds.ts'
import { NAME_LENGTH } from '../../base/names.ts'
import { line } from '../../base/textkinds.ts'
import { pageFields } from '../../http/paging.ts'

const PERIOD = 30

const AT_MOST = Number.MAX_SAFE_INTEGER

export const PlanFields = Type.Object({
  name: line({ maxLength: NAME_LENGTH, description: 'One line, unique without regard to case.' }),
  price: whole({
    minimum: 0,
    maximum: AT_MOST,
    default: 0,
    description: "In whole units of the board's currency.",
  }),
  period: whole({ minimum: 0, maximum: AT_MOST, default: PERIOD, description: 'In days; 0 never expires.' }),
  highlight: flag({ default: false }),
  badge: flag({ default: false }),
  pin: flag({ default: false, description: 'Its jobs stand first in the list.' }),
})

export const PLAN_STATUSES = ['active', 'archived'] as const

export const PlanQuery = Type.Object({
  status: choice([...PLAN_STATUSES, 'all'], { default: 'active' }),
  ...pageFields,
})
