import { seeOther } from '../../http/response/reply.ts'
import type { RouteContext } from '../../http/route.ts'
import { CHANGE_TYPES } from '../../store/journal/journalRow.ts'
import type { WebhookRow } from '../../store/webhookRows.ts'
import { validate, validatePatch } from '../../validation/validation.ts'
import { checkedFields, type FieldDefinition } from '../desk/field.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  replay,
  rotateSecret,
  updateWebhook,
} from '../webhooks/actions.ts'
import { Replay, WebhookFields } from '../webhooks/schema.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { withNotice } from './notices.ts'
import { webhookPath, WEBHOOKS_PATH } from './webhookView.ts'

const { properties } = WebhookFields

const FIELDS: readonly FieldDefinition[] = [
  {
    name: 'url',
    label: 'URL',
    type: 'url',
    schema: properties.url,
    hint: 'Where messages are sent, such as https://receiver.example.com/hooks/jobs.',
  },
  {
    name: 'description',
    label: 'Description',
    schema: properties.description,
    hint: 'What it is for.',
    isOptional: true,
  },
  {
    name: 'types',
    label: 'Changes',
    type: 'checks',
    hint: 'Choose none to send all.',
    options: CHANGE_TYPES.map(type => ({ value: type, name: type })),
  },
]

/** Shows the secret of a webhook, once. */
const secretPage = (admin: Admin, context: RouteContext, { id, secret }: WebhookRow, texts: string[]) =>
  admin.reply(context, 'adminSecret', 'The secret of this webhook', {
    secret,
    texts: [
      'Copy it now: it is never shown again. The receiver verifies with it that messages come from this board.',
      ...texts,
    ],
    back_path: webhookPath(id),
  })

export const creationForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'New webhook',
    fields: () => FIELDS,
    view: () => formView({ button: 'Create', cancel_path: WEBHOOKS_PATH }),
    submit: (context, fields) =>
      admin.desk.once.run(context.path, fields, async () => {
        const input = validate(WebhookFields, checkedFields(fields, 'types'))
        return secretPage(admin, context, await createWebhook(admin.board, context.caller, input), [])
      }),
  })

export const editForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Edit this webhook',
    fields: () => FIELDS,
    initial: ({ params }) => {
      const { url, description, types } = getWebhook(admin.board.store.read, params.id)
      return new Map<string, unknown>([
        ['url', url],
        ['description', description],
        ['types', types],
      ])
    },
    view: ({ params }) => formView({ button: 'Save', cancel_path: webhookPath(params.id) }),
    submit: async ({ caller, params: { id } }, fields) => {
      const input = validatePatch(WebhookFields, checkedFields(fields, 'types'))
      await updateWebhook(admin.board, caller, id, input)
      return seeOther(withNotice(webhookPath(id), 'saved'))
    },
  })

export const replayForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Replay changes',
    fields: () => [
      { name: 'after', label: 'After change', type: 'number', hint: 'Its number in the list of changes.' },
    ],
    initial: ({ params }) => new Map([['after', getWebhook(admin.board.store.read, params.id).position]]),
    view: ({ params }) =>
      formView({
        button: 'Continue there',
        cancel_path: webhookPath(params.id),
        texts: [
          'What came after this change is sent next, again or for the first time. Messages that were sent before have the same ids, so that receivers can ignore them.',
        ],
      }),
    submit: async ({ caller, params: { id } }, fields) => {
      await replay(admin.board, caller, id, validate(Replay, fields))
      return seeOther(withNotice(webhookPath(id), 'saved'))
    },
  })

export const secretForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Replace the secret?',
    fields: () => [],
    view: ({ params }) =>
      formView({
        button: 'Replace the secret',
        cancel_path: webhookPath(getWebhook(admin.board.store.read, params.id).id),
        texts: ['For a day, the old secret signs too, so that the receiver can change it meanwhile.'],
      }),
    submit: (context, fields) =>
      admin.desk.once.run(context.path, fields, async () => {
        const row = await rotateSecret(admin.board, context.caller, context.params.id)
        return secretPage(admin, context, row, ['The old one signs for another day.'])
      }),
  })

export const deletionForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Delete this webhook?',
    fields: () => [],
    view: ({ params }) => {
      const { id, url } = getWebhook(admin.board.store.read, params.id)
      return formView({
        texts: [`Nothing more is sent to ${url}, and the list of its deliveries is deleted.`],
        button: 'Delete the webhook',
        is_danger: true,
        cancel_path: webhookPath(id),
      })
    },
    submit: async ({ caller, params }) => {
      await deleteWebhook(admin.board, caller, params.id)
      return seeOther(withNotice(WEBHOOKS_PATH, 'deleted'))
    },
  })
