import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { pagingFields } from '../../http/response/paging.ts'
import { STATUSES } from '../../store/jobStatus.ts'
import { APPLICATION_TYPES, ARRANGEMENTS, SALARY_PERIODS } from '../../store/rows.ts'
import {
  booleanField,
  currencyField,
  enumField,
  idField,
  integerField,
  nullableIntegerField,
  nullableTimestampField,
} from '../../validation/fields.ts'
import { emailField, lineField, searchField, textField, urlField } from '../../validation/textFields.ts'
import { DESCRIPTION_LENGTH, EITHER_DESCRIPTION, htmlFields } from './htmlField.ts'

export const TITLE_LENGTH = 64
const LINE_LENGTH = 255
const QUERY_LENGTH = 256

/** The fields of a job itself, on creation and update. */
export const describedFields = {
  title: lineField({ maxLength: TITLE_LENGTH, examples: ['Palliative care nurse'] }),
  description: textField({
    maxLength: DESCRIPTION_LENGTH,
    description: 'Markdown, stored as sent.',
    examples: ['We **care** for people at home.\n\n- Four days a week\n- A car of your own'],
  }),
  location: lineField({ maxLength: LINE_LENGTH, examples: ['Lisbon, Portugal'] }),
  arrangement: enumField(ARRANGEMENTS, { default: 'remote', examples: ['hybrid'] }),
  salary: nullableIntegerField({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: null,
    description: 'In whole units of the currency, per period. Null or empty text means none.',
    examples: [2400],
  }),
  salary_currency: currencyField({
    default: 'USD',
    description: 'An ISO 4217 code of a current currency, in any case.',
    examples: ['EUR'],
  }),
  salary_period: enumField(SALARY_PERIODS, { default: 'monthly', examples: ['monthly'] }),
  company: lineField({ maxLength: LINE_LENGTH, examples: ['Harbour Hospice'] }),
  company_website: urlField({
    description: 'An absolute http or https URL.',
    examples: ['https://harbour.example.org'],
  }),
  application_type: enumField(APPLICATION_TYPES, {
    default: 'url',
    description: 'How to apply: selects which of the next two fields is used.',
    examples: ['url'],
  }),
  application_url: Type.Optional(
    urlField({
      description: 'Required if `application_type` is `url`.',
      examples: ['https://harbour.example.org/apply'],
    }),
  ),
  application_email: Type.Optional(emailField({ description: 'Required if `application_type` is `email`.' })),
}

const jobFields = {
  ...describedFields,
  ...htmlFields,
  category_id: idField({ description: 'The id of a category.', examples: [2] }),
  term_id: idField({ description: 'The id of an employment term.', examples: [1] }),
}

/** The fields of a stored job. The logo is a file, and not part of any schema of values. */
export const JobFields = Type.Object(jobFields)

const applicationOf = (type: (typeof APPLICATION_TYPES)[number]) => ({
  properties: { application_type: { const: type } },
  required: ['application_type'],
})

/** Requires one of the two application fields, as JSON Schema. Without a type, it is `url`. */
export const APPLICATION_BY_TYPE = {
  if: applicationOf('email'),
  // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword; this object is never awaited
  then: { required: ['application_email'] },
  else: { required: ['application_url'] },
}

const planField = idField({ description: 'The id of an active plan.', examples: [1] })

const publishAtField = Type.Optional(
  nullableTimestampField({
    description:
      "When to publish the job: at most a year ahead, in whole seconds. The plan's period starts then. Null or not sent means at once.",
  }),
)

/** A timestamp as it is in a body: text, from which the time is parsed. */
const asText = (field: TSchema) => Type.Optional(Type.Unsafe<string | null>(field))

const draftField = booleanField({
  default: false,
  description: 'Whether to save a draft, which only its owner and administrators see until it is submitted.',
  examples: [false],
})

const postedFields = { ...jobFields, plan_id: planField, publish_at: asText(publishAtField) }

export const NewJob = Type.Object(
  { ...postedFields, draft: draftField },
  { $id: 'NewJob', ...APPLICATION_BY_TYPE, ...EITHER_DESCRIPTION },
)

/** A job that is complete, and can't be a draft. */
export const PostedJob = Type.Object(postedFields, {
  $id: 'PostedJob',
  ...APPLICATION_BY_TYPE,
  ...EITHER_DESCRIPTION,
})
export type PostedJob = Static<typeof PostedJob>

export const draftFields = {
  ...describedFields,
  ...htmlFields,
  description: Type.Optional(describedFields.description),
  location: Type.Optional(describedFields.location),
  company: Type.Optional(describedFields.company),
  company_website: Type.Optional(describedFields.company_website),
  category_id: Type.Optional(jobFields.category_id),
  term_id: Type.Optional(jobFields.term_id),
  plan_id: Type.Optional(planField),
}

/** The fields of a draft, of which only the title is required. */
export const DraftFields = Type.Object(draftFields)
export type DraftFields = Static<typeof DraftFields>

/** When a draft is submitted, it is validated as a new job. */
export const NewDraft = Type.Object({
  ...draftFields,
  publish_at: asText(publishAtField),
  draft: draftField,
})

/** The fields of an update that decide when a job is public. Each has its own rule for who may change it, and when. */
export const PublicationFields = Type.Object({
  plan_id: Type.Optional(
    idField({
      description: "The id of an active plan, for a draft. It can't be changed after posting.",
      examples: [1],
    }),
  ),
  publish_at: publishAtField,
  expires_at: Type.Optional(
    nullableTimestampField({
      description:
        'When the job expires, in whole seconds. Null means never; a past time ends the job now. Only administrators may change it; others may send back the current value.',
      examples: ['2026-02-09T18:21:59+00:00'],
    }),
  ),
})

/** The body of an update. */
export const JobPatch = Type.Object(
  {
    ...jobFields,
    ...PublicationFields.properties,
    publish_at: asText(publishAtField),
    expires_at: asText(PublicationFields.properties.expires_at),
  },
  { $id: 'JobPatch' },
)

/** The options of ids in a query. An id that can't exist is not an error, and matches nothing. */
const anyWhole = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE }

export const JobQuery = Type.Object({
  q: Type.Optional(
    searchField({
      maxLength: QUERY_LENGTH,
      description:
        'Words to find in title, company, location, description, category, term and arrangement, ignoring case and accents. Returns the jobs with all the words or, if there are none, those with some; best first. Other forms of a word match too, below the word itself, and so do typing errors, words written together or apart, and the synonyms of the board.',
      examples: ['nurse lisbon'],
    }),
  ),
  term: Type.Optional(integerField({ ...anyWhole, description: 'The id of an employment term.' })),
  category: Type.Optional(integerField({ ...anyWhole, description: 'The id of a category.' })),
  arrangement: Type.Optional(enumField(ARRANGEMENTS, {})),
  status: Type.Optional(
    enumField([...STATUSES, 'all'], {
      description:
        'Requires an account. Of the jobs that are not active, users see their own and administrators all. With `q`, only `active`.',
    }),
  ),
  mine: Type.Optional(booleanField({ description: "Only the account's own jobs. Requires an account." })),
  ...pagingFields,
})
