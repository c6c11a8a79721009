import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { parseId, parseJsonId } from '../../http/paths.ts'
import { readInput } from '../../http/request/input.ts'
import { pagedList, validateQuery } from '../../http/response/list.ts'
import { created } from '../../http/response/reply.ts'
import {
  activatePlan,
  addPlan,
  archivePlan,
  changePlan,
  getPlan,
  listPlans,
  readPlan,
  removePlan,
} from './actions.ts'
import { planOperations } from './operations.ts'
import { presentAdminPlan, presentPlanTo } from './present.ts'
import { PlanQuery } from './schema.ts'

export const planRoutes = ({ store, links }: Board) =>
  new Elysia({ name: 'plans' })
    .use(guard)

    .get(
      '/plans.json',
      ({ exchange: context, caller }) => {
        const validation = validateQuery(context, PlanQuery)
        const plans = listPlans(store.read, caller, validation.value('status') ?? 'active')
        validation.valueOrThrow()
        return pagedList(context, links, plans, presentPlanTo(caller))
      },
      { needs: 'user', ...planOperations.list },
    )

    .get(
      '/plans/:id',
      ({ params, caller }) => presentPlanTo(caller)(readPlan(store.read, caller, parseJsonId(params.id))),
      { needs: 'user', ...planOperations.read },
    )

    .post(
      '/plans.json',
      async ({ exchange: context, caller }) => {
        const plan = await addPlan(store, caller, await readInput(context, planOperations.create))
        return created(links.to(`/plans/${plan.id}.json`), presentAdminPlan(plan))
      },
      { needs: 'admin', ...planOperations.create },
    )

    .put(
      '/plans/:id',
      async ({ exchange: context, params, caller }) => {
        const { id } = getPlan(store.read, parseJsonId(params.id))
        return presentAdminPlan(
          await changePlan(store, caller, id, await readInput(context, planOperations.update)),
        )
      },
      { needs: 'admin', ...planOperations.update },
    )

    .put(
      '/plans/:id/archive.json',
      async ({ params, caller }) => {
        const plan = await archivePlan(store, caller, parseId(params.id))
        return { message: `The plan "${plan.name}" is archived.` }
      },
      { needs: 'admin', ...planOperations.archive },
    )

    .put(
      '/plans/:id/activate.json',
      async ({ params, caller }) => {
        const plan = await activatePlan(store, caller, parseId(params.id))
        return { message: `The plan "${plan.name}" is active.` }
      },
      { needs: 'admin', ...planOperations.activate },
    )

    .delete(
      '/plans/:id',
      async ({ params, caller }) => {
        const plan = await removePlan(store, caller, parseJsonId(params.id))
        return { message: `The plan "${plan.name}" was deleted.` }
      },
      { needs: 'admin', ...planOperations.remove },
    )
