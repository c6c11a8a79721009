import { Elysia } from 'elysia'
import { accountOf } from '../../accounts/verifiedCredentials.ts'
import { writeAs } from '../../accounts/writeAs.ts'
import { invalid, Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { type Reply, seeOther } from '../../http/response/reply.ts'
import { formAt, hiddenRoute, type RouteContext } from '../../http/route.ts'
import { type Fields, validatePatch } from '../../validation/validation.ts'
import { updateUser } from '../users/actions.ts'
import { UserFields } from '../users/schema.ts'
import { closedJobs, removedWith, removeOwnAccount } from './accountRemoval.ts'
import type { Desk } from './desk.ts'
import type { FieldDefinition } from './field.ts'
import { formRoutes } from './form.ts'
import { endForm, endOthersForm } from './sessionForms.ts'
import { buttons, ownId, presentSettings, SETTINGS } from './settingsPage.ts'
import { signIn } from './signIn.ts'
import { NEW_PASSWORD } from './signInRoutes.ts'
import { tokenForms } from './tokenForms.ts'

const CURRENT_PASSWORD: FieldDefinition = {
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
}
const NO_PASSWORD =
  "If you don't have a password yet, sign out and use “Forgot your password?” to choose one."

/** Creates the pages of an account's settings: its address, password, sessions and tokens, and its deletion. */
export function settingsRoutes(desk: Desk) {
  const [email, password, removal] = [emailForm(desk), passwordForm(desk), removalForm(desk)]
  const [endSession, endOthers, confirmation] = [endForm(desk), endOthersForm(desk), confirmationForm(desk)]
  const token = tokenForms(desk)
  return new Elysia({ name: 'account settings' })
    .get(
      SETTINGS,
      ...hiddenRoute(
        desk.signedIn(context =>
          desk.reply(context, 'settings', 'Settings', presentSettings(desk.board, context)),
        ),
      ),
    )
    .use(formAt('/account/email', email))
    .post('/account/confirmation', ...confirmation.post)
    .use(formAt('/account/password', password))
    .post('/account/sessions/end', ...endOthers.post)
    .post('/account/sessions/:id/end', ...endSession.post)
    .use(formAt('/account/tokens/new', token.creation))
    .post('/account/tokens/:id/delete', ...token.deletion.post)
    .use(formAt('/account/delete', removal))
}

const emailForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    title: 'Change your e-mail address',
    access: 'user',
    fields: () => [
      {
        name: 'email',
        label: 'New e-mail address',
        type: 'email',
        schema: UserFields.properties.email,
        autocomplete: 'email',
      },
      CURRENT_PASSWORD,
    ],
    view: () => ({ ...buttons('Change address'), texts: ['All other sessions end.', NO_PASSWORD] }),
    submit: (context, fields) => changeAccount(desk, context, fields, 'email'),
  })

const passwordForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    title: 'Change your password',
    access: 'user',
    fields: () => [CURRENT_PASSWORD, { ...NEW_PASSWORD, label: 'New password' }],
    view: () => ({ ...buttons('Change password'), texts: ['All other sessions end.', NO_PASSWORD] }),
    submit: (context, fields) => changeAccount(desk, context, fields, 'password'),
  })

/** Changes the address or the password, and starts a new session, because that ends all others. */
async function changeAccount(
  desk: Desk,
  context: RouteContext,
  fields: Fields,
  what: 'email' | 'password',
): Promise<Reply> {
  const { board } = desk
  const sent = { isForm: true, values: new Map([[what, fields.values.get(what) ?? '']]) }
  const input = validatePatch(UserFields, sent)
  await requireCurrentPassword(board, context, fields, input.errors)
  const user = await updateUser(board, context, ownId(context), input)
  return await signIn(board, context, accountOf(user), `${SETTINGS}?done=${what}`)
}

/**
 * Checks the password of the account that is signed in, with the limits of signing in.
 * @param errors the errors of the other fields, which are reported together
 */
async function requireCurrentPassword(
  { accounts, store }: Board,
  context: RouteContext,
  { values }: Fields,
  errors: Readonly<Record<string, string[]>> = {},
): Promise<void> {
  const password = values.get(CURRENT_PASSWORD.name)
  const email = store.read.users.get(ownId(context))?.email ?? ''
  if (typeof password !== 'string' || password === '')
    throw invalid({ [CURRENT_PASSWORD.name]: ['is required'], ...errors })
  try {
    await accounts.credentials.verifyPassword({ email, password }, context.clientAddress)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unauthenticated')
      throw invalid({ [CURRENT_PASSWORD.name]: ['is wrong'], ...errors })
    throw error
  }
}

const confirmationForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    title: 'Send the confirmation link again',
    access: 'user',
    fields: () => [],
    view: () => ({ ...buttons('Send it again'), texts: [] }),
    submit: async context => {
      const { store, mail } = desk.board
      const userId = ownId(context)
      await writeAs(store, context.caller, tables => mail.outbox.enqueue(tables, { kind: 'account', userId }))
      return seeOther(`${SETTINGS}?done=confirmation`)
    },
  })

const removalForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    title: 'Delete your account?',
    access: 'user',
    fields: () => [
      {
        name: 'jobs',
        label: 'Your published jobs',
        type: 'select',
        options: [
          { value: 'close', name: 'Close them' },
          { value: 'keep', name: 'Keep them online until they expire' },
        ],
      },
      CURRENT_PASSWORD,
    ],
    view: context => ({
      texts: ["This can't be undone. What is deleted:"],
      items: removedWith(desk.board, ownId(context)),
      button: 'Delete my account',
      is_danger: true,
      cancel_path: SETTINGS,
    }),
    submit: async (context, fields) => {
      await requireCurrentPassword(desk.board, context, fields)
      await removeOwnAccount(desk.board, context.caller, ownId(context), closedJobs(fields))
      return seeOther('/', { 'set-cookie': desk.board.accounts.sessionCookie.removal })
    },
  })
