import { Kind, type SchemaOptions, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import { isBlank } from '../base/text.ts'

/** The fault of a field that is needed and not there, or blank. */
export const REQUIRED = 'is required'

/**
 * One kind of field: how what was sent becomes a value, and what may be wrong with it. Registered with TypeBox under its
 * name, so that a schema made of kinds checks, types and documents itself.
 */
interface FieldType {
  /** Forms send everything as text, so text is read as what it stands for, in JSON too. */
  parse(input: unknown): unknown
  /** What is wrong with a value, as the end of a sentence that begins with the field's name. */
  error(value: unknown, schema: TSchema): string | undefined
  /** Whether what was sent leaves the field blank; every blank does, unless a kind has values that are blank. */
  readonly isBlank?: (input: unknown) => boolean
}

const KINDS = new Map<string, FieldType>()

/** Defines a kind. The maker it gives takes what a schema of that kind says beside it. */
export function defineField<T, O extends SchemaOptions = SchemaOptions>(
  name: string,
  type: SchemaOptions,
  field: FieldType,
) {
  KINDS.set(name, field)
  TypeRegistry.Set<TSchema>(name, (schema, value) => field.error(value, schema) === undefined)
  return <P extends O>(options: P): Field<T, P> => {
    const schema = { ...Type.Unsafe<T>({ ...type, ...options }), [Kind]: name }
    return schema as typeof schema & Pick<P, keyof P & 'default'> // the options are in it, which spreading forgets
  }
}

/** A schema of one field, whose type tells whether there is a default. */
export type Field<T, P = unknown> = TUnsafe<T> & Pick<P, keyof P & 'default'>

/** Whether this is a field that is checked, of whichever kind. */
export const isValidated = (schema: TSchema) => KINDS.has(schema[Kind])

/**
 * A field as it is shown. It is there always, so that no default is told, and it may be written in more ways than are
 * right to send.
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
  const told = { type, enum: words, maxLength, minimum, maximum, description, examples }
  return Type.Unsafe<T>(Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)))
}

function kindOf(schema: TSchema): FieldType {
  const field = KINDS.get(schema[Kind])
  if (!field) throw new Error(`${schema[Kind]} is no kind of field`)
  return field
}

/** Whether what was sent leaves a field blank, by the kind of its schema. */
export const isLeftBlank = (schema: TSchema, input: unknown) => (kindOf(schema).isBlank ?? isBlank)(input)

/** Reads a field and tells its fault, by the kind of its schema. */
export function parseField(schema: TSchema, input: unknown): { value: unknown; fault?: string } {
  const field = kindOf(schema)
  const value = field.parse(input)
  const fault = field.error(value, schema)
  return fault === undefined ? { value } : { value, fault }
}

export const verbatim = (input: unknown) => input
export const trimmed = (input: unknown) => (typeof input === 'string' ? input.trim() : input)
