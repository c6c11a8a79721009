import { Kind, type SchemaOptions, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'

/** The fault of a field that is needed and not there, or blank. */
export const REQUIRED = 'is required'

/**
 * One kind of field: how what was sent becomes a value, and what may be wrong with it. Registered with TypeBox under its
 * name, so that a schema made of kinds checks, types and documents itself.
 */
interface FieldKind {
  /** @param form whether it was sent as text, in a form, where JSON has types */
  read(sent: unknown, form: boolean): unknown
  /** What is wrong with a value, as the end of a sentence that begins with the field's name. */
  fault(value: unknown, schema: TSchema): string | undefined
}

const KINDS = new Map<string, FieldKind>()

/** Defines a kind. The maker it gives takes what a schema of that kind says beside it. */
export function kind<T, O extends SchemaOptions = SchemaOptions>(
  name: string,
  type: SchemaOptions,
  field: FieldKind,
) {
  KINDS.set(name, field)
  TypeRegistry.Set<TSchema>(name, (schema, value) => field.fault(value, schema) === undefined)
  return (options: O): TUnsafe<T> => ({ ...Type.Unsafe<T>({ ...type, ...options }), [Kind]: name })
}

/** Reads a field and tells its fault, by the kind of its schema. */
export function readField(schema: TSchema, sent: unknown, form: boolean): { value: unknown; fault?: string } {
  const field = KINDS.get(schema[Kind])
  if (!field) throw new Error(`${schema[Kind]} is no kind of field`)
  const value = field.read(sent, form)
  const fault = field.fault(value, schema)
  return fault === undefined ? { value } : { value, fault }
}

export const asSent = (sent: unknown) => sent
export const trimmed = (sent: unknown) => (typeof sent === 'string' ? sent.trim() : sent)
export const isBlank = (value: unknown) => value === undefined || value === null || value === ''
