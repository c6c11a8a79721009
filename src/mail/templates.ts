import type { MailContent } from '../store/rows.ts'
import type { MailContext, MailKind, RenderedMail, Template } from './context.ts'
import { approved, deleted, digest, refused, waiting } from './jobTemplates.ts'
import { account, post, registered, reset, signIn, subscription } from './linkTemplates.ts'
import { paragraph, quote } from './message.ts'
import { draft, expiry } from './reminderTemplates.ts'
import { webhook } from './webhookTemplate.ts'

/** Shows an administrator that the board can send mail. */
const test: Template<'test'> = ({ userId }, { tables, boardName, links }) => {
  const admin = tables.users.get(userId)
  return (
    admin && {
      to: admin.email,
      subject: `Test e-mail from ${boardName}`,
      parts: [paragraph(`This is a test e-mail from ${boardName} (${links.base}). E-mail works.`)],
    }
  )
}

/** Tells an administrator that the board has no new backup. */
const backupFailed: Template<'backupFailed'> = ({ userId, reason }, { tables, boardName, links }) => {
  const admin = tables.users.get(userId)
  return (
    admin && {
      to: admin.email,
      subject: `The backup of ${boardName} failed`,
      parts: [
        paragraph(`The backup of ${boardName} (${links.base}) failed:`),
        quote(reason),
        paragraph('It is tried again every hour. While it fails, you get this e-mail once a day.'),
      ],
    }
  )
}

const TEMPLATES: { readonly [K in MailKind]: Template<K> } = {
  subscription,
  digest,
  account,
  registered,
  reset,
  signIn,
  waiting,
  approved,
  refused,
  deleted,
  expiry,
  post,
  draft,
  backupFailed,
  webhook,
  test,
}

/**
 * Renders a mail from the current records; undefined if it is out of date. Issues the tokens of its links, which only the
 * recipient gets.
 */
export function renderMail(content: MailContent, context: MailContext): RenderedMail | undefined {
  // The template is that of the content's kind, which TypeScript can't infer from the union.
  const render = TEMPLATES[content.kind] as Template<MailKind>
  return render(content, context)
}
