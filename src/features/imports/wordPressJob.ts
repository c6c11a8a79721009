import { DAY, floorToSecond, HOUR, MAX_TIME, parseTimestamp, timestamp } from '../../base/clock.ts'
import { htmlToText } from '../jobs/htmlToMarkdown.ts'
import { cutLongTitle } from '../jobs/longTitle.ts'
import { recordOf, textOf } from './unknownJson.ts'
import { parseSalary } from './wordPressSalary.ts'

/** What a site says about itself and its jobs, apart from a single one. */
export interface SiteFacts {
  readonly name: string
  readonly home: string
  /** How far its clock is ahead of UTC, in hours. */
  readonly offset: number
  /** The source of its jobs. */
  readonly source: string
  /** The time of the import, in milliseconds since 1970, whole seconds. */
  readonly now: number
  /** When a job ends whose own end is unknown; null for never. */
  readonly defaultEnd: number | null
}

/** The records that a job refers to. */
export interface ListingParents {
  readonly categories: readonly string[]
  readonly types: readonly string[]
  /** The URL of the company's logo, or empty. */
  readonly logo: string
}

/** A job as a row of an import, and what couldn't be taken as it was. */
export interface ConvertedListing {
  readonly row: object
  readonly notes: readonly string[]
  /** Whether the site says when the job ends. */
  readonly hasEnd: boolean
}

/** The category and employment type of a job without one, and its place: WP Job Manager shows the same. */
const NO_LABEL = 'Other'
const NO_PLACE = 'Anywhere'
/** The plan of featured jobs. They stay at the top of lists. */
const FEATURED = { name: 'Featured', pin: true, highlight: true }

const EMAIL = /^[^\s@/]+@[^\s@/]+$/

/** Converts a job of WP Job Manager, as its REST interface shows it, to a row in the form of an export. */
export function convertListing(
  listing: Readonly<Record<string, unknown>>,
  { categories, types, logo }: ListingParents,
  site: SiteFacts,
): ConvertedListing {
  const notes: string[] = []
  const meta = recordOf(listing['meta'])
  const metaText = (name: string) => htmlToText(textOf(meta[name]))
  const isSet = (name: string) => Number(textOf(meta[name])) === 1
  /** Returns a text, or another one with a note if it is blank. */
  const orElse = (text: string, other: string, what: string) => {
    if (text === '') notes.push(`${what} is missing, so it became "${other}"`)
    return text || other
  }
  const first = (names: readonly string[], what: string) => {
    if (names.length > 1) notes.push(`other ${what} were left out: ${names.slice(1).join(', ')}`)
    return names[0] ?? NO_LABEL
  }
  for (const [name, what] of Object.entries(LEFT_OUT))
    if (metaText(name) !== '') notes.push(`${what} was left out: ${metaText(name)}`)
  const created = timeOf(listing['date_gmt']) ?? site.now
  const end = endOf(metaText('_job_expires'), site.offset)
  const row = {
    corkboard: 'job',
    ...describe(listing, metaText, notes),
    location: orElse(metaText('_job_location'), NO_PLACE, 'the location'),
    arrangement: isSet('_remote_position') ? 'remote' : 'onsite',
    company: orElse(metaText('_company_name'), site.name, 'the company'),
    company_website: orElse(metaText('_company_website'), site.home, "the company's website"),
    ...applicationOf(textOf(meta['_application'])),
    category: first(categories, 'categories'),
    term: first(types, 'employment types'),
    ...(isSet('_featured') && { plan: FEATURED }),
    logo,
    pending: false,
    created_at: timestamp(created),
    updated_at: timestamp(site.now),
    submitted_at: timestamp(created),
    published_at: timestamp(created),
    ...(isSet('_filled') && { filled_at: timestamp(timeOf(listing['modified_gmt']) ?? created) }),
    expires_at: stampOrNull(end ?? (listing['status'] === 'expired' ? site.now : site.defaultEnd)),
    source: site.source,
    external_id: textOf(listing['id']),
  }
  return { row, notes, hasEnd: end !== undefined }
}

/** The fields that jobs don't have here, with their names in notes. */
const LEFT_OUT = {
  _company_tagline: "the company's tagline",
  _company_twitter: "the company's Twitter account",
  _company_video: "the company's video",
}

/** Returns title, description and salary. What doesn't fit into title and salary is put above the description. */
function describe(
  listing: Readonly<Record<string, unknown>>,
  metaText: (name: string) => string,
  notes: string[],
) {
  const whole = htmlToText(textOf(recordOf(listing['title'])['rendered']))
  const salaryText = metaText('_job_salary')
  const salary = parseSalary(salaryText, metaText('_job_salary_currency'), metaText('_job_salary_unit'))
  let html = textOf(recordOf(listing['content'])['rendered'])
  if (html !== '' && salaryText !== '' && !salary) {
    notes.push(`the salary is in the description, because it isn't a single amount: ${salaryText}`)
    html = `<p>Salary: ${Bun.escapeHTML(salaryText)}</p>${html}`
  }
  const values = new Map<string, unknown>([
    ['title', whole],
    ['description_html', html],
  ])
  cutLongTitle(values)
  if (values.get('title') !== whole)
    notes.push('the title is too long, so it was cut, and the full title was put above the description')
  return { ...Object.fromEntries(values), ...salary }
}

const applicationOf = (address: string) =>
  EMAIL.test(address)
    ? { application_type: 'email', application_email: address }
    : { application_type: 'url', application_url: address }

/** Parses a time without an offset, which is in UTC. */
const timeOf = (time: unknown) => parseTimestamp(`${textOf(time)}Z`)

/** Returns the end of a day at a site; undefined if the text is no day. */
function endOf(day: string, offset: number): number | undefined {
  const start = parseTimestamp(`${day}T00:00:00Z`)
  return start === undefined
    ? undefined
    : Math.min(MAX_TIME, start + DAY - floorToSecond(offset * HOUR) - 1000)
}

const stampOrNull = (time: number | null) => (time === null ? null : timestamp(time))
