import { hostOf } from '../base/address.ts'
import type { Template } from './context.ts'
import { linkParagraph, paragraph } from './message.ts'

/** Tells an administrator that nothing more is sent to a webhook. */
export const webhook: Template<'webhook'> = (
  { userId, webhookId },
  { tables, boardName, links, hasPages },
) => {
  const admin = tables.users.get(userId)
  const row = tables.webhooks.get(webhookId)
  if (admin?.role !== 'admin' || !row || row.status === 'enabled') return undefined
  const { url, status, lastError } = row
  // The rest of the URL can be a secret.
  const host = hostOf(new URL(url))
  const path = hasPages ? `/admin/webhooks/${webhookId}` : `/webhooks/${webhookId}.json`
  return {
    to: admin.email,
    subject: `A webhook of ${boardName} has stopped: ${host}`,
    parts: [
      paragraph(
        status === 'failing'
          ? `The webhook to ${host} failed for about three days, so ${boardName} has stopped trying.`
          : `The receiver at ${host} says that it is gone, so ${boardName} has disabled its webhook.`,
      ),
      paragraph(`The reason: ${lastError ?? 'unknown'}.`),
      paragraph(
        'Once you enable the webhook again, it continues where it stopped. No change is lost as long as the board keeps it (see --journal-days).',
      ),
      linkParagraph('Open the webhook', links.to(path)),
    ],
  }
}
