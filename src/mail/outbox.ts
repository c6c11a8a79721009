import type { Clock } from '../base/clock.ts'
import type { JobRow, MailContent } from '../store/rows.ts'
import type { TableReaders, Tables } from '../store/tables.ts'

/** Stores the mails to be sent. */
export class Outbox {
  /** @param isEnabled whether there is a mail server; without one, nothing is queued */
  constructor(
    readonly isEnabled: boolean,
    private readonly clock: Clock,
  ) {}

  /** Queues a mail in the transaction that causes it: either both are stored or neither is. */
  enqueue(tables: Tables, content: MailContent): void {
    if (!this.isEnabled) return
    const now = this.clock()
    const mail = { content, createdAt: now, attempts: 0, triedSince: null, dueAt: now }
    tables.mails.insert({ ...mail, failed: false, lastError: '' })
  }

  /** Queues a mail to every administrator. */
  enqueueForAdmins(tables: Tables, content: (userId: number) => MailContent): void {
    if (!this.isEnabled) return
    for (const { id, role } of tables.users.all()) if (role === 'admin') this.enqueue(tables, content(id))
  }
}

/** Informs the administrators of a job that is awaiting approval. */
export const announcePending = (outbox: Outbox, tables: Tables, jobId: number) =>
  outbox.enqueueForAdmins(tables, userId => ({ kind: 'waiting', userId, jobId }))

/** Returns a function that informs the administrators of a webhook to which nothing more is sent. */
export const announceStopped = (outbox: Outbox) => (tables: Tables, webhookId: number) =>
  outbox.enqueueForAdmins(tables, userId => ({ kind: 'webhook', userId, webhookId }))

/** Tells the owner of a job that an administrator deletes that it wasn't approved, if it was awaiting approval. */
export function enqueueRejection(outbox: Outbox, tables: Tables, { pending, userId, title }: JobRow): void {
  if (pending && userId !== null) outbox.enqueue(tables, { kind: 'deleted', userId, title })
}

/** Returns the address of a mail's recipient; undefined if the recipient no longer exists. */
export function recipientOf(
  content: MailContent,
  { users, subscribers, jobs }: TableReaders,
): string | undefined {
  if ('subscriberId' in content) return subscribers.get(content.subscriberId)?.email
  if (content.kind === 'post') return jobs.get(content.jobId)?.claimEmail ?? undefined
  const user = 'userId' in content ? users.get(content.userId) : users.findBy('email', content.email)
  return user?.email
}
