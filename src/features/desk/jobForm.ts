import { dateOf } from '../../base/clock.ts'
import { CURRENCIES } from '../../base/currency.ts'
import { formatMoney } from '../../base/money.ts'
import type { Board } from '../../board.ts'
import { ARRANGEMENT_NAMES, type JobRow, type LabelRow } from '../../store/rows.ts'
import { fieldsOf } from '../jobs/rules.ts'
import { NewJob } from '../jobs/schema.ts'
import { countText } from '../pages/view.ts'
import { type FieldDefinition, type FormState, selectField } from './field.ts'
import { textOf } from './text.ts'

const { properties: schema } = NewJob

const PERIOD_NAMES: Readonly<Record<JobRow['salaryPeriod'], string>> = {
  hourly: 'Hour',
  daily: 'Day',
  weekly: 'Week',
  monthly: 'Month',
  yearly: 'Year',
}
/** The currencies that come first in the list. */
const COMMON_CURRENCIES = ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'INR', 'JPY']

export const LOGO_FILE = {
  name: 'logo',
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  description: 'The logo of the company.',
}

/** Returns the fields of the form of a job. Their rules are those of the API. */
export const jobFields = ({ store }: Board): FieldDefinition[] => [
  { name: 'title', label: 'Title', schema: schema.title, placeholder: 'Palliative care nurse', isWide: true },
  {
    name: 'description',
    label: 'Description',
    type: 'textarea',
    schema: schema.description,
    hint: 'Markdown: **bold**, - lists, ## headings, [links](https://example.com).',
    isWide: true,
  },
  {
    name: 'category_id',
    label: 'Category',
    type: 'select',
    options: labelOptions(store.read.categories.all()),
  },
  {
    name: 'term_id',
    label: 'Employment type',
    type: 'select',
    options: labelOptions(store.read.terms.all()),
  },
  {
    name: 'location',
    label: 'Location',
    schema: schema.location,
    placeholder: 'Lisbon, Portugal',
    hint: 'For a remote job, where applicants must be.',
  },
  selectField('arrangement', 'Workplace', ARRANGEMENT_NAMES),
  {
    name: 'salary',
    label: 'Salary',
    type: 'number',
    isOptional: true,
    hint: 'A whole number. Jobs with a salary get more applications.',
  },
  {
    name: 'salary_currency',
    label: 'Currency',
    type: 'select',
    options: [...COMMON_CURRENCIES, ...CURRENCIES.filter(code => !COMMON_CURRENCIES.includes(code))].map(
      code => ({ value: code, name: code }),
    ),
  },
  selectField('salary_period', 'Per', PERIOD_NAMES),
  { name: 'company', label: 'Company', schema: schema.company, autocomplete: 'organization' },
  {
    name: 'company_website',
    label: 'Company website',
    type: 'url',
    schema: schema.company_website,
    placeholder: 'https://',
    autocomplete: 'url',
  },
  {
    name: 'logo',
    label: 'Logo',
    type: 'file',
    isOptional: true,
    hint: 'PNG, JPEG, WebP or GIF, at most 5 MB.',
  },
  selectField('application_type', 'Applications by', { url: 'A web page', email: 'E-mail' }),
  {
    name: 'application_url',
    label: 'Page for applications',
    type: 'url',
    schema: schema.application_url,
    isOptional: 'sometimes',
    placeholder: 'https://',
  },
  {
    name: 'application_email',
    label: 'E-mail for applications',
    type: 'email',
    schema: schema.application_email,
    isOptional: 'sometimes',
  },
  {
    name: 'publish_at',
    label: 'Publish on',
    type: 'date',
    isOptional: true,
    hint: 'Leave it empty to publish right away. A day begins at midnight UTC.',
  },
]

/** The field of plans, which are shown as cards. */
export const PLAN_FIELD: FieldDefinition = { name: 'plan_id', label: 'Plan' }

const CHOOSE = { value: '', name: 'Choose …' }

const labelOptions = (labels: readonly LabelRow[]) => [
  CHOOSE,
  ...labels
    .map(({ id, name }) => ({ value: id, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' })),
]

/** The values of a new job's form. */
export const newJobValues = ({ config, store }: Board): ReadonlyMap<string, unknown> => {
  const plans = store.read.plans.all().filter(({ archived }) => !archived)
  return new Map<string, unknown>([
    ['arrangement', 'onsite'],
    ['salary_currency', config.currency],
    ['salary_period', 'yearly'],
    ['application_type', 'url'],
    ['plan_id', plans[0]?.id ?? ''],
  ])
}

/** The values of a job's form. */
export const jobValues = (job: JobRow): ReadonlyMap<string, unknown> => {
  const publishAt = job.publishAt === null ? '' : dateOf(job.publishAt)
  return new Map([...fieldsOf(job), ['publish_at', publishAt]])
}

/** Returns the plans that can be chosen as cards, with what each offers. */
export const presentPlans = ({ store, config }: Board, { values }: FormState) =>
  store.read.plans
    .all()
    .filter(({ archived }) => !archived)
    .toSorted((a, b) => a.price - b.price || a.id - b.id)
    .map(({ id, name, price, period, highlight, badge, pin }) => ({
      id,
      name,
      price: price === 0 ? 'Free' : formatMoney(price, config.currency),
      features: [
        period === 0 ? 'Online until you close it' : `Online for ${countText(period, 'day')}`,
        ...(pin ? ['First in the list'] : []),
        ...(highlight ? ['Highlighted in colour'] : []),
        ...(badge ? ['Marked as featured'] : []),
      ],
      is_selected: textOf(values.get('plan_id')) === String(id),
    }))

/** Returns what an administrator has to create before a job can be posted. */
export const missingRecords = ({ store: { read } }: Board): string[] => [
  ...(read.categories.count === 0 ? ['a category'] : []),
  ...(read.terms.count === 0 ? ['an employment type'] : []),
  ...(read.plans.all().some(({ archived }) => !archived) ? [] : ['a plan']),
]
