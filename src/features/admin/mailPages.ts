import { Elysia } from 'elysia'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, type RouteContext } from '../../http/route.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { MailRow } from '../../store/rows.ts'
import { deleteMail, resendMail, sendTestMail } from '../mails/actions.ts'
import { presentMail } from '../mails/present.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { buttonAction, linkAction, listView, pillCell, type TableRow, textCell, timeCell } from './listing.ts'
import { pageOfList, pageOfRows, pathWith } from './listPages.ts'
import { withNotice } from './notices.ts'

const PATH = '/admin/mail'
const NO_MAIL =
  'This board sends no e-mail. Start it with --smtp-url and --mail-from for job alerts, sign-in links and open registration.'

/** Creates the pages of the e-mails that are queued or failed. */
export function mailPages(admin: Admin) {
  const { board } = admin
  const deletion = deletionForm(admin)
  return new Elysia({ name: 'administration of e-mails' })
    .get(PATH, ...admin.page(context => admin.reply(context, 'adminList', 'E-mail', listOf(admin, context))))
    .post(
      `${PATH}/test`,
      ...admin.action(async ({ caller }) => {
        await sendTestMail(board, caller)
        return withNotice(PATH, 'sent')
      }),
    )
    .post(
      `${PATH}/:id/resend`,
      ...admin.action(async ({ caller, params }) => {
        await resendMail(board, caller, params.id)
        return withNotice(PATH, 'resent')
      }),
    )
    .use(formAt(`${PATH}/:id/delete`, deletion))
}

function listOf({ board }: Admin, { query }: RouteContext) {
  const { store, mail } = board
  const { mails } = store.read
  const isFailed = query.get('status') === 'failed'
  const failed = () => [...mail.failed].toReversed().flatMap(id => mails.get(id) ?? [])
  const { items, pager } = isFailed ? pageOfList(failed(), PATH, query) : pageOfRows(mails, PATH, query)
  const filter = (label: string, status: string | undefined, count: number, isCurrent: boolean) => ({
    label,
    count,
    path: pathWith(PATH, query, { status, page: undefined }),
    is_current: isCurrent,
  })
  return {
    fields: null,
    list: listView({
      columns: ['E-mail', 'Status', 'Reason', 'Queued', 'Next attempt'],
      rows: items.map(row => rowOf({ board }, row)),
      links: mail.outbox.isEnabled
        ? [{ label: 'Send me a test e-mail', path: `${PATH}/test`, is_post: true }]
        : [],
      texts: mail.outbox.isEnabled ? [] : [NO_MAIL],
      filters: [
        filter('All', undefined, mails.count, !isFailed),
        filter('Failed', 'failed', mail.failed.size, isFailed),
      ],
      pager,
      empty: isFailed ? 'No e-mail has failed.' : 'No e-mail is queued. E-mails that were sent are not kept.',
    }),
  }
}

function rowOf({ board }: Pick<Admin, 'board'>, row: MailRow): TableRow {
  const { id, subject, recipient, error } = presentMail(board.store.read, row)
  const canSend = board.mail.outbox.isEnabled
  return {
    id,
    name: subject,
    cells: [
      textCell(subject, recipient ?? 'No recipient any more'),
      row.failed ? pillCell('Failed', 'bad') : pillCell('Queued', 'wait'),
      textCell(error ?? ''),
      timeCell(row.createdAt, board.clock),
      timeCell(row.failed ? null : row.dueAt, board.clock),
    ],
    actions: [
      ...(canSend ? [buttonAction('Send now', `${PATH}/${id}/resend`)] : []),
      linkAction('Delete', `${PATH}/${id}/delete`),
    ],
  }
}

const deletionForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Delete this e-mail?',
    fields: () => [],
    view: ({ params }) => {
      const { read } = admin.board.store
      const { subject, recipient } = presentMail(read, getOrThrow(read.mails, params.id, 'e-mail'))
      return formView({
        texts: [`"${subject}"${recipient === null ? '' : ` to ${recipient}`} won't be sent.`],
        button: 'Delete the e-mail',
        is_danger: true,
        cancel_path: PATH,
      })
    },
    submit: async ({ caller, params }) => {
      await deleteMail(admin.board, caller, params.id)
      return seeOther(withNotice(PATH, 'deleted'))
    },
  })
