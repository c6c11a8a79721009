import { timestamp } from '../../base/clock.ts'
import { parsePlace, type Place } from '../../base/place.ts'
import type { Board } from '../../board.ts'
import type { Links } from '../../http/response/links.ts'
import { listedAt } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { employmentTypeOf } from './employmentType.ts'
import type { IncompleteJob } from './schema.ts'

/** Structured data of a job (https://schema.org/JobPosting), following Google's requirements. */
export type JobPosting = Readonly<Record<string, unknown>>

const UNITS = { hourly: 'HOUR', daily: 'DAY', weekly: 'WEEK', monthly: 'MONTH', yearly: 'YEAR' }

/** Returns the active jobs without structured data, with the property that can't be read from their location. */
export const jobsWithoutStructuredData = ({ jobIndex, store, links }: Board): IncompleteJob[] =>
  jobIndex.active
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
 * Returns a job's structured data, or undefined if a required property is unknown.
 * @param description the description as HTML
 */
export function jobPosting(
  job: JobRow,
  description: string,
  term: string,
  links: Links,
): JobPosting | undefined {
  const place = parsePlace(job.location)
  if (!place) return undefined
  const employmentType = employmentTypeOf(term)
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description,
    url: links.to(`/jobs/${job.id}`),
    identifier: { '@type': 'PropertyValue', name: job.company, value: String(job.id) },
    datePosted: timestamp(listedAt(job)),
    ...(job.expiresAt !== null && { validThrough: timestamp(job.expiresAt) }),
    ...(employmentType && { employmentType }),
    hiringOrganization: organizationOf(job, links),
    ...locationOf(job, place),
    ...salaryOf(job),
  }
}

const organizationOf = ({ company, companyWebsite, logo }: JobRow, links: Links) => ({
  '@type': 'Organization',
  name: company,
  sameAs: companyWebsite,
  ...(logo !== '' && { logo: links.logo(logo) }),
})

/** Returns the location, or for a remote job the country where applicants must be. */
const locationOf = ({ arrangement }: JobRow, { country, region, locality }: Place) =>
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

function salaryOf({ salary: value, salaryCurrency: currency, salaryPeriod }: JobRow) {
  if (value === null || value === 0) return {}
  return {
    baseSalary: {
      '@type': 'MonetaryAmount',
      currency,
      value: { '@type': 'QuantitativeValue', value, unitText: UNITS[salaryPeriod] },
    },
  }
}
