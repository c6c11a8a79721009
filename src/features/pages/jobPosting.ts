import { timestamp } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import type { Links } from '../../http/response/links.ts'
import type { JobRow } from '../../store/rows.ts'
import { parsePlace, type Place } from './place.ts'
import type { IncompleteJob } from './schema.ts'

/** What schema.org says of a job (https://schema.org/JobPosting), after Google's rules for it. */
export type JobPosting = Readonly<Record<string, unknown>>

const EMPLOYMENT_TYPES: Readonly<Record<string, string>> = {
  'full-time': 'FULL_TIME',
  'part-time': 'PART_TIME',
  contract: 'CONTRACTOR',
  contractor: 'CONTRACTOR',
  freelance: 'CONTRACTOR',
  temporary: 'TEMPORARY',
  intern: 'INTERN',
  internship: 'INTERN',
  volunteer: 'VOLUNTEER',
  'per diem': 'PER_DIEM',
}

const UNITS = { hourly: 'HOUR', daily: 'DAY', weekly: 'WEEK', monthly: 'MONTH', yearly: 'YEAR' }

/** The active jobs that search engines are not told of, with the property that their location does not give. */
export const jobsWithoutStructuredData = ({ listing, store, links }: Board): IncompleteJob[] =>
  listing.active
    .flatMap(({ id }) => store.read.jobs.get(id) ?? [])
    .filter(({ location }) => !parsePlace(location))
    .map(({ id, title, location, arrangement }) => ({
      id,
      title,
      location,
      missing: [
        arrangement === 'remote' ? 'applicantLocationRequirements' : 'jobLocation.address.addressCountry',
      ],
      url: links.job(id),
    }))

/**
 * A job for search engines; undefined, which is better than wrong, where a required property is missing.
 * @param description as HTML
 */
export function jobPosting(
  job: JobRow,
  description: string,
  term: string,
  links: Links,
): JobPosting | undefined {
  const place = parsePlace(job.location)
  if (!place) return undefined
  const employmentType = EMPLOYMENT_TYPES[term.toLowerCase().replace(/^(full|part) /, '$1-')]
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description,
    url: links.to(`/jobs/${job.id}`),
    identifier: { '@type': 'PropertyValue', name: job.company, value: String(job.id) },
    datePosted: timestamp(job.createdAt),
    ...(job.expiresAt !== null && { validThrough: timestamp(job.expiresAt) }),
    ...(employmentType && { employmentType }),
    hiringOrganization: organization(job, links),
    ...whereabouts(job, place),
    ...salary(job),
  }
}

const organization = ({ company, companyWebsite, logo }: JobRow, links: Links) => ({
  '@type': 'Organization',
  name: company,
  sameAs: companyWebsite,
  ...(logo !== '' && { logo: links.logo(logo) }),
})

/** A job that is wholly remote has no place, but a country that who applies must be in. */
const whereabouts = ({ arrangement }: JobRow, { country, region, locality }: Place) =>
  arrangement === 'remote'
    ? {
        jobLocationType: 'TELECOMMUTE',
        applicantLocationRequirements: { '@type': 'Country', name: country },
      }
    : {
        jobLocation: {
          '@type': 'Place',
          address: {
            '@type': 'PostalAddress',
            ...(locality !== undefined && { addressLocality: locality }),
            ...(region !== undefined && { addressRegion: region }),
            addressCountry: country,
          },
        },
      }

function salary({ salary: value, salaryCurrency: currency, salaryPeriod }: JobRow) {
  if (value === null || value === 0) return {}
  return {
    baseSalary: {
      '@type': 'MonetaryAmount',
      currency,
      value: { '@type': 'QuantitativeValue', value, unitText: UNITS[salaryPeriod] },
    },
  }
}
