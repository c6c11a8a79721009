import { type SchemaOptions, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { isBlank } from '../base/text.ts'

/** The error of a required field that is missing or blank. */
export const REQUIRED = 'is required'

/** The rules of a field: how its input becomes a value, and when the value is invalid. */
interface FieldType {
  /** Converts the input. Forms send everything as text, so text is converted in JSON too. */
  parse(input: unknown): unknown
  /** Returns the error of an invalid value, as the end of a sentence that begins with the field's name. */
  error(value: unknown, schema: TSchema): string | undefined
  /** Whether the input leaves the field blank. By default every blank input does. */
  readonly isBlank?: (input: unknown) => boolean
}

const FIELD_TYPE = Symbol('field type')

/**
 * Defines a type of field. Schemas of such fields are the only source of validation, TypeScript types and documentation.
 * @returns a function that makes the schema of a field, given further options
 */
export const defineField =
  <T, O extends SchemaOptions = SchemaOptions>(type: SchemaOptions, field: FieldType) =>
  <P extends O>(options: P): Field<T, P> => {
    const schema = { ...Type.Unsafe<T>({ ...type, ...options }), [FIELD_TYPE]: field }
    return schema as typeof schema & Pick<P, keyof P & 'default'> // the spread loses the type of the options
  }

/** The schema of a field. Its type shows whether the field has a default. */
export type Field<T, P = unknown> = TUnsafe<T> & Pick<P, keyof P & 'default'>

/** Returns the schema of a field that can also be null: blank text or null means none. */
export function nullable<T>(schema: TUnsafe<T>): TUnsafe<T | null> {
  const field = fieldTypeOf(schema)
  const { type, enum: words } = schema
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(words) && { enum: [...words, null] }),
    [FIELD_TYPE]: {
      isBlank: () => false,
      parse: (input: unknown) => (isBlank(input) ? null : field.parse(input)),
      error: (value: unknown, options: TSchema) => (value === null ? undefined : field.error(value, options)),
    },
  }
}

/** Returns whether a schema is that of a field. */
export const isValidated = (schema: TSchema) => FIELD_TYPE in schema

/**
 * Returns the schema of a field in a response. It has no default, because the field is always present, and no pattern,
 * because that describes input.
 */
export function responseField<T>({
  type,
  enum: words,
  maxLength,
  minimum,
  maximum,
  description,
  examples,
}: TUnsafe<T>) {
  const options = { type, enum: words, maxLength, minimum, maximum, description, examples }
  return Type.Unsafe<T>(
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  )
}

function fieldTypeOf(schema: TSchema & { readonly [FIELD_TYPE]?: FieldType }): FieldType {
  const type = schema[FIELD_TYPE]
  if (!type) throw new Error('A schema that is checked must consist of fields.')
  return type
}

/** Returns whether the input leaves a field blank. */
export const isLeftBlank = (schema: TSchema, input: unknown) =>
  (fieldTypeOf(schema).isBlank ?? isBlank)(input)

/** Converts the input of a field, and checks the value. */
export function parseField(schema: TSchema, input: unknown): { value: unknown; error?: string } {
  const type = fieldTypeOf(schema)
  const value = type.parse(input)
  const error = type.error(value, schema)
  return error === undefined ? { value } : { value, error }
}

export const verbatim = (input: unknown) => input
export const trimmed = (input: unknown) => (typeof input === 'string' ? input.trim() : input)
