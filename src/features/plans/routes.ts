import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { withChangeSeq } from '../../http/response/changeSeq.ts'
import { pagedList } from '../../http/response/list.ts'
import { created } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { createdResponse, itemResponse, listResponse, messageResponse } from '../../http/routeDescription.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { Store } from '../../store/store.ts'
import { createPlan, deletePlan, listPlans, readPlan, setPlanStatus, updatePlan } from './actions.ts'
import { presentAdminPlan, presentPlanFor } from './present.ts'
import { AdminPlan, Plan, PlanFields, PlanQuery, type PlanStatus } from './schema.ts'

const PublicOrAdminPlan = Type.Union([AdminPlan, Plan])

export const planRoutes = ({ store, links, journalTimer }: Board) =>
  new Elysia({ name: 'plans' })
    .get(
      '/plans.json',
      ...route(
        {
          id: 'listPlans',
          access: 'user',
          accessFor: ({ query }) => (isForAdmins(query.get('status')) ? 'admin' : 'user'),
          tag: 'Plans',
          summary: 'List the plans',
          description:
            'The active plans, or a page of them. With `status`, administrators see the archived ones too.',
          query: PlanQuery,
          responses: { 200: listResponse(PublicOrAdminPlan, 'The plans.', ['X-Change-Seq']) },
          errors: { forbidden: 'Only administrators may use a `status` other than `active`.' },
        },
        context =>
          withChangeSeq(
            journalTimer.watch.appliedSeq,
            pagedList(
              context,
              links,
              listPlans(store.read, context.input.status),
              presentPlanFor(context.caller),
            ),
          ),
      ),
    )

    .get(
      '/plans/:id',
      ...route(
        {
          id: 'getPlan',
          access: 'user',
          tag: 'Plans',
          summary: 'Read a plan',
          responses: { 200: itemResponse(PublicOrAdminPlan, 'The plan.') },
          errors: {
            notFound: 'The plan does not exist, or it is archived and the account is not an administrator.',
          },
        },
        ({ caller, params }) => presentPlanFor(caller)(readPlan(store.read, caller, params.id)),
      ),
    )

    .post(
      '/plans.json',
      ...route(
        {
          id: 'createPlan',
          access: 'admin',
          tag: 'Plans',
          summary: 'Create a plan',
          body: PlanFields,
          responses: { 201: createdResponse(AdminPlan, 'The plan was created.') },
        },
        async ({ caller, input }) => {
          const plan = await createPlan(store, caller, input)
          return created(links.to(`/plans/${plan.id}.json`), presentAdminPlan(plan))
        },
      ),
    )

    .put(
      '/plans/:id',
      ...route(
        {
          id: 'updatePlan',
          access: 'admin',
          tag: 'Plans',
          summary: 'Update a plan',
          description:
            'Fields that are not sent keep their values. Jobs show their plan as it is now. A new period does not apply to jobs that are already active.',
          body: PlanFields,
          isPatch: true,
          requires: ({ params }) => getOrThrow(store.read.plans, params.id, 'plan'),
          responses: { 200: itemResponse(AdminPlan, 'The updated plan.') },
        },
        async ({ caller, params, input }) =>
          presentAdminPlan(await updatePlan(store, caller, params.id, input)),
      ),
    )

    .put('/plans/:id/archive.json', ...statusRoute(store, 'archived'))

    .put('/plans/:id/activate.json', ...statusRoute(store, 'active'))

    .delete(
      '/plans/:id',
      ...route(
        {
          id: 'deletePlan',
          access: 'admin',
          tag: 'Plans',
          summary: 'Delete a plan',
          description: 'Only a plan without jobs can be deleted. Archive the others.',
          responses: { 200: messageResponse('The plan "Featured" was deleted.', 'The plan was deleted.') },
          errors: { conflict: 'The plan has jobs. Archive it instead.' },
        },
        async ({ caller, params }) => {
          const plan = await deletePlan(store, caller, params.id)
          return { message: `The plan "${plan.name}" was deleted.` }
        },
      ),
    )

const isForAdmins = (status = '') => ['archived', 'all'].includes(status.trim())

const STATUS_CHANGES = {
  archived: {
    id: 'archivePlan',
    summary: 'Archive a plan',
    description: 'No new job can use it; its jobs stay. Archiving it again changes nothing.',
  },
  active: { id: 'activatePlan', summary: 'Activate an archived plan' },
}

/** Creates the route that gives a plan a status. */
const statusRoute = (store: Store, status: PlanStatus) =>
  route(
    {
      ...STATUS_CHANGES[status],
      access: 'admin',
      tag: 'Plans',
      responses: { 200: messageResponse(`The plan "Featured" is ${status}.`, `The plan is ${status}.`) },
    },
    async ({ caller, params }) => {
      const plan = await setPlanStatus(store, caller, params.id, status)
      return { message: `The plan "${plan.name}" is ${status}.` }
    },
  )
