import { describe, expect, test } from 'bun:test'
import { newDraft } from '../../src/features/jobs/publication.ts'
import { jobPosting } from '../../src/features/pages/jobPosting.ts'
import { Links } from '../../src/http/response/links.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { START } from '../helpers/board.ts'

const DESCRIPTION = '<p>We <strong>care</strong>.</p>'
const LINKS = new Links('https://board.example.com', () => '')
const JOB: JobRow = {
  id: 7,
  title: 'Nurse',
  description: 'We **care**.',
  location: 'Lisbon, Portugal',
  arrangement: 'onsite',
  salary: 4200,
  salaryCurrency: 'EUR',
  salaryPeriod: 'monthly',
  company: 'Harbour Hospice',
  companyWebsite: 'https://harbour.example.org',
  applicationType: 'url',
  applicationUrl: 'https://harbour.example.org/apply',
  applicationEmail: '',
  categoryId: 1,
  termId: 1,
  planId: 1,
  userId: null,
  logo: 'a.webp',
  ...newDraft(START),
  submittedAt: START,
  publishedAt: START,
  expiresAt: START,
}

const postingOf = (fields: Partial<JobRow>, term = 'Full-time') =>
  jobPosting({ ...JOB, ...fields }, DESCRIPTION, term, LINKS)

describe('the structured data of a job', () => {
  test('has every property that Google requires, and those it recommends', () => {
    expect(postingOf({})).toEqual({
      '@context': 'https://schema.org',
      '@type': 'JobPosting',
      title: 'Nurse',
      description: DESCRIPTION,
      url: 'https://board.example.com/jobs/7',
      identifier: { '@type': 'PropertyValue', name: 'Harbour Hospice', value: '7' },
      datePosted: '2026-01-10T18:21:59+00:00',
      validThrough: '2026-01-10T18:21:59+00:00',
      employmentType: 'FULL_TIME',
      hiringOrganization: {
        '@type': 'Organization',
        name: 'Harbour Hospice',
        sameAs: 'https://harbour.example.org',
        logo: 'https://board.example.com/logos/a.webp',
      },
      jobLocation: {
        '@type': 'Place',
        address: { '@type': 'PostalAddress', addressLocality: 'Lisbon', addressCountry: 'PT' },
      },
      baseSalary: {
        '@type': 'MonetaryAmount',
        currency: 'EUR',
        value: { '@type': 'QuantitativeValue', value: 4200, unitText: 'MONTH' },
      },
    })
  })

  test("of a remote job has the applicant's country, and no place", () => {
    const posting = postingOf({ arrangement: 'remote' })
    expect(posting).toMatchObject({
      jobLocationType: 'TELECOMMUTE',
      applicantLocationRequirements: { '@type': 'Country', name: 'PT' },
    })
    expect(posting).not.toHaveProperty('jobLocation')
  })

  test('of a hybrid job has its place', () => {
    const posting = postingOf({ arrangement: 'hybrid' })
    expect(posting).toHaveProperty('jobLocation')
    expect(posting).not.toHaveProperty('jobLocationType')
  })

  test.each(['onsite', 'hybrid', 'remote'] as const)(
    'is nothing where an %s job names no country',
    arrangement => expect(postingOf({ arrangement, location: 'Anywhere' })).toBeUndefined(),
  )

  test('leaves out what the job does not have', () => {
    const posting = postingOf({ salary: null, logo: '', expiresAt: null }, 'Seasonal')
    for (const name of ['baseSalary', 'validThrough', 'employmentType'])
      expect(posting).not.toHaveProperty(name)
    expect(posting).not.toHaveProperty('hiringOrganization.logo')
    expect(postingOf({ salary: 0 })).not.toHaveProperty('baseSalary')
  })

  test.each([
    ['full time', 'FULL_TIME'],
    ['Part-Time', 'PART_TIME'],
    ['Contract', 'CONTRACTOR'],
    ['Temporary', 'TEMPORARY'],
    ['Internship', 'INTERN'],
    ['Volunteer', 'VOLUNTEER'],
  ])('calls %s %s', (term, type) => expect(postingOf({}, term)?.['employmentType']).toBe(type))
})
