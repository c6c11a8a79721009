import type { SchemaOptions, TUnsafe } from '@sinclair/typebox'
import { defineField, REQUIRED } from './field.ts'

interface WordOptions extends SchemaOptions {
  /** A regular expression that matches further words. */
  otherWords?: string
}

interface ListOptions extends SchemaOptions {
  items: { anyOf: [{ type: 'string'; enum: string[] }, ...{ type: 'string'; pattern: string }[]] }
  minItems: number
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

const wordListField = defineField<string[], ListOptions>(
  { type: 'array' },
  {
    parse: input => (typeof input === 'string' ? input.split(SEPARATORS).filter(word => word !== '') : input),
    error: (value, schema) => {
      const [{ enum: words }, others] = (schema as unknown as ListOptions).items.anyOf
      if (!Array.isArray(value)) return 'must be a list of words'
      if (value.length === 0) return REQUIRED
      if (new Set(value).size < value.length) return 'must not repeat a word'
      const isKnown = (word: unknown) =>
        typeof word === 'string' &&
        (words.includes(word) || (others !== undefined && new RegExp(others.pattern).test(word)))
      const known = [...words, ...(others ? [others.pattern.slice(1, -1)] : [])]
      return value.every(isKnown) ? undefined : `must be some of ${known.join(', ')}`
    },
    isBlank: input =>
      input === undefined || input === null || (typeof input === 'string' && input.trim() === ''),
  },
)
