import { Elysia } from 'elysia'
import { seeOther } from '../../http/response/reply.ts'
import { formAt } from '../../http/route.ts'
import { validate, validatePatch } from '../../validation/validation.ts'
import type { FieldDefinition } from '../desk/field.ts'
import {
  CATEGORIES,
  createLabel,
  deleteLabel,
  getLabel,
  type Labels,
  TERMS,
  updateLabel,
} from '../labels/actions.ts'
import { LabelFields } from '../labels/schema.ts'
import { countText } from '../pages/view.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { linkAction, linkCell, listView, textCell } from './listing.ts'
import { withNotice } from './notices.ts'

const NAME: FieldDefinition = { name: 'name', label: 'Name', schema: LabelFields.properties.name }

/** What the pages call the two kinds of label. */
interface Words {
  readonly path: string
  readonly title: string
  readonly one: string
  readonly add: string
}

const CATEGORY_WORDS = {
  path: '/admin/categories',
  title: 'Categories',
  one: 'category',
  add: 'Add a category',
}
const TERM_WORDS = {
  path: '/admin/terms',
  title: 'Employment types',
  one: 'employment type',
  add: 'Add an employment type',
}

/** Creates the pages of categories and employment types. */
export const labelPages = (admin: Admin) =>
  new Elysia({ name: 'administration of labels' })
    .use(pagesOf(admin, CATEGORIES, CATEGORY_WORDS))
    .use(pagesOf(admin, TERMS, TERM_WORDS))

function pagesOf(admin: Admin, labels: Labels, words: Words) {
  const list = listForm(admin, labels, words)
  const rename = renameForm(admin, labels, words)
  const deletion = deletionForm(admin, labels, words)
  const { path } = words
  return new Elysia({ name: `administration of ${labels.table}` })
    .use(formAt(path, list))
    .use(formAt(`${path}/:id/edit`, rename))
    .use(formAt(`${path}/:id/delete`, deletion))
}

/** The list, with a form to add another one. */
const listForm = (admin: Admin, labels: Labels, { path, title, one, add }: Words) =>
  admin.form({
    template: 'adminList',
    title,
    fields: () => [{ ...NAME, label: add }],
    view: () => ({
      list: listView({
        columns: ['Name', 'Jobs'],
        rows: admin.board.store.read[labels.table].all().map(({ id, name }) => ({
          id,
          name,
          cells: [
            linkCell(name, `${path}/${id}/edit`),
            textCell(admin.board.store.read.jobs.countWhere(labels.column, id)),
          ],
          actions: [linkAction('Rename', `${path}/${id}/edit`), linkAction('Delete', `${path}/${id}/delete`)],
        })),
        add_label: 'Add',
        empty: `There is no ${one} yet. Every job needs one.`,
      }),
    }),
    submit: async ({ caller }, fields) => {
      await createLabel(admin.board.store, caller, labels, validate(LabelFields, fields))
      return seeOther(withNotice(path, 'created'))
    },
  })

const renameForm = (admin: Admin, labels: Labels, { path, one }: Words) =>
  admin.form({
    template: 'adminForm',
    title: `Rename this ${one}`,
    fields: () => [NAME],
    initial: ({ params }) => new Map([['name', getLabel(admin.board.store.read, labels, params.id).name]]),
    view: () => formView({ button: 'Save', cancel_path: path }),
    submit: async ({ caller, params }, fields) => {
      await updateLabel(admin.board.store, caller, labels, params.id, validatePatch(LabelFields, fields))
      return seeOther(withNotice(path, 'saved'))
    },
  })

const deletionForm = (admin: Admin, labels: Labels, { path, one }: Words) =>
  admin.form({
    template: 'adminForm',
    title: `Delete this ${one}?`,
    fields: () => [],
    view: ({ params }) => {
      const { name } = getLabel(admin.board.store.read, labels, params.id)
      const ids = admin.board.store.read.jobs.idsWhere(labels.column, params.id)
      return formView({
        texts: [
          `"${name}" and ${countText(ids.length)} will be deleted, whatever their status. You can put them back within 30 days, under Changes, but without logos and statistics.`,
          ...ids.slice(0, MAX_TITLES).map(id => admin.board.store.read.jobs.get(id)?.title ?? ''),
          ...(ids.length > MAX_TITLES ? [`… and ${ids.length - MAX_TITLES} more`] : []),
        ],
        button: 'Delete',
        is_danger: true,
        cancel_path: path,
      })
    },
    submit: async ({ caller, params }) => {
      await deleteLabel(admin.board, caller, labels, params.id)
      return seeOther(withNotice(path, 'deleted'))
    },
  })

/** How many of the jobs that will be deleted a page names. */
const MAX_TITLES = 20
