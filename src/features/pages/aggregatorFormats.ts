import { formatSalary } from '../../base/money.ts'
import { formatPlace, parsePlace, type Place } from '../../base/place.ts'
import type { Board } from '../../board.ts'
import { listedAt } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { descriptionKey, renderDescription } from './description.ts'
import { type EmploymentType, employmentTypeOf } from './employmentType.ts'
import { machineDate } from './view.ts'
import { textElements } from './xml.ts'

/** A format of feeds for a service that lists the jobs of many sites. */
export interface AggregatorFormat {
  readonly name: string
  /** Writes the beginning of a feed. @param now in milliseconds since 1970 */
  readonly open: (board: Board, jobs: number, now: number) => string
  readonly item: (job: FeedJob) => string
  readonly close: string
}

export type FeedJob = ReturnType<typeof feedJobOf>

/** Returns what the formats have in common. */
export function feedJobOf(board: Board, job: JobRow) {
  const { store, links } = board
  const place: Partial<Place> = parsePlace(job.location) ?? {}
  const term = store.read.terms.get(job.termId)?.name ?? ''
  const page = links.to(`/jobs/${job.id}`)
  return {
    job,
    place,
    location: formatPlace(job.location),
    term,
    category: store.read.categories.get(job.categoryId)?.name ?? '',
    employmentType: employmentTypeOf(term),
    html: htmlOf(board, job),
    page,
    // An address for e-mail is no place to send a browser to.
    apply: job.applicationType === 'url' ? `${page}/apply` : page,
    email: job.applicationType === 'email' ? job.applicationEmail : '',
    salary: job.salary ? formatSalary(job.salary, job.salaryCurrency, job.salaryPeriod) : '',
    logo: links.logo(job.logo),
  }
}

/** Returns a description as HTML. It isn't cached, because the descriptions of all jobs would displace everything else. */
function htmlOf({ responses }: Board, { id, description }: JobRow): string {
  const cached = responses.get(descriptionKey(id)) as { html: string } | undefined
  return cached?.html ?? renderDescription(description)
}

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'

const openSource = (fields: Readonly<Record<string, string>>) =>
  `${DECLARATION}<source>\n${textElements(fields)}`

const jobElement = (texts: Readonly<Record<string, string | undefined>>) =>
  `<job>\n${textElements(texts)}</job>\n`

const INDEED_TYPES: Readonly<Record<EmploymentType, string>> = {
  FULL_TIME: 'fulltime',
  PART_TIME: 'parttime',
  CONTRACTOR: 'contract',
  TEMPORARY: 'temporary',
  INTERN: 'internship',
  VOLUNTEER: 'volunteer',
  PER_DIEM: 'perdiem',
}
const INDEED_REMOTE_TYPES = { remote: 'Fully remote', hybrid: 'Hybrid remote', onsite: undefined }

/** Indeed's format (https://docs.indeed.com/indeed-apply/xml-feed). */
export const INDEED: AggregatorFormat = {
  name: 'Indeed',
  open: ({ config, links }, _, now) =>
    openSource({
      publisher: config.name,
      publisherurl: links.to('/'),
      lastBuildDate: new Date(now).toUTCString(),
    }),
  item: ({ job, place, location, page, email, html, salary, employmentType, term, category }) =>
    jobElement({
      title: job.title,
      date: machineDate(listedAt(job)),
      referencenumber: String(job.id),
      requisitionid: job.externalId ?? String(job.id),
      url: page,
      company: job.company,
      sourcename: job.company,
      // If the country is unclear, Indeed finds the place by the whole location.
      city: place.country === undefined ? location : place.locality,
      state: place.region,
      country: place.country,
      email,
      description: html,
      salary,
      jobtype: employmentType ? INDEED_TYPES[employmentType] : term,
      category,
      expirationdate: dateOrNone(job.expiresAt, machineDate),
      remotetype: INDEED_REMOTE_TYPES[job.arrangement],
    }),
  close: '</source>\n',
}

const LINKEDIN_TYPES: Readonly<Record<EmploymentType, string | undefined>> = {
  FULL_TIME: 'FULL_TIME',
  PART_TIME: 'PART_TIME',
  CONTRACTOR: 'CONTRACT',
  TEMPORARY: 'CONTRACT',
  INTERN: 'INTERNSHIP',
  VOLUNTEER: 'VOLUNTEER',
  PER_DIEM: undefined,
}
const LINKEDIN_WORKPLACES = { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-site' }

/** LinkedIn's format (https://learn.microsoft.com/linkedin/talent/job-postings/xml-feeds-development-guide). */
export const LINKEDIN: AggregatorFormat = {
  name: 'LinkedIn',
  open: ({ config, links }, jobs, now) =>
    openSource({
      lastBuildDate: new Date(now).toUTCString(),
      publisherUrl: links.to('/'),
      publisher: config.name,
      expectedJobCount: String(jobs),
    }),
  item: ({ job, place, location, apply, html, employmentType }) =>
    `<job>\n${textElements({
      partnerJobId: String(job.id),
      company: job.company,
      title: job.title,
      description: html,
      applyUrl: apply,
      location,
      city: place.locality,
      state: place.region,
      country: place.country,
      workplaceTypes: LINKEDIN_WORKPLACES[job.arrangement],
      jobtype: employmentType && LINKEDIN_TYPES[employmentType],
      listDate: machineDate(listedAt(job)),
      expirationDate: dateOrNone(job.expiresAt, machineDate),
    })}${linkedInSalary(job)}</job>\n`,
  close: '</source>\n',
}

function linkedInSalary({ salary, salaryCurrency, salaryPeriod }: JobRow): string {
  if (!salary) return ''
  const amount = textElements({ amount: String(salary), currencyCode: salaryCurrency })
  const details = textElements({ period: salaryPeriod.toUpperCase(), type: 'BASE_SALARY' })
  return `<salaries>\n<salary>\n<highEnd>\n${amount}</highEnd>\n<lowEnd>\n${amount}</lowEnd>\n${details}</salary>\n</salaries>\n`
}

/** Formats a time as the day in UTC: `10.01.2026`. */
const joobleDate = (ms: number) => machineDate(ms).slice(0, 10).split('-').toReversed().join('.')

/** Jooble's format, in which dates are days. */
export const JOOBLE: AggregatorFormat = {
  name: 'Jooble',
  open: () => `${DECLARATION}<jobs>\n`,
  item: ({ job, location, page, html, salary, term, email, logo }) =>
    `<job id="${job.id}">\n${textElements({
      link: page,
      name: job.title,
      region: location,
      description: html,
      company: job.company,
      company_logo: logo,
      salary,
      jobtype: term,
      email,
      pubdate: joobleDate(listedAt(job)),
      updated: joobleDate(job.updatedAt),
      expire: dateOrNone(job.expiresAt, joobleDate),
    })}</job>\n`,
  close: '</jobs>\n',
}

const dateOrNone = (ms: number | null, format: (ms: number) => string) =>
  ms === null ? undefined : format(ms)
