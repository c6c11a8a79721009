import { Type } from '@sinclair/typebox'
import { NAME_LENGTH } from '../../base/names.ts'
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
import { emailField, lineField, searchField, textField, urlField } from '../../validation/textFields.ts'

const TITLE_LENGTH = 64
const LINE_LENGTH = 255
const DESCRIPTION_LENGTH = 65_536
const QUERY_LENGTH = 256

/** What a job says of itself, when it is made and ever after. */
export const describedFields = {
  title: lineField({ maxLength: TITLE_LENGTH, examples: ['Palliative care nurse'] }),
  description: textField({
    maxLength: DESCRIPTION_LENGTH,
    description: 'Markdown, kept as it was sent.',
    examples: ['We **care** for people at home.\n\n- Four days a week\n- A car of your own'],
  }),
  location: lineField({ maxLength: LINE_LENGTH, examples: ['Lisbon, Portugal'] }),
  arrangement: enumField(ARRANGEMENTS, { default: 'remote', examples: ['hybrid'] }),
  salary: nullableIntegerField({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: null,
    description: 'In whole units of the currency, for each period. Null is none, and so is an empty text.',
    examples: [2400],
  }),
  salary_currency: currencyField({
    default: 'USD',
    description: 'ISO 4217, of a currency in use today. Lower case is taken too.',
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
    description: 'How to apply: it tells which of the two fields below counts.',
    examples: ['url'],
  }),
  application_url: Type.Optional(
    urlField({
      description: 'Where to apply, if `application_type` is `url`; required then.',
      examples: ['https://harbour.example.org/apply'],
    }),
  ),
  application_email: Type.Optional(
    emailField({ description: 'Where to apply, if `application_type` is `email`; required then.' }),
  ),
}

const statedFields = {
  ...describedFields,
  category_id: idField({ description: 'Of a category that exists.', examples: [2] }),
  term_id: idField({ description: 'Of an employment term that exists.', examples: [1] }),
}

/** A job as it stands. The logo is a file, which no schema of values knows. */
export const JobFields = Type.Object(statedFields)

const applicationOf = (type: (typeof APPLICATION_TYPES)[number]) => ({
  properties: { application_type: { const: type } },
  required: ['application_type'],
})

/** Which of the two applications is there, as JSON Schema says it. What says no type is of the type `url`. */
export const APPLICATION_BY_TYPE = {
  if: applicationOf('email'),
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema; nobody awaits this
  then: { required: ['application_email'] },
  else: { required: ['application_url'] },
}

export const NewJob = Type.Object(
  { ...statedFields, plan_id: idField({ description: 'Of an active plan.', examples: [1] }) },
  { $id: 'NewJob', ...APPLICATION_BY_TYPE },
)

const named = () => Type.Optional(lineField({ maxLength: NAME_LENGTH }))

/** A job that was made elsewhere: what it refers to goes by name or by id, and it may be older than it is here. */
export const ImportedJob = Type.Object({
  ...describedFields,
  category: named(),
  category_id: Type.Optional(idField({})),
  term: named(),
  term_id: Type.Optional(idField({})),
  plan: named(),
  plan_id: Type.Optional(idField({})),
  created_at: Type.Optional(timestampField({})),
})

/** What stays as it is in a job once it is there, unless an administrator sets its expiry. */
export const KeptFields = Type.Object({
  plan_id: Type.Optional(
    idField({
      description: "The job's own plan, or nothing: a plan can't be changed after posting.",
      examples: [1],
    }),
  ),
  expires_at: Type.Optional(
    nullableTimestampField({
      description:
        'When the job ends, cut to whole seconds; null is never, and a past moment ends it now. Only administrators may change it; what the job has already may be sent back by anybody.',
      examples: ['2026-02-09T18:21:59+00:00'],
    }),
  ),
})

/** What may be sent to change a job. */
export const JobPatch = Type.Object(
  {
    ...statedFields,
    ...KeptFields.properties,
    // what is sent is the text that a moment is read from
    expires_at: Type.Optional(Type.Unsafe<string | null>(KeptFields.properties.expires_at)),
  },
  { $id: 'JobPatch' },
)

/** What no category or term has as its id is no fault: it finds nothing. */
const anyWhole = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE }

export const JobQuery = Type.Object({
  q: Type.Optional(
    searchField({
      maxLength: QUERY_LENGTH,
      description:
        'Words to look for in title, company, location, description, category and term, without regard to case or accents. Jobs with all of the words, or, if there are none, with some; best first.',
      examples: ['nurse lisbon'],
    }),
  ),
  term: Type.Optional(integerField({ ...anyWhole, description: 'The id of an employment term.' })),
  category: Type.Optional(integerField({ ...anyWhole, description: 'The id of a category.' })),
  arrangement: Type.Optional(enumField(ARRANGEMENTS, {})),
  status: Type.Optional(
    enumField([...STATUSES, 'all'], {
      description:
        'Other than active jobs: needs an account, which sees its own among them, and an administrator all. Not beside `q`.',
    }),
  ),
  mine: Type.Optional(booleanField({ description: "The account's own jobs only." })),
  ...pagingFields,
})
