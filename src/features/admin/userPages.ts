import { Elysia } from 'elysia'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, type RouteContext } from '../../http/route.ts'
import { getOrThrow } from '../../store/lookup.ts'
import { type Fields, validate, validatePatch } from '../../validation/validation.ts'
import { type FieldDefinition, selectField } from '../desk/field.ts'
import { signIn } from '../desk/signIn.ts'
import { countText } from '../pages/view.ts'
import { createUser, deleteUser, updateUser } from '../users/actions.ts'
import { presentUser } from '../users/present.ts'
import { UserFields, UserPatch } from '../users/schema.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { withNotice } from './notices.ts'
import { PATH, ROLE_NAMES, userList, usersAsCsv } from './userList.ts'

const EMAIL: FieldDefinition = {
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  schema: UserFields.properties.email,
  autocomplete: 'off',
}
const PASSWORD: FieldDefinition = {
  name: 'password',
  label: 'Password',
  type: 'password',
  schema: UserFields.properties.password,
  hint: 'At least 8 characters.',
  autocomplete: 'new-password',
}
const ROLE = selectField('role', 'Role', ROLE_NAMES, {
  hint: 'Employers post jobs and manage their own. Administrators manage everything.',
})
const NEW_PASSWORD = {
  ...PASSWORD,
  label: 'New password',
  isOptional: true,
  hint: 'At least 8 characters. Leave it empty to keep the password.',
}

/** Creates the pages of accounts. */
export function userPages(admin: Admin) {
  const { board } = admin
  return new Elysia({ name: 'administration of accounts' })
    .get(PATH, ...admin.page(context => admin.reply(context, 'adminList', 'Users', userList(admin, context))))
    .get(`${PATH}.csv`, ...admin.page(() => usersAsCsv(admin)))
    .use(formAt(`${PATH}/new`, creationForm(admin)))
    .use(formAt(`${PATH}/:id/edit`, editForm(admin)))
    .use(formAt(`${PATH}/:id/delete`, deletionForm(admin)))
    .post(
      `${PATH}/:id/confirm`,
      ...admin.action(async context => {
        const values = new Map([['email_confirmed', true]])
        const input = validatePatch(UserPatch, { values, isForm: false })
        await updateUser(board, context, context.params.id, input)
        return withNotice(PATH, 'confirmed')
      }),
    )
}

const creationForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Add a user',
    fields: () => [EMAIL, PASSWORD, ROLE],
    view: () =>
      formView({
        button: 'Add',
        cancel_path: PATH,
        texts: ['The address counts as confirmed. Give the password to the person: no e-mail is sent.'],
      }),
    submit: async (context, fields) => {
      await createUser(admin.board, context, validate(UserFields, fields))
      return seeOther(withNotice(PATH, 'added'))
    },
  })

const editForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Edit this account',
    fields: () => [EMAIL, ROLE, NEW_PASSWORD],
    initial: ({ params }) => new Map<string, unknown>(Object.entries(presentUser(userOf(admin, params.id)))),
    view: () =>
      formView({
        button: 'Save',
        cancel_path: PATH,
        texts: ['A new address, role or password signs the person out everywhere.'],
      }),
    submit: (context, fields) => saveUser(admin, context, fields),
  })

/** Saves an account. Administrators who change their own stay signed in. */
async function saveUser({ board }: Admin, context: RouteContext, fields: Fields) {
  const { caller, params } = context
  const values = new Map(fields.values)
  if (values.get('password') === '') values.delete('password')
  const user = await updateUser(board, context, params.id, validatePatch(UserPatch, { ...fields, values }))
  const path = withNotice(PATH, 'saved')
  if (user.id !== caller.userId || user.epoch === caller.epoch) return seeOther(path)
  return await signIn(board, context, { userId: user.id, role: user.role, epoch: user.epoch }, path)
}

const deletionForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Delete this account?',
    fields: () => [],
    view: ({ caller, params }) => {
      const { email } = userOf(admin, params.id)
      const jobs = admin.board.store.read.jobs.countWhere('userId', params.id)
      const own = caller.userId === params.id ? ["This is your own account: you'll be signed out."] : []
      return formView({
        texts: [
          `${email} will be signed out everywhere and can't sign in again. This can't be undone.`,
          ...(jobs > 0
            ? [
                `${countText(jobs)} will stay as they are. Only administrators can manage jobs without an owner.`,
              ]
            : []),
          ...own,
        ],
        button: 'Delete the account',
        is_danger: true,
        cancel_path: PATH,
      })
    },
    submit: async ({ caller, params }) => {
      await deleteUser(admin.board, caller, params.id)
      return seeOther(withNotice(PATH, 'deleted'))
    },
  })

const userOf = ({ board }: Admin, id: number) => getOrThrow(board.store.read.users, id, 'user')
