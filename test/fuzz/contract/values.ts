import * as fc from 'fast-check'
import { DAY } from '../../../src/base/clock.ts'
import { START } from '../../helpers/board.ts'
import type { Content, Contract, Schema } from './document.ts'
import { Attachment, type Entry, goodLogo, oddValue, Pick } from './entries.ts'
import { line, SECRET } from './texts.ts'

const PARENTS = new Map([
  ['category_id', 'categories'],
  ['term_id', 'terms'],
  ['plan_id', 'plans'],
] as const)

/** Returns the field name in a form's name: `job[title]` → `title`. */
export const bareName = (name: string) => /^job\[([^[\]]+)\]$/.exec(name)?.[1] ?? name

/** Generates values from schemas. */
export class Values {
  constructor(private readonly contract: Contract) {}

  /** Generates the fields of a body. */
  entries({ schema, pointer }: Content): fc.Arbitrary<readonly Entry[]> {
    const { properties, required } = this.flat(schema)
    const usual = this.contract.follow(schema).else?.required ?? []
    const fields = Object.entries(properties).map(([name, field]) => {
      const value = this.value(field, bareName(name)).map((made): Entry[] => [[name, made]])
      if (required.includes(name)) return value
      // Most jobs are no drafts.
      if (usual.includes(name)) return fc.oneof({ weight: 19, arbitrary: value }, fc.constant<Entry[]>([]))
      return fc.oneof({ weight: 3, arbitrary: value }, { weight: 2, arbitrary: fc.constant<Entry[]>([]) })
    })
    const isRight = (entries: readonly Entry[]) =>
      this.contract.errorsOf(pointer, Object.fromEntries(entries.map(plainly))).length === 0
    return fc
      .tuple(...fields)
      .map(parts => parts.flat())
      .filter(isRight)
  }

  /** Returns the fields of an object schema and its required names, through all its compositions. */
  flat(schema: Schema): { properties: Record<string, Schema>; required: readonly string[] } {
    const {
      properties = {},
      required = [],
      allOf = [],
      oneOf = [],
      anyOf = [],
    } = this.contract.follow(schema)
    const parts = [...allOf, ...oneOf.slice(0, 1), ...anyOf.slice(0, 1)].map(part => this.flat(part))
    return {
      properties: Object.assign({ ...properties }, ...parts.map(part => part.properties)),
      required: [...required, ...parts.flatMap(part => part.required)],
    }
  }

  /** Generates a value that is valid by a schema. */
  value(given: Schema, name: string): fc.Arbitrary<unknown> {
    const schema = this.contract.follow(given)
    const table = PARENTS.get(name as 'category_id') // undefined for other names
    if (table) return fc.nat(99).map(number => new Pick(table, number))
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const choices = schema.oneOf ?? schema.anyOf
    if (choices) return fc.oneof(...choices.map(choice => this.value(choice, name)))
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string'])
    return fc.oneof(...types.map(type => typed(type, schema, name)))
  }

  /** Generates values at and just beyond a schema's bounds, and of other types. */
  odd(given: Schema, name: string): fc.Arbitrary<unknown> {
    const { minimum, maximum, minLength, maxLength } = this.contract.follow(given)
    const numbers = [minimum, maximum].flatMap(bound =>
      bound === undefined ? [] : [bound - 1, bound, bound + 1],
    )
    const lengths = [minLength, maxLength].flatMap(bound =>
      bound === undefined ? [] : [bound - 1, bound, bound + 1],
    )
    const edges = [
      ...numbers.flatMap(number => [number, String(number)]),
      ...lengths
        .filter(length => length >= 0)
        .flatMap(length => ['x'.repeat(length), '\u{1f6e0}'.repeat(length)]),
    ]
    const near = edges.length > 0 ? fc.constantFrom<unknown>(...edges) : oddValue
    const secret = name === 'password' ? fc.constantFrom(...PASSWORD_EDGES) : oddValue
    return fc.oneof(near, secret, oddValue, this.value(given, name))
  }
}

