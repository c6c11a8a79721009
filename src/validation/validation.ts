import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { type FieldErrors, invalid } from '../base/problem.ts'
import { isLeftBlank, parseField, REQUIRED } from './field.ts'

/** What was sent, a value for each name. */
export interface Fields {
  readonly values: ReadonlyMap<string, unknown>
  /** Whether it came as a form and not as JSON. */
  readonly form: boolean
}

/** Something that is being checked: the values that are right so far, and the faults of the others. */
export class Validation<T> {
  readonly errors: FieldErrors = {}

  constructor(readonly values: Partial<T>) {}

  /** Notes what is wrong with a field. A field has one fault at a time, the first that was found. */
  addError(field: string, fault: string): void {
    this.errors[field] ??= [fault]
  }

  /** Notes what another check found. */
  addErrors(faults: FieldErrors): void {
    for (const [field, [fault]] of Object.entries(faults))
      if (fault !== undefined) this.addError(field, fault)
  }

  get hasErrors(): boolean {
    return Object.keys(this.errors).length > 0
  }

  /** Whether a field was given, rightly or wrongly. */
  has(field: keyof T & string): boolean {
    return field in this.errors || this.values[field] !== undefined
  }

  /** The value of a field, unless it is at fault or was not sent. */
  value<K extends keyof T & string>(field: K): T[K] | undefined {
    return this.errors[field] ? undefined : this.values[field]
  }

  /**
   * The values, of which none is missing.
   * @throws Problem 'invalid' that names every field at fault
   */
  valueOrThrow(): T {
    if (this.hasErrors) throw invalid(this.errors)
    // no fault means that every required field was read
    return this.values as T
  }
}

/**
 * Checks what was sent by a schema of kinds. What the schema does not know is ignored; what was not sent takes the
 * schema's default: the schema is that of the value, so that it requires also what need not be sent.
 * @param before the values that stay where nothing is sent, ahead of any default
 */
export function validate<S extends TObject>(
  schema: S,
  fields: Fields,
  before: ReadonlyMap<string, unknown> = NOTHING,
): Validation<Static<S>> {
  return readAll<Static<S>>(schema, fields, (name, field, draft) => {
    if (before.has(name)) readInto(draft, name, parseField(field, before.get(name)))
    else if ('default' in field) draft.values[name] = field['default']
    else if (schema.required?.includes(name)) draft.addError(name, REQUIRED)
  })
}

/** Checks those fields that were sent, and those alone. */
export const validatePatch = <S extends TObject>(schema: S, fields: Fields): Validation<Partial<Static<S>>> =>
  readAll<Partial<Static<S>>>(schema, fields, () => {})

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** Whether a field has a default or may be left out: then it may be sent blank, which is as good as not at all. */
export const isOptional = (schema: TObject, name: string) =>
  'default' in (schema.properties[name] ?? {}) || schema.required?.includes(name) !== true

type Values = Record<string, unknown>

function readAll<T>(
  schema: TObject,
  fields: Fields,
  unsent: (name: string, field: TSchema, draft: Validation<Values>) => void,
): Validation<T> {
  const draft = new Validation<Values>({})
  for (const [name, field] of Object.entries(schema.properties)) {
    const said = fields.values.get(name)
    const isUnsent = said === undefined || (isOptional(schema, name) && isLeftBlank(field, said))
    if (isUnsent) unsent(name, field, draft)
    else readInto(draft, name, parseField(field, said))
  }
  // the schema that was walked is the one that T was made from
  return draft as Validation<unknown> as Validation<T>
}

function readInto(draft: Validation<Values>, name: string, { value, fault }: ReturnType<typeof parseField>) {
  if (fault === undefined) draft.values[name] = value
  else draft.addError(name, fault)
}
