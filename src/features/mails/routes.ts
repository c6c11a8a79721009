import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { pagedList } from '../../http/response/list.ts'
import { accepted } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { listResponse, messageResponse } from '../../http/routeDescription.ts'
import { deleteMail, listMails, resendMail, sendTestMail } from './actions.ts'
import { presentMail } from './present.ts'
import { Mail, MailQuery } from './schema.ts'

const rules = { access: 'admin', tag: 'Mail' } as const
const NO_MAIL = { conflict: 'The board sends no e-mail.' }
const RESENT = 'The e-mail will be sent now.'
const DELETED = "The e-mail was deleted and won't be sent."
const testMessage = (email: string) => `We're sending a test e-mail to ${email}.`

export const mailRoutes = (board: Board) =>
  new Elysia({ name: 'mails' })
    .get(
      '/mails.json',
      ...route(
        {
          ...rules,
          id: 'listMails',
          summary: 'List the e-mails that are queued or failed',
          query: MailQuery,
          responses: { 200: listResponse(Mail, 'The e-mails, newest first.') },
        },
        context =>
          pagedList(context, board.links, listMails(board.store.read, context.input.status), mail =>
            presentMail(board.store.read, mail),
          ),
      ),
    )

    .post(
      '/mails/test.json',
      ...route(
        {
          ...rules,
          id: 'sendTestMail',
          summary: 'Send yourself a test e-mail',
          description: "If it doesn't arrive, the list of e-mails says why.",
          responses: {
            202: messageResponse(testMessage('ines@harbour.example.org'), 'The e-mail is queued.'),
          },
          errors: NO_MAIL,
        },
        async ({ caller }) => accepted(testMessage(await sendTestMail(board, caller))),
      ),
    )

    .put(
      '/mails/:id/resend.json',
      ...route(
        {
          ...rules,
          id: 'resendMail',
          summary: 'Send an e-mail now',
          description: 'A failed e-mail is queued again, and tried for three days.',
          responses: { 200: messageResponse(RESENT, 'The e-mail is tried now.') },
          errors: NO_MAIL,
        },
        async ({ caller, params }) => {
          await resendMail(board, caller, params.id)
          return { message: RESENT }
        },
      ),
    )

    .delete(
      '/mails/:id',
      ...route(
        {
          ...rules,
          id: 'deleteMail',
          summary: 'Delete an e-mail that is queued or failed',
          responses: { 200: messageResponse(DELETED, 'The e-mail was deleted.') },
        },
        async ({ caller, params }) => {
          await deleteMail(board, caller, params.id)
          return { message: DELETED }
        },
      ),
    )
