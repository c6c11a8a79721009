import type { ErrorObject } from 'ajv'
import { formText, URLENCODED } from './bodies.ts'
import type { Contract, Parameter, Schema } from './document.ts'
import { Attachment } from './entries.ts'
import { isExcused, isLenient } from './excuses.ts'
import { HARMLESS } from './mangling.ts'
import { fieldsOf, readAs } from './reading.ts'
import type { Sent } from './sent.ts'
import type { ReceivedResponse } from './transport.ts'
import { bareName, Values } from './values.ts'
import type { World } from './world.ts'

/** What is asked for may be impossible in the current state, or no longer kept. */
const DEPENDS_ON_STATE: ReadonlySet<number> = new Set([409, 410])

/**
 * Checks a response against the API description: a request that it allows is accepted, another is
 * refused with an error for every wrong field, and for no other.
 */
export class Verdict {
  /** The number of requests that the description allowed, and of others. */
  readonly counts = { allowed: 0, faulty: 0 }
  private readonly values: Values

  constructor(private readonly contract: Contract) {
    this.values = new Values(contract)
  }

  *of(sent: Sent, response: ReceivedResponse, world: World): Generator<string> {
    if (!isJudged(sent)) return
    const { status } = response
    const faults = this.faultsIn(sent)
    const isDraft = isOfDraft(sent, this.read(sent).fields, world)
    if (status !== 422)
      for (const [name, value] of faults ?? [])
        if (isLenient(name, value, { by: sent.attempt.by, isDraft })) faults?.delete(name)
    if (faults === undefined || (status === 422 && !isJson(response))) return
    this.counts[faults.size > 0 ? 'faulty' : 'allowed']++
    if (status === 422) yield* this.comparedWith(faults, response, sent, world)
    else if (status < 400 && this.knowsNone(sent))
      yield 'it was accepted, though no field that was sent is known'
    else if (status < 400 && faults.size > 0)
      yield `it was accepted, though the document does not allow ${describe(faults)}`
    else if (status >= 400 && faults.size > 0) yield `it is not 422 for ${describe(faults)}`
    else if (status >= 400 && !DEPENDS_ON_STATE.has(status)) yield 'the document allows what was sent'
  }

  private *comparedWith(
    faults: ReadonlyMap<string, unknown>,
    { body }: ReceivedResponse,
    sent: Sent,
    world: World,
  ): Generator<string> {
    const { errors = {} } = JSON.parse(body.toString()) as { errors?: object } // an error, which was checked before
    const errorFields = new Set(Object.keys(errors))
    if (errorFields.size === 0 && this.knowsNone(sent)) return
    const { operation, by } = sent.attempt
    const lenient = { by, isDraft: isOfDraft(sent, this.read(sent).fields, world) }
    for (const [name, value] of faults)
      if (!errorFields.has(name) && !isLenient(name, value, lenient))
        yield `it has no error for ${name}, ${inShort(value)}`
    const { input, fields } = this.read(sent)
    for (const name of errorFields) {
      const value = fields.get(name) ?? sent.attempt.query.findLast(([other]) => other === name)?.[1]
      if (faults.has(name) || isExcused(name, value, { fields, world, input, operation })) continue
      yield `the document allows ${name} to be ${inShort(value)}`
    }
  }

  /** Returns whether only unknown fields were sent, which is refused as a whole. */
  private knowsNone(sent: Sent): boolean {
    const { input, fields } = this.read(sent)
    if (!input || fields.size === 0) return false
    const known = new Set(Object.keys(this.values.flat(input.content.schema).properties).map(bareName))
    return [...fields.keys()].every(name => !known.has(name))
  }

  private read({ attempt: { input }, entries }: Sent) {
    return {
      input,
      fields: input ? fieldsOf(input.content.media, entries) : new Map<string, unknown>(),
    }
  }

  /** Returns the fields whose values the description does not allow, or undefined if that is unknown. */
  private faultsIn(sent: Sent): Map<string, unknown> | undefined {
    const queryFaults = this.faultsInQuery(sent)
    const { input, fields } = this.read(sent)
    if (!input) return queryFaults
    const judge = sent.attempt.operation.bodies.find(({ media }) => media === input.content.media)
    if (!judge) return undefined
    const { properties } = this.values.flat(judge.schema)
    const schemas = new Map(
      Object.entries(properties).map(([name, schema]) => [bareName(name), { name, schema }]),
    )
    const read: Record<string, unknown> = {}
    for (const [name, value] of fields) {
      const known = schemas.get(name)
      if (known) read[known.name] = readAs(this.contract.follow(known.schema), name, value)
    }
    const faults = new Map(queryFaults)
    for (const error of this.contract.errorsOf(judge.pointer, read)) {
      const name = bareName(fieldOf(error))
      if (name !== '') faults.set(name, fields.get(name))
    }
    return faults
  }

