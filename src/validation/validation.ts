import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { type FieldErrors, invalid } from '../base/problem.ts'
import { isLeftBlank, parseField, REQUIRED } from './field.ts'

/** The fields that were sent, by name. */
export interface Fields {
  readonly values: ReadonlyMap<string, unknown>
  /** Whether they came as a form and not as JSON. */
  readonly isForm: boolean
}

/** The result of checking fields: the valid values so far, and the errors of the others. */
export class Validation<T> {
  readonly errors: FieldErrors = {}

  /** @param fields the fields that were validated */
  constructor(
    readonly values: Partial<T>,
    readonly fields: Fields,
  ) {}

  /** Adds the error of a field, unless it has one: a field shows the first error that was found. */
  addError(field: string, error: string): void {
    this.errors[field] ??= [error]
  }

  /** Adds the errors that another check found. */
  addErrors(errors: FieldErrors): void {
    for (const [field, [error]] of Object.entries(errors))
      if (error !== undefined) this.addError(field, error)
  }

  get hasErrors(): boolean {
    return Object.keys(this.errors).length > 0
  }

  /** Returns whether a field was sent, valid or not. */
  has(field: keyof T & string): boolean {
    return field in this.errors || this.values[field] !== undefined
  }

  /** Returns the value of a field; undefined if it is invalid or was not sent. */
  value<K extends keyof T & string>(field: K): T[K] | undefined {
    return this.errors[field] ? undefined : this.values[field]
  }

  /**
   * Returns all values.
   * @throws Problem 'invalid' that names every invalid field
   */
  valueOrThrow(): T {
    if (this.hasErrors) throw invalid(this.errors)
    // Without errors, every required field has a value.
    return this.values as T
  }
}

const NONE: ReadonlyMap<string, unknown> = new Map()

/**
 * Checks the fields that were sent against a schema. Fields that the schema doesn't have are ignored; a field that was not
 * sent gets its default. The schema describes the result, so it also requires fields that have a default.
 * @param before the current values of a record, which replace fields that were not sent, instead of defaults
 */
export function validate<S extends TObject>(
  schema: S,
  fields: Fields,
  before: ReadonlyMap<string, unknown> = NONE,
): Validation<Static<S>> {
  return validateEach<Static<S>>(schema, fields, (name, field, validation) => {
    if (before.has(name)) addField(validation, name, parseField(field, before.get(name)))
    else if ('default' in field) validation.values[name] = field['default']
    else if (schema.required?.includes(name)) validation.addError(name, REQUIRED)
  })
}

/** Checks only the fields that were sent. */
export const validatePatch = <S extends TObject>(schema: S, fields: Fields): Validation<Partial<Static<S>>> =>
  validateEach<Partial<Static<S>>>(schema, fields, () => {})

/** Returns whether a field has a default or may be left out. If it is sent blank, it counts as not sent. */
export const isOptional = (schema: TObject, name: string) =>
  'default' in (schema.properties[name] ?? {}) || schema.required?.includes(name) !== true

type Values = Record<string, unknown>

function validateEach<T>(
  schema: TObject,
  fields: Fields,
  onUnsent: (name: string, field: TSchema, validation: Validation<Values>) => void,
): Validation<T> {
  const validation = new Validation<Values>({}, fields)
  for (const [name, field] of Object.entries(schema.properties)) {
    const input = fields.values.get(name)
    const isUnsent = input === undefined || (isOptional(schema, name) && isLeftBlank(field, input))
    if (isUnsent) onUnsent(name, field, validation)
    else addField(validation, name, parseField(field, input))
  }
  // T is the type of the schema that the values were checked against
  return validation as Validation<unknown> as Validation<T>
}

function addField(
  validation: Validation<Values>,
  name: string,
  { value, error }: ReturnType<typeof parseField>,
) {
  if (error === undefined) validation.values[name] = value
  else validation.addError(name, error)
}
