import { TokenQuery } from '../../http/openapi/responseSchemas.ts'
import {
  createdResponse,
  itemResponse,
  listResponse,
  messagePageResponse,
  messageResponse,
  operation,
} from '../../http/operation.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { User, UserFields } from './schema.ts'

const OTHERS = { forbidden: "The account is another's." }
const LAST = { conflict: 'It is the last administrator.' }
const STALE = { notFound: 'The token is wrong, or too old.' }

export const userOperations = {
  list: operation({
    id: 'listUsers',
    tag: 'Users',
    summary: 'List the accounts',
    query: PagingQuery,
    responses: { 200: listResponse(User, 'The accounts, in the order in which they were made.') },
  }),

  readOwn: operation({
    id: 'getOwnUser',
    tag: 'Users',
    summary: 'Read the account that asks',
    responses: { 200: itemResponse(User, 'The account.') },
  }),

  read: operation({
    id: 'getUser',
    tag: 'Users',
    summary: 'Read an account',
    description: 'For its user and administrators.',
    responses: { 200: itemResponse(User, 'The account.') },
    errors: OTHERS,
  }),

  create: operation({
    id: 'createUser',
    tag: 'Users',
    summary: 'Make an account',
    description:
      'For administrators, or, where the board is open for registration, for everybody: then the role is always `user`, and a mail asks to confirm the address. The answer is the same whether the address has an account or not; one that has gets a mail that says so.',
    forAccounts: 'Administrators choose the role, and need no confirmation of the address.',
    body: UserFields,
    responses: {
      201: createdResponse(User, 'The account was made, by an administrator.'),
      202: messageResponse(
        'Check your inbox: we sent you a mail with the next step.',
        'Somebody registered, where registration is open.',
      ),
    },
  }),

  update: operation({
    id: 'updateUser',
    tag: 'Users',
    summary: 'Change an account',
    description:
      'For its user and administrators; only an administrator changes a role. Whatever is changed of address, password or role ends credentials that were verified before.',
    body: UserFields,
    isPatch: true,
    responses: { 200: itemResponse(User, 'The account as it is now.') },
    errors: { forbidden: "The account is another's, or only administrators may change its role.", ...LAST },
  }),

  remove: operation({
    id: 'deleteUser',
    tag: 'Users',
    summary: 'Delete an account',
    description: 'Its jobs stay, with no owner.',
    responses: {
      200: messageResponse(
        'The account ines@harbour.example.org was deleted; its jobs stay, with no owner.',
        'The account was deleted.',
      ),
    },
    errors: LAST,
  }),

  askConfirmation: operation({
    id: 'askUserConfirmation',
    tag: 'Users',
    summary: 'See what a confirmation link is for',
    description: 'Changes nothing. A browser gets a page with a button, which sends the POST.',
    query: TokenQuery,
    responses: {
      200: messagePageResponse(
        'Is ines@harbour.example.org your address? To say "Yes, confirm it", send a POST to this address.',
        'What a POST would do.',
      ),
    },
    errors: STALE,
  }),

  confirm: operation({
    id: 'confirmUser',
    tag: 'Users',
    summary: "Confirm an account's e-mail address",
    description: 'With the token of the mail. Again: the same answer.',
    query: TokenQuery,
    responses: {
      200: messagePageResponse(
        'Thank you: ines@harbour.example.org is confirmed, and can post jobs.',
        'The address is confirmed.',
      ),
    },
    errors: STALE,
  }),
}
