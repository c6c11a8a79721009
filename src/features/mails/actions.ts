import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { Problem, unauthenticated } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { MailRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { MailQuery } from './schema.ts'

/** Returns the mails with a status, the newest first. */
export const listMails = ({ mails }: TableReaders, status: MailQuery['status']): MailRow[] =>
  mails
    .all()
    .reverse()
    .filter(({ failed }) => status === 'all' || failed === (status === 'failed'))

/** Sends a mail now. One that has failed is tried for three days again. @throws Problem 'notFound', 'conflict' */
export function resendMail(board: Board, caller: Caller, id: number): Promise<MailRow> {
  requireMailServer(board)
  const now = board.clock()
  return writeAs(board.store, caller, ({ mails }) => {
    const mail = getOrThrow(mails, id, 'e-mail')
    // A time of the first attempt that isn't null keeps a mail from being counted, and perhaps refused, by limits once more.
    const anew = { attempts: 0, triedSince: mail.triedSince === null ? null : now, failed: false }
    return mails.update(mail, { ...(mail.failed && anew), dueAt: now })
  })
}

/** Deletes a mail without sending it. @throws Problem 'notFound' */
export const deleteMail = ({ store }: Board, caller: Caller, id: number): Promise<unknown> =>
  writeAs(store, caller, ({ mails }) => {
    getOrThrow(mails, id, 'e-mail')
    return mails.remove(id)
  })

/** Queues a test mail to the caller, and returns the address. @throws Problem 'conflict' */
export function sendTestMail(board: Board, caller: Caller): Promise<string> {
  requireMailServer(board)
  const { store, mail } = board
  const { userId } = caller
  if (userId === undefined) throw unauthenticated()
  return writeAs(store, caller, tables => {
    mail.outbox.enqueue(tables, { kind: 'test', userId })
    return getOrThrow(tables.users, userId, 'user').email
  })
}

function requireMailServer({ mail }: Board) {
  if (!mail.outbox.isEnabled)
    throw new Problem('conflict', 'This board sends no e-mail: it was started without --smtp-url.')
}
