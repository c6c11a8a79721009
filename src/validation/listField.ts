import type { SchemaOptions, TUnsafe } from '@sinclair/typebox'
import { defineField, REQUIRED } from './field.ts'

interface ListOptions extends SchemaOptions {
  items: { type: 'string'; enum: string[] }
  minItems: number
  uniqueItems: true
}

const SEPARATORS = /[\s,]+/

/** One or more of the given words. Forms send them as text, separated by commas or spaces. */
export const listField = <W extends string>(words: readonly W[], options: SchemaOptions) =>
  // The words are the type, which the definition can't know.
  wordListField({
    ...options,
    items: { type: 'string', enum: [...words] },
    minItems: 1,
    uniqueItems: true,
  }) as TUnsafe<unknown> as TUnsafe<W[]>

const wordListField = defineField<string[], ListOptions>(
  { type: 'array' },
  {
    parse: input => (typeof input === 'string' ? input.split(SEPARATORS).filter(word => word !== '') : input),
    error: (value, { items }) => {
      if (!Array.isArray(value)) return 'must be a list of words'
      if (value.length === 0) return REQUIRED
      const words: readonly unknown[] = items.enum
      if (new Set(value).size < value.length) return 'must not repeat a word'
      return value.every(word => words.includes(word)) ? undefined : `must be some of ${words.join(', ')}`
    },
    isBlank: input =>
      input === undefined || input === null || (typeof input === 'string' && input.trim() === ''),
  },
)
