import { Type } from '@sinclair/typebox'
import { list, made, one, operation, told } from '../../http/operation.ts'
import { AdminPlan, Plan, PlanFields, PlanQuery } from './schema.ts'

const Shown = Type.Union([AdminPlan, Plan])

export const planOperations = {
  list: operation({
    id: 'listPlans',
    tag: 'Plans',
    summary: 'List the plans',
    description: 'Those on offer, or a page of them. Administrators see the archived ones too, by `status`.',
    query: PlanQuery,
    answers: { 200: list(Shown, 'The plans.') },
    refuses: { forbidden: 'A `status` other than `active` is for administrators.' },
  }),

  read: operation({
    id: 'getPlan',
    tag: 'Plans',
    summary: 'Read a plan',
    answers: { 200: one(Shown, 'The plan.') },
    refuses: { missing: 'There is no such plan, or it is archived and the account is no administrator.' },
  }),

  create: operation({
    id: 'createPlan',
    tag: 'Plans',
    summary: 'Make a plan',
    body: PlanFields,
    answers: { 201: made(AdminPlan, 'The plan was made.') },
  }),

  update: operation({
    id: 'updatePlan',
    tag: 'Plans',
    summary: 'Change a plan',
    description:
      'What is not sent keeps its value. Jobs show their plan as it is now; when they end was fixed when they became active.',
    body: PlanFields,
    patches: true,
    answers: { 200: one(AdminPlan, 'The plan as it is now.') },
  }),

  archive: operation({
    id: 'archivePlan',
    tag: 'Plans',
    summary: 'Take a plan out of the offer',
    description: 'The jobs on it stay. Again on an archived plan: the same answer.',
    answers: { 200: told('The plan "Featured" is archived.', 'The plan is archived.') },
  }),

  activate: operation({
    id: 'activatePlan',
    tag: 'Plans',
    summary: 'Offer an archived plan again',
    answers: { 200: told('The plan "Featured" is active.', 'The plan is on offer.') },
  }),

  remove: operation({
    id: 'deletePlan',
    tag: 'Plans',
    summary: 'Delete a plan',
    description: 'Only while no job is on it; else archive it.',
    answers: { 200: told('The plan "Featured" was deleted.', 'The plan was deleted.') },
    refuses: { conflict: 'There are jobs on the plan: archive it instead.' },
  }),
}
