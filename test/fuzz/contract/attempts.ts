import * as fc from 'fast-check'
import type { Attempt, BodyInput, By } from './attempt.ts'
import { JSON_TYPE, MULTIPART } from './bodies.ts'
import type { Content, Contract, Operation } from './document.ts'
import { type Entry, oddLogo, oddName, oddValue } from './entries.ts'
import { framing, harmlessHeaders, oddHeaders } from './headers.ts'
import { HARMLESS, LARGE, mangling } from './mangling.ts'
import { by, number, oddPlace, oddQuery, VERBS } from './oddities.ts'
import { oddText } from './texts.ts'
import { bareName, Values } from './values.ts'

/** Generates requests for the operations of an API description. */
export class Attempts {
  private readonly values: Values

  constructor(contract: Contract) {
    this.values = new Values(contract)
  }

  of(operation: Operation): fc.Arbitrary<Attempt> {
    return fc.oneof(
      { weight: 4, arbitrary: this.plain(operation) },
      { weight: 2, arbitrary: this.faulty(operation) },
      { weight: 3, arbitrary: this.odd(operation) },
    )
  }

  /** Generates requests that the description allows. */
  private plain(operation: Operation): fc.Arbitrary<Attempt> {
    return fc.record<Attempt>({
      operation: fc.constant(operation),
      by: rarely(fc.constantFrom<By>('owner', 'other', 'nobody'), fc.constant<By>('admin')),
      place: number,
      query: this.query(operation, false),
      queryEnd: fc.constant(''),
      input: this.validBody(operation),
      headers: harmlessHeaders,
      verb: fc.constant(undefined),
      isCrowded: fc.constant(false),
      framing,
    })
  }

  /** Generates requests that are valid except for some field values. */
  private faulty(operation: Operation): fc.Arbitrary<Attempt> {
    if (operation.bodies.length === 0 && operation.parameters.length === 0) return this.plain(operation)
    const mangled = this.mangledBody(operation)
    const query = this.query(operation, true)
    return fc.tuple(this.plain(operation), mangled, query).map(([plain, input, queryParameters]) => ({
      ...plain,
      input,
      query: input ? plain.query : queryParameters,
    }))
  }

  /** Generates requests of which any part may be odd. */
  private odd(operation: Operation): fc.Arbitrary<Attempt> {
    const oddFields = this.mangledBody(operation)
    const mangled = fc
      .tuple(oddFields, fc.array(mangling, { minLength: 1, maxLength: 2 }))
      .map(([input, manglings]) => input && { ...input, manglings })
    const large = this.validBody(operation).map(input => input && { ...input, manglings: [LARGE] })
    const misspoken = fc.oneof(
      { weight: 4, arbitrary: mangled },
      { weight: 4, arbitrary: oddFields },
      { weight: 1, arbitrary: large },
    )
    const uncalledFor: fc.Arbitrary<BodyInput | undefined> = fc
      .tuple(fc.array(fc.tuple(oddName, oddValue), { maxLength: 3 }), fc.array(mangling, { maxLength: 1 }))
      .map(([entries, manglings]) => ({ content: NO_CONTENT, entries, manglings }))
    const oddities = [
      seldom(by, one => ({ by: one })),
      seldom(oddPlace, place => ({ place })),
      seldom(this.query(operation, true), query => ({ query })),
      seldom(oddQuery, queryEnd => ({ queryEnd })),
      seldom(operation.bodies.length > 0 ? misspoken : uncalledFor, input => ({ input })),
      seldom(oddHeaders, headers => ({ headers })),
      seldom(fc.constantFrom(...VERBS), verb => ({ verb })),
      fc.boolean().map((isCrowded): Partial<Attempt> => ({ isCrowded })),
    ]
    return fc
      .tuple(this.plain(operation), ...oddities)
      .map(([plain, ...odd]) => odd.reduce<Attempt>((made, part) => ({ ...made, ...part }), plain))
  }

  private validBody({ bodies }: Operation): fc.Arbitrary<BodyInput | undefined> {
    if (bodies.length === 0) return fc.constant(undefined)
    const forms = bodies.map(content => {
      const entries = this.values.entries(content)
      const harmless = rarely(fc.constantFrom(...HARMLESS), fc.constant(undefined))
      return fc.tuple(entries, fc.nat(9), harmless).map(([made, naming, mangle]) => ({
        content,
        entries: content.media === JSON_TYPE ? made : renamed(made, naming),
        manglings: mangle ? [mangle] : [],
      }))
    })
    return fc.oneof(...forms)
  }

  /** Generates entries with odd, missing, repeated and unknown fields. */
  private mangledBody(operation: Operation): fc.Arbitrary<BodyInput | undefined> {
    return this.validBody(operation).chain(input => {
      if (!input) return fc.constant(input)
      const { properties } = this.values.flat(input.content.schema)
      const fields = Object.entries(properties)
      const odd = fc.constantFrom(...fields).chain(([name, schema]) => {
        const bare = bareName(name)
        const isFile = bare === 'logo' && input.content.media === MULTIPART
        return fc.tuple(fc.constant(name), isFile ? oddLogo : this.values.odd(schema, bare))
      })
      const unknownEntry = fc.tuple(oddName, oddValue)
      const more = fc.array(
        fields.length > 0 ? fc.oneof({ weight: 5, arbitrary: odd }, unknownEntry) : unknownEntry,
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      return fc.tuple(more, fc.boolean(), fc.nat(20), fc.nat(3)).map(([extra, isInPlace, missing, bare]) => {
        const named = new Set(extra.map(([name]) => name))
        const remaining = input.entries.filter(
          ([name], at) => !(isInPlace && named.has(name)) && at !== missing,
        )
        return { ...input, entries: [...remaining, ...(bare === 0 ? renamed(extra, 0) : extra)] }
      })
    })
  }

  private query(
    { parameters }: Operation,
    isOdd: boolean,
  ): fc.Arbitrary<readonly (readonly [string, string])[]> {
    const queryParameters = parameters.filter(one => one.in === 'query')
    if (queryParameters.length === 0) return fc.constant([])
    const parts = queryParameters.map(({ name, schema }) => {
      const right = this.values.value(schema, `?${name}`)
      const value = isOdd ? fc.oneof(right, this.values.odd(schema, name), oddText) : right
      const pair = value.map((made): [string, string][] => [[name, textOf(made)]])
      if (name === TOKEN) return pair
      return fc.oneof({ weight: 2, arbitrary: fc.constant<[string, string][]>([]) }, pair)
    })
    return fc.tuple(...parts).map(pairs => pairs.flat())
  }
}

/** The parameter that links depend on. */
const TOKEN = 'token'

const NO_CONTENT: Content = { media: JSON_TYPE, schema: {}, pointer: '' }

/** Generates a part of a request that is sometimes odd. */
const seldom = <T>(odd: fc.Arbitrary<T>, part: (made: T) => Partial<Attempt>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Partial<Attempt>>({}) },
    { weight: 1, arbitrary: odd.map(part) },
  )

const rarely = <T>(rare: fc.Arbitrary<T>, usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: usual }, { weight: 3, arbitrary: rare })

const textOf = (value: unknown) => (typeof value === 'string' ? value : String(value))

/** Generates form names: wrapped as documented, plain, or mixed. */
const renamed = (entries: readonly Entry[], naming: number): readonly Entry[] =>
  entries.map(([name, value], at) => [
    naming === 0 || (naming === 1 && at % 2 === 0) ? bareName(name) : name,
    value,
  ])
