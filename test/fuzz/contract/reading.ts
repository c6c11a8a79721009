import { encode, formText, JSON_TYPE, MULTIPART } from './bodies.ts'
import type { Schema } from './document.ts'
import { Attachment, type Entry } from './entries.ts'
import { bareName } from './values.ts'

/** The fields of a body, parsed by the contract's rules. */
export type Fields = Readonly<Record<string, unknown>>

const WHOLE = /^\s*[+-]?\d+\s*$/
const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
])

/** Returns the fields of entries; the last value of a repeated name counts. */
export function fieldsOf(media: string, entries: readonly Entry[]): Map<string, unknown> {
  if (media === JSON_TYPE) {
    const parsed: object = JSON.parse(encode(media, entries).bytes.toString())
    return new Map(Object.entries(parsed))
  }
  const given = entries.filter(([, value]) => !(media === MULTIPART && isEmptyFile(value)))
  return new Map(
    given.map(([name, value]) => [
      bareName(name),
      media === MULTIPART && value instanceof Attachment ? value : formText(value).toWellFormed(),
    ]),
  )
}

const isEmptyFile = (value: unknown) => value instanceof Attachment && value.bytes.length === 0

/** Converts a value to its schema's type by the contract's rules. */
export function readAs(schema: Schema, name: string, value: unknown): unknown {
  // in a schema, a file is a string with one character for each byte
  if (value instanceof Attachment) return Buffer.from(value.bytes).toString('latin1')
  if (typeof value !== 'string') return value
  const types = typesIn(schema)
  if (types.includes('integer') && WHOLE.test(value)) return Number(value)
  if (value.trim() === '' && types.includes('null')) return null
  if (value.trim() === '' && schema.anyOf?.some(({ maxLength }) => maxLength === 0)) return ''
  if (types.includes('array')) return value.split(/[\s,]+/).filter(word => word !== '')
  if (types.includes('boolean')) return FLAGS.get(value.trim().toLowerCase()) ?? value
  if (schema.format === 'password' || name === 'password' || name === 'description') return value
  return name === 'salary_currency' ? value.trim().toUpperCase() : value.trim()
}

function typesIn({ type = [], anyOf = [] }: Schema): readonly string[] {
  return [...(typeof type === 'string' ? [type] : type), ...anyOf.flatMap(typesIn)]
}

export const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
