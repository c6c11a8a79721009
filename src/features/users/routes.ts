import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { withChangeSeq } from '../../http/response/changeSeq.ts'
import { emailList, EmailQuery } from '../../http/response/emailList.ts'
import { accepted, created } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { createdResponse, itemResponse, listResponse, messageResponse } from '../../http/routeDescription.ts'
import { createUser, deleteUser, getUser, registerUser, updateUser } from './actions.ts'
import { userLinkRoutes } from './linkRoutes.ts'
import { presentUser } from './present.ts'
import { User, UserFields, UserPatch } from './schema.ts'

const tag = 'Users'
const LAST_ADMIN = { conflict: 'The account is the last administrator.' }
const REGISTERED = "Check your inbox. We've sent you an e-mail with the next step."

/** The rules of the route that creates accounts, with open and closed registration. */
const REGISTRATION = {
  open: { access: 'public', scope: 'admin', perNetwork: POSTS_PER_MINUTE },
  closed: { access: 'admin' },
} as const

export const userRoutes = (board: Board) =>
  new Elysia({ name: 'users' })
    .use(userLinkRoutes(board))

    .post(
      '/users.json',
      ...route(
        {
          ...REGISTRATION[board.config.registration],
          id: 'createUser',
          tag,
          summary: 'Create an account, or register',
          description:
            'For administrators. Where registration is open, anyone may register: the role is always `user`, and the response is the same whether the address has an account or not.',
          forAccounts: 'Administrators choose the role, and the address counts as confirmed.',
          body: UserFields,
          responses: {
            201: createdResponse(User, 'An administrator created the account.'),
            202: messageResponse(REGISTERED, 'Someone registered. The address gets an e-mail.'),
          },
        },
        async context => {
          if (!isAdmin(context.caller)) {
            await registerUser(board, context, context.input.fields)
            return accepted(REGISTERED)
          }
          const user = await createUser(board, context, context.input)
          return created(board.links.to(`/users/${user.id}.json`), presentUser(user))
        },
      ),
    )

    .get(
      '/users.json',
      ...route(
        {
          id: 'listUsers',
          access: 'admin',
          tag,
          summary: 'List the accounts',
          query: EmailQuery,
          responses: {
            200: listResponse(User, 'The accounts, in the order of their creation.', ['X-Change-Seq']),
          },
        },
        context =>
          withChangeSeq(
            board.journalTimer.watch.appliedSeq,
            emailList(context, board.links, board.store.read.users.all(), presentUser),
          ),
      ),
    )

    .get(
      '/users/me.json',
      ...route(
        {
          id: 'getOwnUser',
          access: 'user',
          scope: null,
          tag,
          summary: 'Read your own account',
          responses: { 200: itemResponse(User, 'The account.') },
        },
        ({ caller }) => presentUser(getUser(board, caller, caller.userId)),
      ),
    )

    .get(
      '/users/:id',
      ...route(
        {
          id: 'getUser',
          access: 'user',
          scope: 'admin',
          tag,
          summary: 'Read an account',
          description: 'For its user and administrators.',
          responses: { 200: itemResponse(User, 'The account.') },
          errors: { forbidden: "The account is another user's." },
        },
        ({ caller, params }) => presentUser(getUser(board, caller, params.id)),
      ),
    )

    .put(
      '/users/:id',
      ...route(
        {
          id: 'updateUser',
          access: 'user',
          scope: 'admin',
          tag,
          summary: 'Update an account',
          description:
            'For its user and administrators; only an administrator changes a role or confirms an address. A new address, password or role ends every session with the old credentials.',
          body: UserPatch,
          isPatch: true,
          requires: ({ caller, params }) => getUser(board, caller, params.id),
          responses: { 200: itemResponse(User, 'The updated account.') },
          errors: {
            forbidden:
              "The account is another user's, or the caller may not change its role or confirm its address.",
            ...LAST_ADMIN,
          },
        },
        async context => presentUser(await updateUser(board, context, context.params.id, context.input)),
      ),
    )

    .delete(
      '/users/:id',
      ...route(
        {
          id: 'deleteUser',
          access: 'admin',
          tag,
          summary: 'Delete an account',
          description: 'Its jobs stay, without an owner.',
          responses: {
            200: messageResponse(deletedMessage('ines@harbour.example.org'), 'The account was deleted.'),
          },
          errors: LAST_ADMIN,
        },
        async ({ caller, params }) => {
          const user = await deleteUser(board, caller, params.id)
          return { message: deletedMessage(user.email) }
        },
      ),
    )

const deletedMessage = (email: string) => `The account ${email} was deleted. Its jobs stay, without an owner.`