/** Replaces placeholders with values that are valid by the schema. */
function plainly([name, value]: Entry): Entry {
  if (value instanceof Pick) return [name, 1]
  return [name, value instanceof Attachment ? value.filename : value]
}

const PASSWORD_EDGES = [
  `${SECRET}7`,
  `${SECRET}-8`,
  `${SECRET}${'x'.repeat(256 - SECRET.length)}`,
  `${SECRET}${'x'.repeat(257 - SECRET.length)}`,
  `${SECRET}${'é'.repeat(125)}`,
  `${SECRET}\0`,
  `${SECRET}\ud800`,
  `\n${SECRET} `,
]

function typed(type: string, schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return whole(schema)
  if (type === 'array')
    return fc.subarray([...(schema.items?.enum ?? schema.items?.anyOf?.[0]?.enum ?? [])], {
      minLength: schema.minItems ?? 0,
    })
  if (type === 'object') return fc.constant({})
  return text(schema, name)
}

function whole({ minimum = -(2 ** 53), maximum = 2 ** 53 }: Schema): fc.Arbitrary<number> {
  const min = Math.max(minimum, Number.MIN_SAFE_INTEGER)
  const max = Math.min(maximum, Number.MAX_SAFE_INTEGER)
  return fc.oneof(
    fc.constantFrom(min, max, Math.min(min + 1, max), Math.max(max - 1, min)),
    fc.integer({ min, max: Math.min(max, min + 1000) }),
    fc.maxSafeInteger().map(number => Math.min(max, Math.max(min, number))),
  )
}

const host = fc.constantFrom('works.example', 'bücher.example', '192.0.2.7:8080', '[2001:db8::1]')
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)

/** Generates moments of which most are within a year of a board's START. */
const ahead = fc
  .integer({ min: -30, max: 380 })
  .map(days => new Date(START + days * DAY + DAY / 3).toISOString())

const FORMATS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  uri: fc
    .tuple(
      fc.constantFrom('https', 'http'),
      fc.constantFrom('works.example', '192.0.2.7:8080', '[2001:db8::1]'),
      word,
    )
    .map(([scheme, at, path]) => `${scheme}://${at}/${path}?q=${path}#top`),
  iri: fc.tuple(host, word).map(([at, path]) => `https://${at}/${path}`),
  email: fc.tuple(word, word).map(([local, domain]) => `${local}+x@${domain}.example`),
  'idn-email': fc.tuple(word, word).map(([local, domain]) => `${local}ø@${domain}-ñ.example`),
  'date-time': fc
    .date({ min: new Date('1971-01-01'), max: new Date('9990-01-01'), noInvalidDate: true })
    .map(date => date.toISOString()),
  password: fc.tuple(word, line(0, 12)).map(([before, after]) => `${before}.${SECRET}${after}`),
  binary: goodLogo,
}

function text(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = 64 } = schema
  if (name === 'password') return FORMATS['password'] ?? fc.constant('')
  if (name === 'logo') return goodLogo
  if (name === 'publish_at') return fc.oneof(ahead, FORMATS['date-time'] ?? ahead)
  if (name === 'salary_currency') return fc.constantFrom('USD', 'EUR', 'JPY', 'XCG', 'VED')
  const formatted = format === undefined ? undefined : FORMATS[format]
  if (formatted) return formatted
  if (maxLength === 0) return fc.constant('')
  if (pattern !== undefined) return matching(new RegExp(pattern, 'u'), Math.max(1, minLength), maxLength)
  return line(Math.max(1, minLength), maxLength)
}

/** Generates a text that matches a pattern: a line or a path if those match, or else one built for it. */
function matching(pattern: RegExp, min: number, max: number): fc.Arbitrary<string> {
  if (pattern.test('A line')) return line(min, max).filter(made => pattern.test(made))
  if (pattern.test('/a/path')) return line(0, max - 1).map(rest => `/${rest}`)
  return fc.stringMatching(pattern)
}
