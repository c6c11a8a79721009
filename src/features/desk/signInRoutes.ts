import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { writeAs } from '../../accounts/writeAs.ts'
import { attempt } from '../../base/later.ts'
import { MAX_PASSWORD_BYTES } from '../../base/password.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { type Reply, seeOther } from '../../http/response/reply.ts'
import { hiddenRoute, type RouteContext } from '../../http/route.ts'
import { textField } from '../../validation/textFields.ts'
import { validate } from '../../validation/validation.ts'
import { requestReset } from '../resets/actions.ts'
import { ResetRequest } from '../resets/schema.ts'
import { registerUser } from '../users/actions.ts'
import { UserFields } from '../users/schema.ts'
import { checkInbox, showCheckInbox } from './checkInbox.ts'
import { type Desk, nextPath } from './desk.ts'
import type { FieldDefinition, FormState } from './field.ts'
import { formRoutes } from './form.ts'
import { requestSignInLink, signIn, signInByLink, userOfSignInLink } from './signIn.ts'

const { email: emailSchema, password: passwordSchema } = UserFields.properties

const EMAIL: FieldDefinition = {
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  schema: emailSchema,
  autocomplete: 'username',
}
const PASSWORD: FieldDefinition = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
}
export const NEW_PASSWORD: FieldDefinition = {
  name: 'password',
  label: 'Password',
  type: 'password',
  schema: passwordSchema,
  autocomplete: 'new-password',
  hint: 'At least 8 characters.',
}

/** Any password may be tried, unlike a new one. */
const SignInFields = Type.Object({
  email: emailSchema,
  password: textField({ maxLength: MAX_PASSWORD_BYTES }),
})

/** Creates the pages to sign in and out, and to create an account where registration is open. */
export function signInRoutes(desk: Desk) {
  const { get: showSignIn, post: signInByPassword } = signInForm(desk)
  const { get: showForgot, post: forget } = forgotForm(desk)
  const { post: sendLink } = linkForm(desk)
  const { get: showSignOut, post: signOut } = signOutForm(desk)
  const app = new Elysia({ name: 'signing in' })
    .get('/sign-in', ...showSignIn)
    .post('/sign-in', ...signInByPassword)
    .post('/sign-in/link', ...sendLink)
    .get('/sign-in/confirm', ...hiddenRoute(askSignIn(desk)))
    .post('/sign-in/confirm', ...hiddenRoute(confirmSignIn(desk)))
    .get('/sign-out', ...showSignOut)
    .post('/sign-out', ...signOut)
    .get('/check-inbox', ...hiddenRoute(context => showCheckInbox(desk, context)))
    .get('/forgot', ...showForgot)
    .post('/forgot', ...forget)
  if (desk.board.config.registration === 'closed') return app
  const { get: showRegistration, post: register } = registrationForm(desk)
  return app.get('/register', ...showRegistration).post('/register', ...register)
}

const signInFields = {
  fields: () => [EMAIL, PASSWORD],
  hidden: (_: RouteContext, { values }: FormState) => ({ next: values.get('next') }),
}

const signInForm = (desk: Desk) =>
  formRoutes(desk, {
    ...signInFields,
    template: 'signIn',
    title: 'Sign in',
    access: 'public',
    initial: ({ query }) => new Map([['next', query.get('next') ?? '']]),
    submit: async (context, fields) => {
      const credentials = validate(SignInFields, fields).valueOrThrow()
      const { board } = desk
      const account = await board.accounts.credentials.verifyPassword(credentials, context.clientAddress)
      return await signIn(board, context, account, nextPath(fields.values.get('next')))
    },
  })

/** The other button of the same form. */
const linkForm = (desk: Desk) =>
  formRoutes(desk, {
    ...signInFields,
    perNetwork: POSTS_PER_MINUTE,
    template: 'signIn',
    title: 'Sign in',
    access: 'public',
    submit: async (_, fields) => {
      const { email } = validate(ResetRequest, fields).valueOrThrow()
      await requestSignInLink(desk.board, email)
      return checkInbox('sign-in')
    },
  })

const forgotForm = (desk: Desk) =>
  formRoutes(desk, {
    perNetwork: POSTS_PER_MINUTE,
    template: 'forgot',
    title: 'Forgot your password?',
    access: 'public',
    fields: () => [EMAIL],
    submit: async (_, fields) => {
      await requestReset(desk.board, validate(ResetRequest, fields))
      return checkInbox('forgot')
    },
  })

const registrationForm = (desk: Desk) =>
  formRoutes(desk, {
    perNetwork: POSTS_PER_MINUTE,
    template: 'register',
    title: 'Create an account',
    access: 'public',
    fields: () => [EMAIL, NEW_PASSWORD],
    submit: async (context, fields) => {
      await registerUser(desk.board, context, fields)
      return checkInbox('register')
    },
  })

const LINK_TITLE = 'Sign in'

/** Following the link changes nothing, because mail scanners follow it too. */
const askSignIn = (desk: Desk) => (context: RouteContext) =>
  confirmation(context, LINK_TITLE, () => {
    const { email } = userOfSignInLink(desk.board, context.query.get('token') ?? '')
    return { message: `Sign in as ${email}?`, button: 'Sign in' }
  })

const confirmSignIn = (desk: Desk) => (context: RouteContext) => {
  const token = context.query.get('token') ?? ''
  return attempt<Reply>(
    () => desk.once.runLink(context, token, () => signInByLink(desk.board, context, token)),
    error =>
      confirmation(context, LINK_TITLE, () => {
        throw error
      }),
  )
}

const signOutForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    title: 'Sign out?',
    access: 'public',
    fields: () => [],
    view: () => ({ texts: [], items: [], button: 'Sign out', is_danger: false, cancel_path: '/account' }),
    submit: async ({ session }) => {
      const { store, accounts } = desk.board
      if (session) await writeAs(store, session.account, tables => void tables.sessions.remove(session.id))
      return seeOther('/', { 'set-cookie': accounts.sessionCookie.removal })
    },
  })