  private faultsInQuery({ attempt: { operation, query } }: Sent): Map<string, unknown> {
    const faults = new Map<string, unknown>()
    const last = new Map(query)
    for (const { name, in: place, schema, required } of operation.parameters) {
      const value = last.get(name)
      if (place !== 'query' || name === 'token') continue
      if (value === undefined || value.trim() === '') {
        if (required) faults.set(name, value)
      } else if (!this.takes(this.contract.follow(schema), name, value)) faults.set(name, value)
    }
    return faults
  }

  private takes(schema: Schema, name: string, value: string): boolean {
    return this.contract.takes(schema, readAs(schema, name, value))
  }
}

const describe = (faults: ReadonlyMap<string, unknown>) =>
  [...faults].map(([name, value]) => `${name} ${inShort(value)}`).join(', ')

/** Returns whether the response is a page for a browser. */
const isJson = ({ headers }: ReceivedResponse) => headers.get('content-type') === 'application/json'

const inShort = (value: unknown) =>
  value instanceof Attachment ? 'a file' : JSON.stringify(value ?? null).slice(0, 200)

/** Returns the field of an error; an error of the whole object has none. */
const fieldOf = ({ instancePath, keyword, params }: ErrorObject): string =>
  keyword === 'required'
    ? String(params['missingProperty'])
    : (instancePath.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')

/** Returns whether a request posts a draft, or changes one. */
function isOfDraft({ raw, attempt }: Sent, fields: ReadonlyMap<string, unknown>, world: World): boolean {
  if (attempt.operation.template === '/jobs.json')
    return /^(true|1|on)$/i.test(formText(fields.get('draft')).trim())
  const id = Number(/^\/jobs\/(\d+)\.json/.exec(raw.target)?.[1])
  return world.test.board.store.read.jobs.get(id)?.submittedAt === null
}

/** Headers that decide whether a request is accepted. */
const DECISIVE = new Set([
  'host',
  'content-encoding',
  'content-type',
  'x-forwarded-for',
  'x-unknown',
  'origin',
  'sec-fetch-site',
])

/** The largest body of a request that needs an account, and of another. */
const MAX_BYTES = 1024 * 1024
const MAX_PUBLIC_BYTES = 16 * 1024
/** The fields beside an uploaded file. */
const MAX_FORM_BYTES = 64 * 1024

const isToken = ({ name }: Parameter) => name === 'token'

/** Returns whether the outcome depends on the request alone. */
function isJudged({ attempt, entries, raw }: Sent): boolean {
  const { operation, by, place, query, queryEnd, input, verb, isCrowded, framing } = attempt
  // an application needs an active job, whoever sends it, a mail leaves by itself, there may be no import or token, a
  // generated file is no set of jobs, metrics are for programs on the same machine, and a webhook can't lead to a private
  // network
  const isMoving = /\/apply$|^\/metrics$|\/sync\.json$|^\/(mails|imports|tokens)\/\{id\}|^\/webhooks/.test(
    operation.template,
  )
  // only administrators confirm addresses
  const isConfirming = entries.some(([name]) => bareName(name) === 'email_confirmed')
  const isEntitled =
    (by === 'admin' && !isMoving) ||
    (by === 'nobody' &&
      !isMoving &&
      !isConfirming &&
      !operation.isGuarded &&
      !/\/jobs/.test(operation.template))
  const isWhole = verb === undefined && 'number' in place && queryEnd === '' && framing !== 'short'
  const isTokened = query.some(([name]) => name === 'token') || !operation.parameters.some(isToken)
  const isPlain =
    !input || (input.content.pointer !== '' && input.manglings.every(one => HARMLESS.includes(one)))
  const isFree = !attempt.headers.some(([name]) => DECISIVE.has(name))
  // lone surrogates have no bytes in UTF-8
  const isText =
    input?.content.media !== URLENCODED || entries.flat().every(part => formText(part).isWellFormed())
  // a field may be large, but not twice
  const isUpload = operation.template === '/imports.json'
  const maxBytes = isUpload ? MAX_FORM_BYTES : operation.isGuarded ? MAX_BYTES : MAX_PUBLIC_BYTES
  const isSmall = (raw.body?.length ?? 0) <= maxBytes
  return isEntitled && isWhole && isTokened && isSmall && isPlain && isFree && isText && !isCrowded
}
