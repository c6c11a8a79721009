import { type Caller, isAdmin } from '../../base/caller.ts'
import type { PlanRow } from '../../store/rows.ts'
import type { AdminPlan, Plan } from './schema.ts'

/** Returns a plan as everybody sees it. */
export const presentPlan = ({ id, name, price, period, highlight, badge, pin }: PlanRow): Plan => ({
  id,
  name,
  price,
  period,
  highlight,
  badge,
  pin,
})

/** Returns a plan as administrators see it, except inside a job. */
export const presentAdminPlan = (plan: PlanRow): AdminPlan => ({
  ...presentPlan(plan),
  status: plan.archived ? 'archived' : 'active',
})

export const presentPlanFor = (caller: Caller): ((plan: PlanRow) => Plan | AdminPlan) =>
  isAdmin(caller) ? presentAdminPlan : presentPlan
