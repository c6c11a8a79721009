import { Elysia } from 'elysia'
import { formatMoney } from '../../base/money.ts'
import { seeOther } from '../../http/response/reply.ts'
import { formAt } from '../../http/route.ts'
import type { PlanRow } from '../../store/rows.ts'
import { validate, validatePatch } from '../../validation/validation.ts'
import { type FieldDefinition, selectField } from '../desk/field.ts'
import { countText } from '../pages/view.ts'
import { createPlan, deletePlan, readPlan, setPlanStatus, updatePlan } from '../plans/actions.ts'
import { PlanFields } from '../plans/schema.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { buttonAction, linkAction, linkCell, listView, pillCell, textCell } from './listing.ts'
import { withNotice } from './notices.ts'

const PATH = '/admin/plans'
const YES_NO = { false: 'No', true: 'Yes' }
const { properties } = PlanFields

const fieldsOf = (currency: string): readonly FieldDefinition[] => [
  { name: 'name', label: 'Name', schema: properties.name },
  { name: 'price', label: `Price in ${currency}`, type: 'number', hint: 'Whole units. 0 is free.' },
  { name: 'period', label: 'Days online', type: 'number', hint: 'With 0, jobs never expire.' },
  selectField('highlight', 'Highlighted', YES_NO, { hint: 'Its jobs stand out in the list.' }),
  selectField('badge', 'Badge', YES_NO, { hint: 'Its jobs are marked as featured.' }),
  selectField('pin', 'Pinned', YES_NO, { hint: 'Its jobs come first in the list.' }),
]

/** Creates the pages of plans. */
export function planPages(admin: Admin) {
  const { board } = admin
  return new Elysia({ name: 'administration of plans' })
    .get(PATH, ...admin.page(context => admin.reply(context, 'adminList', 'Plans', listOf(admin))))
    .use(formAt(`${PATH}/new`, creationForm(admin)))
    .use(formAt(`${PATH}/:id/edit`, editForm(admin)))
    .use(formAt(`${PATH}/:id/delete`, deletionForm(admin)))
    .post(
      `${PATH}/:id/archive`,
      ...admin.action(async ({ caller, params }) => {
        await setPlanStatus(board.store, caller, params.id, 'archived')
        return withNotice(PATH, 'archived')
      }),
    )
    .post(
      `${PATH}/:id/activate`,
      ...admin.action(async ({ caller, params }) => {
        await setPlanStatus(board.store, caller, params.id, 'active')
        return withNotice(PATH, 'activated')
      }),
    )
}

const listOf = (admin: Admin) => ({
  fields: null,
  list: listView({
    columns: ['Plan', 'Price', 'Time', 'Jobs', 'Status'],
    rows: admin.board.store.read.plans.all().map(plan => rowOf(admin, plan)),
    links: [{ label: 'New plan', path: `${PATH}/new` }],
    empty: 'There is no plan yet. Every job is posted on one.',
  }),
})

function rowOf({ board }: Admin, { id, name, price, period, archived, highlight, badge, pin }: PlanRow) {
  const extras = [highlight && 'highlighted', badge && 'with a badge', pin && 'pinned'].filter(Boolean)
  return {
    id,
    name,
    cells: [
      linkCell(name, `${PATH}/${id}/edit`, extras.join(', ')),
      textCell(price === 0 ? 'Free' : formatMoney(price, board.config.currency)),
      textCell(period === 0 ? 'No end' : countText(period, 'day')),
      textCell(board.store.read.jobs.countWhere('planId', id)),
      archived ? pillCell('Archived', 'plain') : pillCell('Active', 'good'),
    ],
    actions: [
      linkAction('Edit', `${PATH}/${id}/edit`),
      archived
        ? buttonAction('Activate', `${PATH}/${id}/activate`)
        : buttonAction('Archive', `${PATH}/${id}/archive`),
      linkAction('Delete', `${PATH}/${id}/delete`),
    ],
  }
}

const FORM = formView({ button: 'Save', cancel_path: PATH })

const creationForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'New plan',
    fields: () => fieldsOf(admin.board.config.currency),
    initial: () => new Map([...DEFAULTS]),
    view: () => FORM,
    submit: async ({ caller }, fields) => {
      await createPlan(admin.board.store, caller, validate(PlanFields, fields))
      return seeOther(withNotice(PATH, 'created'))
    },
  })

const DEFAULTS = [
  ['price', properties.price.default],
  ['period', properties.period.default],
] as const

const editForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Edit this plan',
    fields: () => fieldsOf(admin.board.config.currency),
    initial: ({ caller, params }) =>
      new Map<string, unknown>(Object.entries(readPlan(admin.board.store.read, caller, params.id))),
    view: () => FORM,
    submit: async ({ caller, params }, fields) => {
      await updatePlan(admin.board.store, caller, params.id, validatePatch(PlanFields, fields))
      return seeOther(withNotice(PATH, 'saved'))
    },
  })

const deletionForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Delete this plan?',
    fields: () => [],
    view: ({ caller, params }) => {
      const { name } = readPlan(admin.board.store.read, caller, params.id)
      const jobs = admin.board.store.read.jobs.countWhere('planId', params.id)
      return formView({
        texts: [
          jobs === 0
            ? `"${name}" will be deleted.`
            : `"${name}" has ${countText(jobs)}, so it can't be deleted. Archive it instead.`,
        ],
        button: 'Delete',
        is_danger: true,
        cancel_path: PATH,
      })
    },
    submit: async ({ caller, params }) => {
      await deletePlan(admin.board.store, caller, params.id)
      return seeOther(withNotice(PATH, 'deleted'))
    },
  })
