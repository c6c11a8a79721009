import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { TextKey } from '../../config/settings.ts'
import { objectSchema } from '../../http/openapi/responseSchemas.ts'
import { nullable, responseField } from '../../validation/field.ts'
import { enumField } from '../../validation/fields.ts'
import { lineField, textField } from '../../validation/textFields.ts'

const MAX_NAME_LENGTH = 64
const MAX_TEXT_LENGTH = 65_536
const COLOUR_LENGTH = 7

const markdown = (description: string) =>
  textField({
    maxLength: MAX_TEXT_LENGTH,
    description: `${description} In Markdown.`,
    examples: ['**Acme Ltd**, Lisbon'],
  })

const textFields = {
  imprint: markdown('Who runs the board. A page that every page links to.'),
  privacy: markdown('How the board treats personal data. A page that every page links to.'),
  terms: markdown('The terms of use. A page that every page links to.'),
  guidelines: markdown('What employers should know before they post a job.'),
} satisfies Record<TextKey, TSchema>

const fields = {
  name: lineField({
    maxLength: MAX_NAME_LENGTH,
    description: 'The name of the board.',
    examples: ['Harbour Jobs'],
  }),
  tagline: lineField({
    maxLength: MAX_NAME_LENGTH,
    description: 'A short line below the name.',
    examples: ['Work by the sea'],
  }),
  accent: lineField({
    maxLength: COLOUR_LENGTH,
    description: 'The colour of links and buttons, such as `#0d6b5e`.',
    examples: ['#0d6b5e'],
  }),
  registration: enumField(['open', 'closed'], {
    description: 'Whether people can create their own accounts. Open registration requires a mail server.',
    examples: ['closed'],
  }),
  approve: enumField(['none', 'paid', 'all'], {
    description: 'Which jobs need approval: none, those on plans with a price, or all.',
    examples: ['paid'],
  }),
  digest: enumField(['off', 'daily', 'weekly'], {
    description: 'How often subscribers get job alerts.',
    examples: ['weekly'],
  }),
  ...textFields,
}

/** The body of an update. Null or empty text returns a setting to its default. */
export const SettingsPatch = Type.Object(
  {
    name: Type.Optional(nullable(fields.name)),
    tagline: Type.Optional(nullable(fields.tagline)),
    accent: Type.Optional(nullable(fields.accent)),
    registration: Type.Optional(nullable(fields.registration)),
    approve: Type.Optional(nullable(fields.approve)),
    digest: Type.Optional(nullable(fields.digest)),
    imprint: Type.Optional(nullable(fields.imprint)),
    privacy: Type.Optional(nullable(fields.privacy)),
    terms: Type.Optional(nullable(fields.terms)),
    guidelines: Type.Optional(nullable(fields.guidelines)),
  },
  { $id: 'SettingsPatch' },
)
export type SettingsPatch = Static<typeof SettingsPatch>

export const Settings = objectSchema(
  'Settings',
  {
    name: responseField(fields.name),
    tagline: Type.Union([responseField(fields.tagline), Type.Null()]),
    accent: responseField(fields.accent),
    registration: responseField(fields.registration),
    approve: responseField(fields.approve),
    digest: responseField(fields.digest),
    imprint: Type.Union([responseField(fields.imprint), Type.Null()]),
    privacy: Type.Union([responseField(fields.privacy), Type.Null()]),
    terms: Type.Union([responseField(fields.terms), Type.Null()]),
    guidelines: Type.Union([responseField(fields.guidelines), Type.Null()]),
    logo: Type.String({
      description: 'The URL of the logo, which is also the icon; empty if there is none.',
      examples: ['https://board.example.com/logos/0123456789abcdef-0123456789abcdef0123456789abcdef.webp'],
    }),
    fixed: Type.Record(Type.String(), Type.String(), {
      description:
        'The settings that an option fixes, each with the name of the option. They can only be changed where the board is started.',
      examples: [{ name: '--name' }],
    }),
  },
  { description: 'The settings of the board, as they are now.' },
)
export type Settings = Static<typeof Settings>
