import type { SchemaOptions, TSchema, TUnsafe } from '@sinclair/typebox'
import { defineField, REQUIRED } from './field.ts'

interface WordOptions extends SchemaOptions {
  /** A regular expression that matches further words. */
  otherWords?: string
}

interface ListOptions extends SchemaOptions {
  items: { anyOf: [{ type: 'string'; enum: string[] }, ...{ type: 'string'; pattern: string }[]] }
  minItems?: number
  uniqueItems: true
}

const SEPARATORS = /[\s,]+/

/** One or more of the given words. Forms send them as text, separated by commas or spaces. */
export const listField = <W extends string>(words: readonly W[], { otherWords, ...options }: WordOptions) =>
  // The words are the type, which the definition can't know.
  wordListField({
    ...options,
    items: {
      anyOf: [
        { type: 'string', enum: [...words] },
        ...(otherWords === undefined ? [] : [{ type: 'string' as const, pattern: `^${otherWords}$` }]),
      ],
    },
    minItems: 1,
    uniqueItems: true,
  }) as TUnsafe<unknown> as TUnsafe<W[]>

/** Any number of the given words. Blank text or null means none. */
export const optionalListField = <W extends string>(words: readonly W[], options: SchemaOptions) =>
  // The words are the type, which the definition can't know.
  anyWordListField({
    ...options,
    default: [],
    items: { anyOf: [{ type: 'string', enum: [...words] }] },
    uniqueItems: true,
  }) as TUnsafe<unknown> as TUnsafe<W[]> & { default: W[] }

const parseWords = (input: unknown) =>
  typeof input === 'string' ? input.split(SEPARATORS).filter(word => word !== '') : input

function wordsError(value: unknown, schema: TSchema): string | undefined {
  const [{ enum: words }, others] = (schema as unknown as ListOptions).items.anyOf
  if (!Array.isArray(value)) return 'must be a list of words'
  if (new Set(value).size < value.length) return 'must not repeat a word'
  const isKnown = (word: unknown) =>
    typeof word === 'string' &&
    (words.includes(word) || (others !== undefined && new RegExp(others.pattern).test(word)))
  const known = [...words, ...(others ? [others.pattern.slice(1, -1)] : [])]
  return value.every(isKnown) ? undefined : `must be some of ${known.join(', ')}`
}

const anyWordListField = defineField<string[], ListOptions>(
  { type: 'array' },
  { parse: input => parseWords(input ?? []), error: wordsError, isBlank: () => false },
)

const wordListField = defineField<string[], ListOptions>(
  { type: 'array' },
  {
    parse: parseWords,
    error: (value, schema) =>
      Array.isArray(value) && value.length === 0 ? REQUIRED : wordsError(value, schema),
    isBlank: input =>
      input === undefined || input === null || (typeof input === 'string' && input.trim() === ''),
  },
)
