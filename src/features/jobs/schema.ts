import { Type } from '@sinclair/typebox'
import {
  choice,
  currencyCode,
  flag,
  id,
  moment,
  momentOrNever,
  whole,
  wholeOrNone,
} from '../../base/kinds.ts'
import { NAME_LENGTH } from '../../base/names.ts'
import { emailAddress, line, prose, searchText, webAddress } from '../../base/textkinds.ts'
import { pageFields } from '../../http/paging.ts'
import { STATUSES } from '../../search/listing.ts'
import { APPLICATION_TYPES, ARRANGEMENTS, SALARY_PERIODS } from '../../store/rows.ts'

const TITLE_LENGTH = 64
const LINE_LENGTH = 255
const DESCRIPTION_LENGTH = 65_536
const QUERY_LENGTH = 256

/** What a job says of itself, when it is made and ever after. */
const describedFields = {
  title: line({ maxLength: TITLE_LENGTH }),
  description: prose({ maxLength: DESCRIPTION_LENGTH, description: 'Markdown, kept as it was sent.' }),
  location: line({ maxLength: LINE_LENGTH }),
  arrangement: choice(ARRANGEMENTS, { default: 'remote' }),
  salary: wholeOrNone({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: null,
    description: 'Empty or null is none.',
  }),
  salary_currency: currencyCode({ default: 'USD', description: 'ISO 4217.' }),
  salary_period: choice(SALARY_PERIODS, { default: 'monthly' }),
  company: line({ maxLength: LINE_LENGTH }),
  company_website: webAddress({}),
  application_type: choice(APPLICATION_TYPES, { default: 'url' }),
  application_url: Type.Optional(webAddress({ description: 'Required if the type is url.' })),
  application_email: Type.Optional(emailAddress({ description: 'Required if the type is email.' })),
}

const statedFields = {
  ...describedFields,
  category_id: id({ description: 'Of a category that exists.' }),
  term_id: id({ description: 'Of an employment term that exists.' }),
}

/** A job as it stands. The logo is a file, which no schema of values knows. */
export const StatedJob = Type.Object(statedFields)

export const NewJob = Type.Object({ ...statedFields, plan_id: id({ description: 'Of an active plan.' }) })

const named = () => Type.Optional(line({ maxLength: NAME_LENGTH }))

/** A job that was made elsewhere: what it refers to goes by name or by id, and it may be older than it is here. */
export const ForeignJob = Type.Object({
  ...describedFields,
  category: named(),
  category_id: Type.Optional(id()),
  term: named(),
  term_id: Type.Optional(id()),
  plan: named(),
  plan_id: Type.Optional(id()),
  created_at: Type.Optional(moment({})),
})

/** What an administrator may set besides. */
export const Expiry = Type.Object({ expires_at: Type.Optional(momentOrNever({})) })

/** What no category or term has as its id is no fault: it finds nothing. */
const anyWhole = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE }

export const JobQuery = Type.Object({
  q: Type.Optional(searchText({ maxLength: QUERY_LENGTH })),
  term: Type.Optional(whole(anyWhole)),
  category: Type.Optional(whole(anyWhole)),
  arrangement: Type.Optional(choice(ARRANGEMENTS)),
  status: Type.Optional(choice([...STATUSES, 'all'])),
  mine: Type.Optional(flag({})),
  ...pageFields,
})
