import { Elysia } from 'elysia'
import { formAt, withoutSuffix } from '../../http/route.ts'
import { validatePatch } from '../../validation/validation.ts'
import { updateWebhook } from '../webhooks/actions.ts'
import { WebhookFields } from '../webhooks/schema.ts'
import type { Admin } from './admin.ts'
import { withNotice } from './notices.ts'
import { creationForm, deletionForm, editForm, replayForm, secretForm } from './webhookForms.ts'
import { webhookList, webhookPath, WEBHOOKS_PATH as PATH, webhookView } from './webhookView.ts'

/** Creates the pages of webhooks. */
export function webhookPages(admin: Admin) {
  return new Elysia({ name: 'administration of webhooks' })
    .get(PATH, ...admin.page(context => admin.reply(context, 'adminList', 'Webhooks', webhookList(admin))))
    .use(formAt(`${PATH}/new`, creationForm(admin)))
    .get(
      `${PATH}/:id`,
      ...withoutSuffix(
        admin.page(context => admin.reply(context, 'adminList', 'Webhook', webhookView(admin, context))),
      ),
    )
    .use(formAt(`${PATH}/:id/edit`, editForm(admin)))
    .use(formAt(`${PATH}/:id/replay`, replayForm(admin)))
    .use(formAt(`${PATH}/:id/secret`, secretForm(admin)))
    .use(formAt(`${PATH}/:id/delete`, deletionForm(admin)))
    .post(`${PATH}/:id/enable`, ...statusButton(admin, 'enabled'))
    .post(`${PATH}/:id/disable`, ...statusButton(admin, 'disabled'))
    .post(
      `${PATH}/:id/test`,
      ...admin.action(async ({ params: { id } }) => {
        const { error } = await admin.board.webhooks.sendTest(id)
        return withNotice(webhookPath(id), error === null ? 'delivered' : 'undelivered')
      }),
    )
}

/** Creates the button that enables or disables a webhook. */
const statusButton = (admin: Admin, status: 'enabled' | 'disabled') =>
  admin.action(async ({ caller, params: { id } }) => {
    const input = validatePatch(WebhookFields, { values: new Map([['status', status]]), isForm: true })
    await updateWebhook(admin.board, caller, id, input)
    return withNotice(webhookPath(id), status)
  })
