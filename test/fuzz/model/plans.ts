import {
  faulty,
  forAdmins,
  FORBIDDEN,
  forUsers,
  isAdmin,
  isTaken,
  MISSING,
  type Plan,
  type Plans,
} from './records.ts'
import { shownPlan } from './shown.ts'

/** The fields of a plan to send. Blank ones count as not sent. */
export type PlanInput = { readonly name?: string } & {
  readonly [K in keyof Omit<Plan, 'id' | 'name' | 'archived'>]?: Plan[K] | '' | null
}

/** Returns the fields that are not blank. All values have the type of their column. */
const notBlank = (input: PlanInput) =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== '' && value !== null),
  ) as Partial<Plan>

const DEFAULTS = { price: 0, period: 30, highlight: false, badge: false, pin: false, archived: false }

export const postPlan =
  (input: PlanInput & { name: string }): Plans =>
  (records, who) => {
    const outcome = forAdmins(who, admin => {
      if (isTaken(records.plans, input.name)) return faulty(['name'])
      return {
        status: 201,
        body: shownPlan(admin, records.plans.add({ ...DEFAULTS, ...notBlank(input), name: input.name })),
      }
    })
    return { method: 'POST', path: '/plans.json', body: input, outcome }
  }

export const putPlan =
  (number: number, input: PlanInput): Plans =>
  (records, who) => {
    const id = records.plans.pick(number)
    const outcome = forAdmins(who, admin => {
      if (!records.plans.get(id)) return MISSING
      if (input.name !== undefined && isTaken(records.plans, input.name, id)) return faulty(['name'])
      return { status: 200, body: shownPlan(admin, records.plans.change(id, notBlank(input))) }
    })
    return { method: 'PUT', path: `/plans/${id}.json`, body: input, outcome }
  }

/** Archives or activates a plan; repeating it changes nothing. */
export const setArchived =
  (number: number, archived: boolean): Plans =>
  (records, who) => {
    const id = records.plans.pick(number)
    const outcome = forAdmins(who, () => {
      if (!records.plans.get(id)) return MISSING
      return { status: 200, says: records.plans.change(id, { archived }).name }
    })
    return { method: 'PUT', path: `/plans/${id}/${archived ? 'archive' : 'activate'}.json`, outcome }
  }

export const deletePlan =
  (number: number): Plans =>
  (records, who) => {
    const id = records.plans.pick(number)
    const outcome = forAdmins(who, () => {
      const plan = records.plans.get(id)
      if (!plan) return MISSING
      if (records.jobs.all.some(job => job.plan === id)) return { status: 409 }
      records.plans.remove(id)
      return { status: 200, says: plan.name }
    })
    return { method: 'DELETE', path: `/plans/${id}.json`, outcome }
  }

export const getPlans =
  (status?: 'active' | 'archived' | 'all'): Plans =>
  (records, who) => {
    const outcome = forUsers(who, user => {
      if (status !== undefined && status !== 'active' && !isAdmin(user)) return FORBIDDEN
      const plans = records.plans.all.filter(
        ({ archived }) => status === 'all' || archived === (status === 'archived'),
      )
      return { status: 200, body: plans.map(plan => shownPlan(user, plan)), total: plans.length }
    })
    return { method: 'GET', path: `/plans.json${status ? `?status=${status}` : ''}`, outcome }
  }

export const getPlan =
  (number: number): Plans =>
  (records, who) => {
    const id = records.plans.pick(number)
    const outcome = forUsers(who, user => {
      const plan = records.plans.get(id)
      if (!plan || (plan.archived && !isAdmin(user))) return MISSING
      return { status: 200, body: shownPlan(user, plan) }
    })
    return { method: 'GET', path: `/plans/${id}.json`, outcome }
  }
