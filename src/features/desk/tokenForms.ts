import { seeOther } from '../../http/response/reply.ts'
import { validate } from '../../validation/validation.ts'
import { createToken, deleteToken } from '../tokens/actions.ts'
import { NewToken } from '../tokens/schema.ts'
import type { Desk } from './desk.ts'
import { type FieldDefinition, selectField } from './field.ts'
import { formRoutes } from './form.ts'
import { NO_ITEMS } from './jobRoutes.ts'

const FIELDS: readonly FieldDefinition[] = [
  {
    name: 'name',
    label: 'Name',
    schema: NewToken.properties.name,
    hint: 'What the token is for, such as “Nightly import”.',
  },
  selectField('scopes', 'It may', { 'jobs:read': 'read my jobs', 'jobs:write': 'read and change my jobs' }),
  {
    name: 'expires_in_days',
    label: 'Expires after',
    type: 'select',
    options: [
      { value: 90, name: '90 days' },
      { value: 365, name: 'a year' },
      { value: 0, name: 'never' },
    ],
  },
]

/** Creates the forms to create and delete access tokens. Those for administration are created with the API. */
export function tokenForms(desk: Desk) {
  const buttons = (button: string) => ({ ...NO_ITEMS, button, texts: [], cancel_path: '/account/settings' })
  return {
    creation: formRoutes(desk, {
      template: 'confirm',
      title: 'Create an access token',
      access: 'user',
      fields: () => FIELDS,
      initial: () => new Map([['expires_in_days', 365]]),
      view: () => buttons('Create token'),
      submit: (context, fields) =>
        desk.once.run(context.path, fields, async () => {
          const { name, token } = await createToken(desk.board, context.caller, validate(NewToken, fields))
          return desk.reply(context, 'newToken', 'Your new token', { name, token })
        }),
    }),
    deletion: formRoutes(desk, {
      template: 'confirm',
      title: 'Delete this token?',
      access: 'user',
      fields: () => [],
      view: () => ({ ...buttons('Delete the token'), texts: ['Programs that use it are no longer let in.'] }),
      submit: async ({ caller, params }) => {
        await deleteToken(desk.board, caller, params.id)
        return seeOther('/account/settings?done=token')
      },
    }),
  }
}
