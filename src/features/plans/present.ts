import { type Caller, isAdmin } from '../../base/caller.ts'
import type { PlanRow } from '../../store/rows.ts'
import type { AdminPlan, Plan } from './schema.ts'

/** A plan as everybody sees it, inside a job too. */
export const presentPlan = ({ id, name, price, period, highlight, badge, pin }: PlanRow): Plan => ({
  id,
  name,
  price,
  period,
  highlight,
  badge,
  pin,
})

/** A plan in an answer of its own to an administrator. */
export const presentAdminPlan = (plan: PlanRow): AdminPlan => ({
  ...presentPlan(plan),
  status: plan.archived ? 'archived' : 'active',
})

export const presentPlanTo = (caller: Caller): ((plan: PlanRow) => Plan | AdminPlan) =>
  isAdmin(caller) ? presentAdminPlan : presentPlan
