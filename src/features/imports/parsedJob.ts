import type { Static } from '@sinclair/typebox'
import { isBlank } from '../../base/text.ts'
import type { TableReaders } from '../../store/tables.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import type { ImportedDraft } from '../jobs/importSchema.ts'
import { validateImportedJob, validateReferences } from '../jobs/rules.ts'
import { PlanFields } from '../plans/schema.ts'
import { type ExportedJob, parseExportedJob } from './records.ts'

export type NewPlan = Static<typeof PlanFields>

/** The price and period of a plan that is known only by its name: jobs on it are free and never expire. */
const PLAN_DEFAULTS = new Map([
  ['price', 0],
  ['period', 0],
])

/** A checked job to import. */
export interface ParsedJob {
  readonly validation: Validation<ImportedDraft>
  /** The plan to create if it doesn't exist. */
  readonly plan: Validation<NewPlan>
  /** The extra fields of a job from an export. */
  readonly exported: Validation<ExportedJob> | undefined
}

/**
 * Checks a row by the rules of the board. Category, term and plan can also be a name, or an object with a name.
 * All errors are in `validation`.
 * @param defaultPlan the plan of rows without a plan
 * @param now in milliseconds since 1970, whole seconds
 */
export function parseJob(fields: Fields, tables: TableReaders, defaultPlan: string, now: number): ParsedJob {
  const values = new Map(fields.values)
  for (const name of ['category', 'term', 'plan']) values.set(name, nameFrom(values.get(name)))
  const exported = parseExportedJob(fields, tables)
  const isDraft = exported?.values.submitted_at === null
  if (!isDraft && isBlank(values.get('plan')) && isBlank(values.get('plan_id')))
    values.set('plan', defaultPlan)
  const validation = validateImportedJob({ values, isForm: fields.isForm }, isDraft, now)
  // An import may use an archived plan.
  validateReferences(tables, validation, undefined)
  const planId = validation.value('plan_id')
  if (planId !== undefined && !tables.plans.has(planId))
    validation.addError('plan_id', "doesn't match any plan")
  const plan = parsePlan(values.get('plan'), fields.values.get('plan'))
  const name = validation.value('plan')
  if (name !== undefined) {
    for (const [field, [error]] of Object.entries(plan.errors))
      validation.addError('plan', `${field} ${error}`)
  }
  if (exported) validation.addErrors(exported.errors)
  return { validation, plan, exported }
}

/** Returns the name in `{id, name}`, which another board's jobs have. Its id means nothing here. */
function nameFrom(value: unknown): unknown {
  if (!isObject(value)) return value
  return 'name' in value ? value.name : undefined
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

function parsePlan(name: unknown, value: unknown): Validation<NewPlan> {
  const details = isObject(value) ? value : {}
  const values = new Map<string, unknown>(Object.entries({ ...details, name }))
  return validate(PlanFields, { values, isForm: false }, PLAN_DEFAULTS)
}
