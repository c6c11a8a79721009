import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox'
import { isValidated } from '../../validation/field.ts'
import { isOptional } from '../../validation/validation.ts'

/** What JSON is made of: a schema, or any other part of the document. */
export interface Json {
  [key: string]: unknown
}

/** The schemas that have names, gathered while others refer to them. */
export class Schemas {
  readonly named: Record<string, Json> = {}

  /** A schema as the document has it: by reference, if it has a name. */
  of(schema: TSchema): Json {
    return schema.$id === undefined ? this.plain(schema) : this.refer(schema.$id, () => this.plain(schema))
  }

  /** Refers to a schema, which is made at the first time. */
  refer(name: string, make: () => Json): Json {
    this.named[name] ??= make()
    return { $ref: `#/components/schemas/${name}` }
  }

  private plain(schema: TSchema): Json {
    const told: Json = without(schema, '$id')
    if (schema['properties'])
      told['properties'] = mapValues(schema['properties'] as Record<string, TSchema>, field => this.of(field))
    if (schema['items']) told['items'] = this.of(schema['items'])
    if (schema['anyOf']) told['anyOf'] = schema['anyOf'].map((each: TSchema) => this.of(each))
    return withoutIdleBounds(told)
  }

  /** What is to be sent, of a body that is checked by this schema: what has a default, or is a patch's, need not be. */
  body(schema: TObject, patches: boolean): Json {
    const { required = [], ...told } = this.plain(schema)
    const properties = mapValues(schema.properties, (field, name) => {
      const described = this.of(patches ? without(field, 'default') : field)
      return isOptional(schema, name) ? orNull(described) : described
    })
    const needed = patches
      ? []
      : (required as string[]).filter(name => !('default' in (schema.properties[name] ?? {})))
    return { ...told, properties, ...(needed.length > 0 && { required: needed }) }
  }
}

const without = <S extends TSchema>(schema: S, key: string) =>
  // what is left of a schema is one
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key)) as S

/** A field that may be left out may be null as well, which says as little. */
function orNull(field: Json): Json {
  const types = [field['type']].flat()
  if (types.includes('null')) return field
  const { enum: words } = field
  return { ...field, type: [...types, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) }
}

/** A bound that no number passes is none. */
function withoutIdleBounds({ minimum, maximum, ...schema }: Json): Json {
  return {
    ...schema,
    ...(minimum !== undefined && minimum !== -Number.MAX_VALUE && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_VALUE && { maximum }),
  }
}

/** Whether values of a query are checked, so that one may be at fault; others are looked up. */
export const isChecked = (query: TObject) => Object.values(query.properties).some(isValidated)

/** An example of what a schema describes, put together from those of its fields; undefined if there is none. */
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
