/** What people write instead of the name of a company that doesn't want to be named. */
const PLACEHOLDERS = new Set([
  'confidential',
  'company confidential',
  'confidential company',
  'anonymous',
  'undisclosed',
  'not disclosed',
  'not stated',
  'private',
  'unknown',
  'n/a',
])

/** Whether the name of a company says only that it isn't named, so that two such jobs have nothing in common. */
export const isUnnamed = (company: string) => PLACEHOLDERS.has(company.trim().toLowerCase())
