import { type TSchema, Type } from '@sinclair/typebox'

/** The fields that answers of all kinds have, and answers that are no thing of their own. */

export const idSchema = (example: number) =>
  Type.Integer({ format: 'int64', minimum: 1, description: 'Never used twice.', examples: [example] })

export const timestampSchema = (example: string) =>
  Type.String({
    format: 'date-time',
    description: 'In UTC, with whole seconds.',
    examples: [example],
  })

/** An absolute URL of the board's own. */
export const urlSchema = (description: string, example: string) =>
  Type.String({ format: 'uri', description, examples: [example] })

export const countSchema = (description: string, example: number) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [example] })

/** An object that has these fields and no others. */
export const objectSchema = <P extends Record<string, TSchema>>(
  $id: string,
  properties: P,
  options: object = {},
) => Type.Object(properties, { $id, additionalProperties: false, ...options })

export const MessageBody = objectSchema('Message', {
  message: Type.String({ description: 'A sentence for a person.' }),
})

/** What a link in a mail ends with. */
export const TokenQuery = Type.Object({
  token: Type.String({ description: 'Out of a mail.', examples: ['pFKx1vXhTj2m0wqk'] }),
})

export const ErrorBody = objectSchema(
  'Refusal',
  {
    error: Type.String({ description: 'A sentence for a person.', examples: ['Please mend: title.'] }),
    errors: Type.Optional(
      Type.Unsafe<Record<string, string[]>>({
        type: 'object',
        description: 'Where fields are at fault, every one that is, by its name, with what is wrong with it.',
        additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
        examples: [{ title: ['is required'] }],
      }),
    ),
  },
  { description: 'Every refusal, of whatever status.' },
)
