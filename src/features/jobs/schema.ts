import { Type } from '@sinclair/typebox'
import { pagingFields } from '../../http/response/paging.ts'
import { STATUSES } from '../../search/jobIndex.ts'
import { APPLICATION_TYPES, ARRANGEMENTS, SALARY_PERIODS } from '../../store/rows.ts'
import {
  booleanField,
  currencyField,
  enumField,
  idField,
  integerField,
  nullableIntegerField,
  nullableTimestampField,
  timestampField,
} from '../../validation/fields.ts'
import {
  emailField,
  lineField,
  nameField,
  searchField,
  textField,
  urlField,
} from '../../validation/textFields.ts'

const TITLE_LENGTH = 64
const LINE_LENGTH = 255
const DESCRIPTION_LENGTH = 65_536
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

export const NewJob = Type.Object(
  { ...jobFields, plan_id: idField({ description: 'The id of an active plan.', examples: [1] }) },
  { $id: 'NewJob', ...APPLICATION_BY_TYPE },
)

const optionalName = () => Type.Optional(nameField({}))

/** A row of an import. Its category, term and plan are given by name or by id, and it may have a time of creation. */
export const ImportedJob = Type.Object({
  ...describedFields,
  category: optionalName(),
  category_id: Type.Optional(idField({})),
  term: optionalName(),
  term_id: Type.Optional(idField({})),
  plan: optionalName(),
  plan_id: Type.Optional(idField({})),
  created_at: Type.Optional(timestampField({})),
})

/** The fields that can't be changed after posting, except that administrators may change `expires_at`. */
export const FixedFields = Type.Object({
  plan_id: Type.Optional(
    idField({
      description: "The job's own plan, or not sent: a plan can't be changed after posting.",
      examples: [1],
    }),
  ),
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
    ...FixedFields.properties,
    // The body contains text, from which the time is parsed.
    expires_at: Type.Optional(Type.Unsafe<string | null>(FixedFields.properties.expires_at)),
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
