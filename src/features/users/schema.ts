import { type Static, Type } from '@sinclair/typebox'
import { ROLES } from '../../base/caller.ts'
import { idSchema, objectSchema, timestampSchema } from '../../http/openapi/responseSchemas.ts'
import { responseField } from '../../validation/field.ts'
import { booleanField, enumField } from '../../validation/fields.ts'
import { accountEmailField, passwordField } from '../../validation/textFields.ts'

const fields = {
  email: accountEmailField({
    description: 'Stored and compared in lower case.',
    examples: ['ines@harbour.example.org'],
  }),
  password: passwordField({
    description: 'At least 8 characters, at most 256 bytes in UTF-8.',
    examples: ['correct horse battery'],
  }),
  role: enumField(ROLES, { default: 'user', examples: ['user'] }),
}

export const UserFields = Type.Object(fields, { $id: 'NewUser' })

/** The fields of an existing account. */
export const UserPatch = Type.Object(
  {
    ...fields,
    email_confirmed: Type.Optional(
      booleanField({
        description:
          'Whether mail to the address reaches the user, who can post jobs only then. Only administrators change it.',
        examples: [true],
      }),
    ),
  },
  { $id: 'UserPatch' },
)

/** The fields of an open registration, which ignores a role. */
export const RegistrationFields = Type.Omit(UserFields, ['role'])

export const User = objectSchema(
  'User',
  {
    id: idSchema(3),
    email: responseField(fields.email),
    role: responseField(fields.role),
    created_at: timestampSchema('2026-01-10T18:21:59+00:00'),
    updated_at: timestampSchema('2026-01-10T18:21:59+00:00'),
  },
  { description: 'An account as its user and administrators see it.' },
)

/** The account that posted a job. */
export const Owner = Type.Union(
  [
    Type.Object({ id: User.properties.id, email: User.properties.email }, { additionalProperties: false }),
    Type.Null(),
  ],
  { description: 'The account that posted the job, or null if it was deleted.' },
)

export type User = Static<typeof User>
export type Owner = Static<typeof Owner>
