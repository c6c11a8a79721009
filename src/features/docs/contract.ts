/** What the page reads of an OpenAPI 3.1 document, and of the JSON Schema in it. */
export interface Contract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Path>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export type Path = Partial<Readonly<Record<Verb, Operation>>>

export const VERBS = ['get', 'post', 'put', 'delete'] as const
export type Verb = (typeof VERBS)[number]

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters?: readonly Referable<Parameter>[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Referable<Response>>>
}

export interface Parameter extends Media {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Referable<Header>>>
  readonly content?: Content
}

export interface Header {
  readonly description?: string
}

export type Content = Readonly<Record<string, Media>>

/** A value, and one as it may be. */
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

/** What a field is when it isn't left empty, where it may be: forms have it as one of two choices. */
export function unlessEmpty({ anyOf, ...said }: Schema): { schema: Schema; mayBeEmpty: boolean } {
  const [schema, empty, ...others] = anyOf ?? []
  return schema && empty && isEmptyText(empty) && others.length === 0
    ? { schema: { ...schema, ...said }, mayBeEmpty: true }
    : { schema: { ...said, ...(anyOf && { anyOf }) }, mayBeEmpty: false }
}

/** The name of the component that a reference names, `#/components/schemas/Job` → `Job`. */
export const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** Gives what stands at a reference within the document, or what is no reference as it is. */
export function follow<T extends object>(contract: Contract, value: Referable<T>): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T // no reference
  const [, , group = '', name = ''] = value.$ref.split('/')
  const found = contract.components[group]?.[name]
  if (found === undefined) throw new Error(`the description has nothing at ${value.$ref}`)
  return follow(contract, found as Referable<T>) // a group of components holds things of one sort
}
