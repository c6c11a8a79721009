/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface Contract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Path>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export type Path = Partial<Readonly<Record<Method, Operation>>>

export const METHODS = ['get', 'post', 'put', 'delete'] as const
export type Method = (typeof METHODS)[number]

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters?: readonly Referable<Parameter>[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Referable<ResponseObject>>>
}

export interface Parameter extends Media {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, Referable<Header>>>
  readonly content?: Content
}

export interface Header {
  readonly description?: string
}

export type Content = Readonly<Record<string, Media>>

/** A value's schema and an example. */
export interface Media {
  readonly schema?: Schema
  readonly example?: unknown
}

interface Reference {
  readonly $ref: string
}
export type Referable<T> = T | Reference

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema | false>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly else?: Schema
}

const isEmptyText = ({ type, maxLength }: Schema) => type === 'string' && maxLength === 0

/** Splits the schema of a form field that may be empty text: returns the value's schema and whether it may be empty. */
export function splitOptionalText({ anyOf, ...rest }: Schema): { schema: Schema; canBeEmpty: boolean } {
  const [schema, empty, ...others] = anyOf ?? []
  return schema && empty && isEmptyText(empty) && others.length === 0
    ? { schema: { ...schema, ...rest }, canBeEmpty: true }
    : { schema: { ...rest, ...(anyOf && { anyOf }) }, canBeEmpty: false }
}

/** Returns the component's name in a reference: `#/components/schemas/Job` → `Job`. */
export const componentName = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** Returns the component that a reference points to, or the value itself if it isn't a reference. */
export function resolve<T extends object>(contract: Contract, value: Referable<T>): T {
  // A value without a text in `$ref` is not a reference.
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const [, , group = '', name = ''] = value.$ref.split('/')
  const component = contract.components[group]?.[name]
  if (component === undefined) throw new Error(`The API description has no component at ${value.$ref}.`)
  // All components of a group have the same type.
  return resolve(contract, component as Referable<T>)
}
