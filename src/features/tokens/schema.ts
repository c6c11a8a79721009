import { type Static, Type } from '@sinclair/typebox'
import { type Scope, SCOPES, SOURCE_SCOPE } from '../../base/scopes.ts'
import {
  idSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
} from '../../http/openapi/responseSchemas.ts'
import { responseField } from '../../validation/field.ts'
import { integerField } from '../../validation/fields.ts'
import { listField } from '../../validation/listField.ts'
import { nameField } from '../../validation/textFields.ts'

const DEFAULT_DAYS = 365
const MAX_DAYS = 3650

const fields = {
  name: nameField({ description: 'What the token is for.', examples: ['Nightly import'] }),
  scopes: listField<Scope>(SCOPES, {
    otherWords: SOURCE_SCOPE,
    description:
      'What the token may do, as the account that it belongs to. `jobs:write` includes `jobs:read`, and so does `changes`. The others are for administrators: `sources:` and a name lets it send the jobs of that source, and `admin` includes everything.',
    examples: [['jobs:write']],
  }),
}

export const NewToken = Type.Object(
  {
    ...fields,
    expires_in_days: integerField({
      minimum: 0,
      maximum: MAX_DAYS,
      default: DEFAULT_DAYS,
      description: 'After how many days the token expires; 0 means never.',
      examples: [90],
    }),
  },
  { $id: 'NewToken' },
)
export type NewToken = Static<typeof NewToken>

const shownFields = {
  id: idSchema(3),
  name: responseField(fields.name),
  scopes: Type.Array(
    Type.Unsafe<Scope>({ type: 'string', pattern: `^(${[...SCOPES, SOURCE_SCOPE].join('|')})$` }),
    {
      examples: [['jobs:write']],
    },
  ),
  created_at: timestampSchema('2026-01-10T18:21:59+00:00'),
  expires_at: nullableTimestampSchema(
    'When the token expires. Null means never.',
    '2027-01-10T18:21:59+00:00',
  ),
  last_used_on: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    description: 'The day (UTC) of its last use. Null if it was never used.',
    examples: ['2026-01-12'],
  }),
}

export const Token = objectSchema('Token', shownFields, {
  description: 'An access token for programs. The token itself is shown only when it is created.',
})
export type Token = Static<typeof Token>

export const CreatedToken = objectSchema('CreatedToken', {
  ...shownFields,
  token: Type.String({
    description:
      'The token, for the header `Authorization: Bearer …`. It is not stored, and never shown again.',
    examples: ['cbt_8qBkFvJ0ZxYw3nT1rLmC5uHsPdEaGi7X0k2m9zq'],
  }),
})
export type CreatedToken = Static<typeof CreatedToken>
