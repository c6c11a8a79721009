import { list, made, one, operation, told, toldOnPage } from '../../http/operation.ts'
import { PageQuery } from '../../http/paging.ts'
import { TokenQuery } from '../../http/shown.ts'
import { User, UserFields } from './schema.ts'

const OTHERS = { forbidden: "The account is another's." }
const LAST = { conflict: 'It is the last administrator.' }
const STALE = { missing: 'The token is wrong, or too old.' }

export const userOperations = {
  list: operation({
    id: 'listUsers',
    tag: 'Users',
    summary: 'List the accounts',
    query: PageQuery,
    answers: { 200: list(User, 'The accounts, in the order in which they were made.') },
  }),

  readOwn: operation({
    id: 'getOwnUser',
    tag: 'Users',
    summary: 'Read the account that asks',
    answers: { 200: one(User, 'The account.') },
  }),

  read: operation({
    id: 'getUser',
    tag: 'Users',
    summary: 'Read an account',
    description: 'For its user and administrators.',
    answers: { 200: one(User, 'The account.') },
    refuses: OTHERS,
  }),

  create: operation({
    id: 'createUser',
    tag: 'Users',
    summary: 'Make an account',
    description:
      'For administrators, or, where the board is open for registration, for everybody: then the role is always `user`, and a mail asks to confirm the address. The answer is the same whether the address has an account or not; one that has gets a mail that says so.',
    toAccounts: 'Administrators choose the role, and need no confirmation of the address.',
    body: UserFields,
    answers: {
      201: made(User, 'The account was made, by an administrator.'),
      202: told(
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
    patches: true,
    answers: { 200: one(User, 'The account as it is now.') },
    refuses: { forbidden: "The account is another's, or only administrators may change its role.", ...LAST },
  }),

  remove: operation({
    id: 'deleteUser',
    tag: 'Users',
    summary: 'Delete an account',
    description: 'Its jobs stay, with no owner.',
    answers: {
      200: told(
        'The account ines@harbour.example.org was deleted; its jobs stay, with no owner.',
        'The account was deleted.',
      ),
    },
    refuses: LAST,
  }),

  askConfirmation: operation({
    id: 'askUserConfirmation',
    tag: 'Users',
    summary: 'See what a confirmation link is for',
    description: 'Changes nothing. A browser gets a page with a button, which sends the POST.',
    query: TokenQuery,
    answers: {
      200: toldOnPage(
        'Is ines@harbour.example.org your address? To say "Yes, confirm it", send a POST to this address.',
        'What a POST would do.',
      ),
    },
    refuses: STALE,
  }),

  confirm: operation({
    id: 'confirmUser',
    tag: 'Users',
    summary: "Confirm an account's e-mail address",
    description: 'With the token of the mail. Again: the same answer.',
    query: TokenQuery,
    answers: {
      200: toldOnPage(
        'Thank you: ines@harbour.example.org is confirmed, and can post jobs.',
        'The address is confirmed.',
      ),
    },
    refuses: STALE,
  }),
}
