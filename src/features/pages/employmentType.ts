/** The employment types of schema.org by the names that boards give to their terms. */
const EMPLOYMENT_TYPES = {
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
} as const
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[keyof typeof EMPLOYMENT_TYPES]

const BY_NAME: ReadonlyMap<string, EmploymentType> = new Map(Object.entries(EMPLOYMENT_TYPES))

/** Returns the employment type (https://schema.org/employmentType) that a term means, if it is a usual one. */
export const employmentTypeOf = (term: string): EmploymentType | undefined =>
  BY_NAME.get(term.toLowerCase().replace(/^(full|part) ?(?=time$)/, '$1-'))
