import { Type } from '@sinclair/typebox'
import { codePointLength, hasInvalidCharacters, isBlank } from '../../base/text.ts'
import { defineField } from '../../validation/field.ts'
import type { Validation } from '../../validation/validation.ts'
import { htmlToMarkdown } from './htmlToMarkdown.ts'

/** In code points of Markdown. */
export const DESCRIPTION_LENGTH = 65_536
/** In UTF-16 units. HTML is several times as long as its Markdown, if every element has a style. */
const MAX_HTML_LENGTH = 2 ** 19

const isTooLong = (text: string) => text.length > MAX_HTML_LENGTH

/** HTML, whose value is Markdown. */
const htmlField = defineField<string>(
  { type: 'string', minLength: 1, maxLength: MAX_HTML_LENGTH },
  {
    parse: input =>
      typeof input === 'string' && !isTooLong(input) && !hasInvalidCharacters(input)
        ? htmlToMarkdown(input)
        : input,
    error: value => {
      if (typeof value !== 'string') return 'must be text'
      if (isTooLong(value)) return `is too long: at most ${MAX_HTML_LENGTH} characters`
      if (hasInvalidCharacters(value))
        return 'contains an invalid character (NUL or half of a surrogate pair)'
      if (isBlank(value)) return 'contains no text'
      const length = codePointLength(value)
      return length > DESCRIPTION_LENGTH
        ? `is too long: at most ${DESCRIPTION_LENGTH} characters as Markdown, and it has ${length}`
        : undefined
    },
  },
)

/** The field of a request in place of its `description`. */
export const htmlFields = {
  description_html: Type.Optional(
    htmlField({
      description:
        'Replaces `description`: HTML, which is converted to Markdown. Scripts, styles and pictures are removed, and links except http, https and mailto.',
    }),
  ),
}

/** A description in one of its two forms, as JSON Schema. */
export const EITHER_DESCRIPTION = {
  anyOf: [
    { required: ['description'] },
    // Null or empty HTML counts as not sent.
    { properties: { description_html: { type: 'string', minLength: 1 } }, required: ['description_html'] },
  ],
}

interface Described {
  description?: string
  description_html?: string
}

/** Makes the description that was sent as HTML the job's description, whatever else was sent. */
export function useHtmlDescription(validation: Validation<Described>): void {
  if (!validation.has('description_html')) return
  const { values, errors } = validation
  delete errors['description']
  if (values.description_html !== undefined) values.description = values.description_html
  delete values.description_html
}
