import type { TObject } from '@sinclair/typebox'
import { Problem } from '../../base/problem.ts'
import { parseField } from '../../validation/field.ts'
import { type Fields, validate, validatePatch, type Validation } from '../../validation/validation.ts'
import type { RouteRules } from '../routeDescription.ts'
import { bodyLimits, type BodySource } from './body.ts'
import { JSON_TYPE, readFields } from './fields.ts'

/**
 * Reads a request's body and validates it by the schema of its route. Unknown fields are ignored, so that a client can
 * send back what it read. But a body without any known field is an error: it would change nothing, unnoticed.
 * @throws Problem 'invalid' if no field is known, with the likely reason, and whatever `readFields` throws
 */
export async function readInput(
  source: BodySource,
  body: TObject,
  rules: RouteRules,
): Promise<Validation<unknown>> {
  const fields = await readFields(source, bodyLimits(rules), rules.isLarge ? [JSON_TYPE] : undefined)
  requireKnownField(fields, [...Object.keys(body.properties), ...(rules.file ? [rules.file.name] : [])])
  if (rules.isPatch) return validatePatch(body, fields)
  return validate(rules.draft && isDraft(rules.draft, fields) ? rules.draft : body, fields)
}

/** Whether the fields have `draft: true`. */
const isDraft = ({ properties: { draft } }: TObject, { values }: Fields) =>
  draft !== undefined && parseField(draft, values.get('draft')).value === true

function requireKnownField(fields: Fields, known: readonly string[]): void {
  const sent = [...fields.values.keys()]
  if (sent.length === 0 || sent.some(name => known.includes(name))) return
  throw new Problem('invalid', `${likelyMistake(fields, known)} The fields are: ${known.join(', ')}.`)
}

/** Explains why no field was known. The message doesn't quote the body, which may contain a password. */
function likelyMistake({ values, isForm }: Fields, known: readonly string[]): string {
  const names = [...values.keys()]
  if (isForm && names.some(name => /^\s*[{[]/.test(name)))
    return 'The body looks like JSON, but its content type says that it is a form: send it as application/json.'
  if (isForm && names.some(name => name.includes('[')))
    return 'No field was recognized: in a form, wrap names as job[name] or send them plain.'
  if (names.some(name => name.includes('[')))
    return 'No field was recognized: names in brackets are for forms. In JSON, send plain names.'
  const isWrapped = [...values.values()].some(value => isObject(value) && known.some(name => name in value))
  if (isWrapped)
    return 'No field was recognized: the fields are inside another object. Send them at the top level.'
  return 'No field was recognized.'
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null
