import { Elysia } from 'elysia'
import { timestamp } from '../../base/clock.ts'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, type RouteContext } from '../../http/route.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { SubscriberRow } from '../../store/rows.ts'
import { validate, validatePatch } from '../../validation/validation.ts'
import { type FieldDefinition, selectField } from '../desk/field.ts'
import { deleteSubscriber, subscribe, updateSubscriber } from '../subscribers/actions.ts'
import { NewSubscriber, SubscriberFields } from '../subscribers/schema.ts'
import type { Admin } from './admin.ts'
import { csvReply } from './csv.ts'
import { formView } from './formView.ts'
import { buttonAction, linkAction, listView, pillCell, textCell, timeCell } from './listing.ts'
import { pageOfPeople } from './listPages.ts'
import { withNotice } from './notices.ts'

const PATH = '/admin/subscribers'

const fieldsOf = (sendsMail: boolean): readonly FieldDefinition[] => [
  {
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    schema: NewSubscriber.properties.email,
    autocomplete: 'off',
  },
  selectField(
    'email_confirmed',
    'Confirmation',
    {
      false: sendsMail ? 'Send a link to confirm' : 'Not confirmed yet',
      true: 'The person has agreed: confirm now',
    },
    { hint: 'Only confirmed addresses get job alerts.' },
  ),
]

/** Creates the pages of subscribers. */
export function subscriberPages(admin: Admin) {
  const { board } = admin
  const addition = additionForm(admin)
  const deletion = deletionForm(admin)
  const page = admin.page(context => admin.reply(context, 'adminList', 'Subscribers', listOf(admin, context)))
  return new Elysia({ name: 'administration of subscribers' })
    .get(PATH, ...page)
    .get(`${PATH}.csv`, ...admin.page(() => download(admin)))
    .use(formAt(`${PATH}/new`, addition))
    .use(formAt(`${PATH}/:id/delete`, deletion))
    .post(
      `${PATH}/:id/confirm`,
      ...admin.action(async ({ caller, params }) => {
        const values = new Map([['email_confirmed', true]])
        const input = validatePatch(SubscriberFields, { values, isForm: false })
        await updateSubscriber(board, caller, params.id, input)
        return withNotice(PATH, 'confirmed')
      }),
    )
    .post(
      `${PATH}/:id/resend`,
      ...admin.action(async ({ caller, params }) => {
        const { email } = subscriberOf(admin, params.id)
        const values = new Map([['email', email]])
        await subscribe(board, caller, validate(NewSubscriber, { values, isForm: false }))
        return withNotice(PATH, 'linkSent')
      }),
    )
}

function listOf(admin: Admin, { query }: RouteContext) {
  const { items, pager } = pageOfPeople(admin.board.store.read.subscribers, PATH, query)
  const q = query.get('q') ?? ''
  return {
    fields: null,
    list: listView({
      columns: ['Address', 'Status', 'Since'],
      rows: items.map(subscriber => rowOf(admin, subscriber)),
      links: [
        { label: 'Add a subscriber', path: `${PATH}/new` },
        { label: 'Download as CSV', path: `${PATH}.csv`, is_plain: true },
      ],
      search: { path: PATH, label: 'Part of the address', q, hidden: [] },
      pager,
      empty:
        q === ''
          ? 'Nobody has subscribed yet. Visitors find the form at /subscribe.'
          : 'No subscriber has such an address.',
    }),
  }
}

function rowOf({ board }: Admin, { id, email, confirmed, createdAt }: SubscriberRow) {
  const { isEnabled: sendsMail } = board.mail.outbox
  return {
    id,
    name: email,
    cells: [
      textCell(email),
      confirmed ? pillCell('Confirmed', 'good') : pillCell('Not confirmed', 'wait'),
      timeCell(createdAt, board.clock),
    ],
    actions: [
      ...(confirmed ? [] : [buttonAction('Confirm', `${PATH}/${id}/confirm`)]),
      ...(confirmed || !sendsMail ? [] : [buttonAction('Resend the link', `${PATH}/${id}/resend`)]),
      linkAction('Delete', `${PATH}/${id}/delete`),
    ],
  }
}

function download({ board }: Admin) {
  const rows = board.store.read.subscribers
    .all()
    .map(({ id, email, confirmed, createdAt }) => [id, email, String(confirmed), timestamp(createdAt)])
  return csvReply('subscribers', ['id', 'email', 'email_confirmed', 'created_at'], rows)
}

const additionForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Add a subscriber',
    fields: () => fieldsOf(admin.board.mail.outbox.isEnabled),
    view: () => formView({ button: 'Add', cancel_path: PATH }),
    submit: async ({ caller }, fields) => {
      const input = validate(NewSubscriber, fields)
      await subscribe(admin.board, caller, input)
      const isInvited = admin.board.mail.outbox.isEnabled && input.value('email_confirmed') !== true
      return seeOther(withNotice(PATH, isInvited ? 'invited' : 'added'))
    },
  })

const deletionForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Delete this subscriber?',
    fields: () => [],
    view: ({ params }) =>
      formView({
        texts: [
          `${subscriberOf(admin, params.id).email} will get no more job alerts. The address is deleted.`,
        ],
        button: 'Delete the subscriber',
        is_danger: true,
        cancel_path: PATH,
      }),
    submit: async ({ caller, params }) => {
      await deleteSubscriber(admin.board, caller, params.id)
      return seeOther(withNotice(PATH, 'deleted'))
    },
  })

const subscriberOf = ({ board }: Admin, id: number) =>
  getOrThrow(board.store.read.subscribers, id, 'subscriber')
