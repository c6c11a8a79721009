import { FIELDS, type SearchField } from './searchableJob.ts'

/** The weights of fields: a match in the title counts more than one in the company, and that more than others. */
const WEIGHT_OF_FIELD: Readonly<Record<SearchField, number>> = { title: 8, company: 6, location: 2, rest: 1 }
const FIELD_WEIGHTS = FIELDS.map(field => WEIGHT_OF_FIELD[field])
/** The maximum bonus of a match in a short text, too small for a company to outweigh a title. */
const MAX_SHORTNESS_BONUS = 1 / 3
/** The number of terms in a text at which a match gets half of the bonus. */
const HALF_BONUS_LENGTH = 8

/** Returns the weight of a match in a field of a job. The fewer terms the field has, the higher it is. */
export function fieldWeight(field: number, lengths: Uint16Array, job: number): number {
  const terms = lengths[job * FIELDS.length + field] ?? 0
  return (
    (FIELD_WEIGHTS[field] ?? 0) *
    (1 + (MAX_SHORTNESS_BONUS * HALF_BONUS_LENGTH) / (HALF_BONUS_LENGTH + terms))
  )
}
