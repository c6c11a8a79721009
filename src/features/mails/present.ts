import { timestamp } from '../../base/clock.ts'
import { recipientOf } from '../../mail/outbox.ts'
import type { MailContent, MailRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import { LABELS, type Mail } from './schema.ts'

/** Returns a mail as administrators see it. Its text isn't shown: it is created when the mail is sent, with its links. */
export function presentMail(tables: TableReaders, mail: MailRow): Mail {
  const { id, content, createdAt, attempts, dueAt, failed, lastError } = mail
  const title = titleOf(content, tables)
  return {
    id,
    kind: content.kind,
    recipient: recipientOf(content, tables) ?? null,
    subject: title === undefined ? LABELS[content.kind] : `${LABELS[content.kind]}: ${title}`,
    status: failed ? 'failed' : 'queued',
    created_at: timestamp(createdAt),
    attempts,
    next_attempt_at: failed ? null : timestamp(dueAt),
    error: lastError === '' ? null : lastError,
  }
}

/** Returns the title of the job that a mail is about. */
function titleOf(content: MailContent, tables: TableReaders): string | undefined {
  if ('jobId' in content) return tables.jobs.get(content.jobId)?.title
  return 'title' in content ? content.title : undefined
}
