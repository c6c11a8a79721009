import formats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020'

/** The parts of a JSON Schema that requests are generated from. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly else?: Schema
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

/** The schema of a content type, and its place in the description. */
export interface Content {
  readonly media: string
  readonly schema: Schema
  readonly pointer: string
}

export interface DocumentedResponse {
  readonly contents: readonly Content[]
  readonly headers: readonly { readonly name: string; readonly pointer: string }[]
}

/** An operation of the API description. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly template: string
  readonly parameters: readonly Parameter[]
  readonly bodies: readonly Content[]
  readonly responses: ReadonlyMap<number, DocumentedResponse>
  /** Whether it requires an account. */
  readonly isGuarded: boolean
}

type Json = Record<string, unknown>
const METHODS = ['get', 'put', 'post', 'delete']

/** An OpenAPI document that requests and responses are checked against. */
export class Contract {
  readonly operations: readonly Operation[]
  private readonly ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
  private readonly compiled = new Map<string, ValidateFunction>()
  private readonly alone = new Map<Schema, ValidateFunction>()
  private readonly patterns: readonly { readonly pattern: RegExp; readonly template: string }[]

  constructor(private readonly document: Json) {
    formats.default(this.ajv)
    for (const [name, pattern] of FORMATS) this.ajv.addFormat(name, pattern)
    this.ajv.addSchema({ ...document, $id: ROOT })
    const paths = Object.entries(objectIn(document['paths']))
    this.operations = paths.flatMap(([template, item]) => this.operationsOf(template, objectIn(item)))
    this.patterns = paths.map(([template]) => ({ template, pattern: patternOf(template) }))
  }

  /** Returns the path templates that a path matches. */
  templatesOf(path: string): string[] {
    const known = this.patterns.filter(({ pattern }) => pattern.test(path)).map(({ template }) => template)
    const exact = known.filter(template => template === path)
    return exact.length > 0 ? exact : known
  }

  /** The pointer to the schema of errors. */
  get refusal(): string {
    const refusals = this.operations.flatMap(({ responses }) => responses.get(401)?.contents ?? [])
    return refusals.find(({ media }) => media === 'application/json')?.pointer ?? ''
  }

  /** Returns the operations of a path by method. */
  at(path: string): Operation[] {
    const templates = this.templatesOf(path)
    return this.operations.filter(({ template }) => templates.includes(template))
  }

  /** Returns a value's errors by the schema at a pointer. */
  errorsOf(pointer: string, value: unknown): readonly ErrorObject[] {
    const known = this.compiled.get(pointer)
    const validate = known ?? this.ajv.compile({ $ref: `${ROOT}#${pointer}` })
    this.compiled.set(pointer, validate)
    return validate(value) ? [] : (validate.errors ?? [])
  }

  /** Returns whether a value is valid by a schema outside the document. */
  takes(schema: Schema, value: unknown): boolean {
    const known = this.alone.get(schema) ?? this.ajv.compile(schema)
    this.alone.set(schema, known)
    return known(value)
  }

  /** Resolves a schema's reference. */
  follow(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.follow(this.resolve(schema.$ref))
  }

  private resolve(ref: string): Json {
    let found: unknown = this.document
    for (const step of ref.slice(2).split('/'))
      found = objectIn(found)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]
    return objectIn(found)
  }

  /** Resolves an object's reference, and returns it with its pointer. */
  private objectAt(value: unknown, pointer: string): { object: Json; pointer: string } {
    const object = objectIn(value)
    const { $ref: ref } = object
    return typeof ref === 'string' ? this.objectAt(this.resolve(ref), ref.slice(1)) : { object, pointer }
  }

  private operationsOf(template: string, item: Json): Operation[] {
    return METHODS.filter(method => method in item).map(method => {
      const pointer = `/paths/${escaped(template)}/${method}`
      const described = objectIn(item[method])
      const shared = [...listIn(item['parameters']), ...listIn(described['parameters'])]
      const body = this.objectAt(described['requestBody'] ?? {}, `${pointer}/requestBody`)
      const security = listIn(described['security'] ?? this.document['security'])
      return {
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        template,
        // required by OpenAPI
        parameters: shared.map(one => this.objectAt(one, '').object as unknown as Parameter),
        bodies: this.contentsOf(body.object, body.pointer).filter(({ schema }) => schema.format !== 'binary'),
        responses: this.responsesOf(objectIn(described['responses']), `${pointer}/responses`),
        isGuarded: security.length > 0 && security.every(one => Object.keys(objectIn(one)).length > 0),
      }
    })
  }

  private contentsOf(object: Json, pointer: string): Content[] {
    return Object.entries(objectIn(object['content'])).map(([media, content]) => ({
      media: media.split(';', 1).join('').trim(),
      schema: objectIn(objectIn(content)['schema']),
      pointer: `${pointer}/content/${escaped(media)}/schema`,
    }))
  }

  private responsesOf(responses: Json, pointer: string): Map<number, DocumentedResponse> {
    return new Map(
      Object.entries(responses).map(([status, response]) => {
        const { object, pointer: place } = this.objectAt(response, `${pointer}/${status}`)
        const headers = Object.entries(objectIn(object['headers'])).map(([name, header]) => {
          const found = this.objectAt(header, `${place}/headers/${escaped(name)}`)
          return { name: name.toLowerCase(), pointer: `${found.pointer}/schema` }
        })
        return [Number(status), { contents: this.contentsOf(object, place), headers }]
      }),
    )
  }
}

/** Accepts `admin@localhost` too; international addresses and URLs have their own formats. */
const FORMATS = [
  ['email', /^[\x21-\x3f\x41-\x7e]+@[\w.-]+$/],
  ['idn-email', /^[^\s@]+@[^\s@]+$/],
  ['iri', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
] as const

const ROOT = 'https://document.example/openapi.json'

const escaped = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {} // JSON objects have string keys
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const ID = String.raw`[1-9]\d{0,14}`

/** Returns a pattern of the paths that a template matches. */
const patternOf = (template: string) =>
  new RegExp(
    `^${template
      .replaceAll('.', String.raw`\.`)
      .replaceAll('{id}', ID)
      .replaceAll('{token}', String.raw`[\w-]+`)
      .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  )
