import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox'
import { isValidated } from '../../validation/field.ts'
import { isOptional } from '../../validation/validation.ts'

/** A JSON object: a schema, or another part of the document. */
export interface Json {
  [key: string]: unknown
}

/** Converts schemas for the document. Those with a name become components. */
export class Schemas {
  /** The components. */
  readonly named: Record<string, Json> = {}

  /** Converts a schema. One with a name is returned as a reference. */
  of(schema: TSchema): Json {
    return schema.$id === undefined
      ? this.plain(schema)
      : this.reference(schema.$id, () => this.plain(schema))
  }

  /** Returns a reference to a component, which is created by the first reference. */
  reference(name: string, make: () => Json): Json {
    this.named[name] ??= make()
    return { $ref: `#/components/schemas/${name}` }
  }

  private plain(schema: TSchema): Json {
    const converted: Json = without(schema, '$id')
    if (schema['properties'])
      converted['properties'] = mapValues(schema['properties'] as Record<string, TSchema>, field =>
        this.of(field),
      )
    if (schema['items']) converted['items'] = this.of(schema['items'])
    if (schema['anyOf']) converted['anyOf'] = schema['anyOf'].map((each: TSchema) => this.of(each))
    return withoutInfiniteBounds(converted)
  }

  /** Converts the schema of a request body. Fields with a default are not required, and in a patch none is. */
  body(schema: TObject, isPatch: boolean): Json {
    const { required: _, ...converted } = this.plain(schema)
    const properties = mapValues(schema.properties, (field, name) => {
      const property = this.of(isPatch ? without(field, 'default') : field)
      return isOptional(schema, name) ? orNull(property) : property
    })
    const needed = isPatch ? [] : requiredOf(schema)
    return { ...converted, properties, ...(needed.length > 0 && { required: needed }) }
  }

  /** Converts the schemas of a request body that requires less with `draft: true`. */
  bodyOrDraft(schema: TObject, draft: TObject): Json {
    const body = Object.entries(this.body(schema, false))
    const isCondition = ([key]: readonly [string, unknown]) => ['if', 'then', 'else', 'anyOf'].includes(key)
    const always = requiredOf(draft)
    return {
      ...Object.fromEntries(body.filter(entry => !isCondition(entry))),
      required: always,
      if: { properties: { draft: { const: true } }, required: ['draft'] },
      else: {
        ...Object.fromEntries(body.filter(isCondition)),
        required: requiredOf(schema).filter(name => !always.includes(name)),
      },
    }
  }
}

/** Returns the fields that every body needs: those without a default or an alternative. */
const requiredOf = ({ required = [], properties, anyOf = [] }: TObject) => {
  const alternatives = anyOf.flatMap((each: { required?: string[] }) => each.required ?? [])
  return required.filter(name => !('default' in (properties[name] ?? {})) && !alternatives.includes(name))
}

const without = <S extends TSchema>(schema: S, key: string) =>
  // The type of a schema is lost when its entries are filtered.
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key)) as S

/** Lets a field be null. For optional fields, null means the same as leaving the field out. */
function orNull(field: Json): Json {
  const types = [field['type']].flat()
  if (types.includes('null')) return field
  const { enum: values } = field
  return { ...field, type: [...types, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}

/** Removes bounds that every number is within. */
function withoutInfiniteBounds({ minimum, maximum, ...schema }: Json): Json {
  return {
    ...schema,
    ...(minimum !== undefined && minimum !== -Number.MAX_VALUE && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_VALUE && { maximum }),
  }
}

/** Whether a query's values are validated, so that they can be invalid. A token, for example, is only looked up. */
export const isChecked = (query: TObject) => Object.values(query.properties).some(isValidated)

/** Returns an example for a schema, built from the examples of its fields; undefined if there are none. */
export function exampleOf(schema: TSchema): unknown {
  if (schema['examples']) return schema['examples'][0]
  if (KindGuard.IsObject(schema)) return exampleFields(schema.properties)
  if (KindGuard.IsArray(schema)) return [exampleOf(schema.items)]
  return KindGuard.IsUnion(schema) && schema.anyOf[0] ? exampleOf(schema.anyOf[0]) : undefined
}

const exampleFields = (fields: Record<string, TSchema>) =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, exampleOf(field)])
      .filter(([, example]) => example !== undefined),
  )

export const mapValues = <V, R>(record: Readonly<Record<string, V>>, change: (value: V, key: string) => R) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
