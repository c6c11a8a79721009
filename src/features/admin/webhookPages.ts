import { Elysia } from 'elysia'
import { withoutSuffix } from '../../http/route.ts'
import { validatePatch } from '../../validation/validation.ts'
import { updateWebhook } from '../webhooks/actions.ts'
import { WebhookFields } from '../webhooks/schema.ts'
import type { Admin } from './admin.ts'
import { withNotice } from './notices.ts'
import { creationForm, deletionForm, editForm, replayForm, secretForm } from './webhookForms.ts'
import { webhookList, webhookPath, WEBHOOKS_PATH as PATH, webhookView } from './webhookView.ts'

/** Creates the pages of webhooks. */
export function webhookPages(admin: Admin) {
  const creation = creationForm(admin)
  const editing = editForm(admin)
  const replaying = replayForm(admin)
  const secret = secretForm(admin)
  const deletion = deletionForm(admin)
  return new Elysia({ name: 'administration of webhooks' })
    .get(PATH, ...admin.page(context => admin.reply(context, 'adminList', 'Webhooks', webhookList(admin))))
    .get(`${PATH}/new`, ...creation.get)
    .post(`${PATH}/new`, ...creation.post)
    .get(
      `${PATH}/:id`,
      ...withoutSuffix(
        admin.page(context => admin.reply(context, 'adminList', 'Webhook', webhookView(admin, context))),
      ),
    )
    .get(`${PATH}/:id/edit`, ...editing.get)
    .post(`${PATH}/:id/edit`, ...editing.post)
    .get(`${PATH}/:id/replay`, ...replaying.get)
    .post(`${PATH}/:id/replay`, ...replaying.post)
    .get(`${PATH}/:id/secret`, ...secret.get)
    .post(`${PATH}/:id/secret`, ...secret.post)
    .get(`${PATH}/:id/delete`, ...deletion.get)
    .post(`${PATH}/:id/delete`, ...deletion.post)
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
