import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { idOfBare, idOfJson } from '../../http/ids.ts'
import { readInput } from '../../http/input.ts'
import { draftListQuery, listPage } from '../../http/list.ts'
import { created } from '../../http/reply.ts'
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
      ({ exchange, caller }) => {
        const draft = draftListQuery(exchange, PlanQuery)
        const plans = listPlans(store.read, caller, draft.value('status') ?? 'active')
        draft.settle()
        return listPage(exchange, links, plans, presentPlanTo(caller))
      },
      { needs: 'user', ...planOperations.list },
    )

    .get(
      '/plans/:id',
      ({ params, caller }) => presentPlanTo(caller)(readPlan(store.read, caller, idOfJson(params.id))),
      { needs: 'user', ...planOperations.read },
    )

    .post(
      '/plans.json',
      async ({ exchange, caller }) => {
        const plan = await addPlan(store, caller, await readInput(exchange, planOperations.create))
        return created(links.to(`/plans/${plan.id}.json`), presentAdminPlan(plan))
      },
      { needs: 'admin', ...planOperations.create },
    )

    .put(
      '/plans/:id',
      async ({ exchange, params, caller }) => {
        const { id } = getPlan(store.read, idOfJson(params.id))
        return presentAdminPlan(
          await changePlan(store, caller, id, await readInput(exchange, planOperations.update)),
        )
      },
      { needs: 'admin', ...planOperations.update },
    )

    .put(
      '/plans/:id/archive.json',
      async ({ params, caller }) => {
        const plan = await archivePlan(store, caller, idOfBare(params.id))
        return { message: `The plan "${plan.name}" is archived.` }
      },
      { needs: 'admin', ...planOperations.archive },
    )

    .put(
      '/plans/:id/activate.json',
      async ({ params, caller }) => {
        const plan = await activatePlan(store, caller, idOfBare(params.id))
        return { message: `The plan "${plan.name}" is active.` }
      },
      { needs: 'admin', ...planOperations.activate },
    )

    .delete(
      '/plans/:id',
      async ({ params, caller }) => {
        const plan = await removePlan(store, caller, idOfJson(params.id))
        return { message: `The plan "${plan.name}" was deleted.` }
      },
      { needs: 'admin', ...planOperations.remove },
    )
