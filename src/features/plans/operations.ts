import { Type } from '@sinclair/typebox'
import {
  createdResponse,
  itemResponse,
  listResponse,
  messageResponse,
  operation,
} from '../../http/operation.ts'
import { AdminPlan, Plan, PlanFields, PlanQuery } from './schema.ts'

const Shown = Type.Union([AdminPlan, Plan])

export const planOperations = {
  list: operation({
    id: 'listPlans',
    tag: 'Plans',
    summary: 'List the plans',
    description: 'Those on offer, or a page of them. Administrators see the archived ones too, by `status`.',
    query: PlanQuery,
    responses: { 200: listResponse(Shown, 'The plans.') },
    errors: { forbidden: 'A `status` other than `active` is for administrators.' },
  }),

  read: operation({
    id: 'getPlan',
    tag: 'Plans',
    summary: 'Read a plan',
    responses: { 200: itemResponse(Shown, 'The plan.') },
    errors: { notFound: 'There is no such plan, or it is archived and the account is no administrator.' },
  }),

  create: operation({
    id: 'createPlan',
    tag: 'Plans',
    summary: 'Make a plan',
    body: PlanFields,
    responses: { 201: createdResponse(AdminPlan, 'The plan was made.') },
  }),

  update: operation({
    id: 'updatePlan',
    tag: 'Plans',
    summary: 'Change a plan',
    description:
      'What is not sent keeps its value. Jobs show their plan as it is now; when they end was fixed when they became active.',
    body: PlanFields,
    isPatch: true,
    responses: { 200: itemResponse(AdminPlan, 'The plan as it is now.') },
  }),

  archive: operation({
    id: 'archivePlan',
    tag: 'Plans',
    summary: 'Take a plan out of the offer',
    description: 'The jobs on it stay. Again on an archived plan: the same answer.',
    responses: { 200: messageResponse('The plan "Featured" is archived.', 'The plan is archived.') },
  }),

  activate: operation({
    id: 'activatePlan',
    tag: 'Plans',
    summary: 'Offer an archived plan again',
    responses: { 200: messageResponse('The plan "Featured" is active.', 'The plan is on offer.') },
  }),

  remove: operation({
    id: 'deletePlan',
    tag: 'Plans',
    summary: 'Delete a plan',
    description: 'Only while no job is on it; else archive it.',
    responses: { 200: messageResponse('The plan "Featured" was deleted.', 'The plan was deleted.') },
    errors: { conflict: 'There are jobs on the plan: archive it instead.' },
  }),
}
