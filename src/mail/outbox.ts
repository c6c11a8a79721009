import type { Clock } from '../base/clock.ts'
import type { JobRow, MailContent } from '../store/rows.ts'
import type { TableReaders, Tables } from '../store/tables.ts'

/** Takes mails that are to leave. */
export class Outbox {
  /** @param isEnabled whether there is a mail server: without one nothing is kept, and no mail leaves */
  constructor(
    readonly isEnabled: boolean,
    private readonly clock: Clock,
  ) {}

  /** Takes a mail along in the transaction that is its cause: both are on disk, or neither is. */
  enqueue(tables: Tables, content: MailContent): void {
    if (!this.isEnabled) return
    const now = this.clock()
    const mail = { content, createdAt: now, attempts: 0, triedSince: null, dueAt: now }
    tables.mails.insert({ ...mail, failed: false, lastError: '' })
  }

  /** Takes a mail to every administrator along. */
  enqueueForAdmins(tables: Tables, content: (userId: number) => MailContent): void {
    if (!this.isEnabled) return
    for (const { id, role } of tables.users.all()) if (role === 'admin') this.enqueue(tables, content(id))
  }
}

/** Tells the owner of a job that is about to be removed by another, if it waited for approval, that it was refused. */
export function enqueueRefusal(outbox: Outbox, tables: Tables, { pending, userId, title }: JobRow): void {
  if (pending && userId !== null) outbox.enqueue(tables, { kind: 'refused', userId, title })
}

/** Whether the one whom a letter is for is still there. */
export function hasRecipient(content: MailContent, tables: TableReaders): boolean {
  if ('subscriberId' in content) return tables.subscribers.has(content.subscriberId)
  if ('userId' in content) return tables.users.has(content.userId)
  return tables.users.findIdBy('email', content.email) !== undefined
}
