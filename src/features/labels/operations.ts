import {
  createdResponse,
  itemResponse,
  listResponse,
  messageResponse,
  operation,
  type Tag,
} from '../../http/operation.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { Category, LabelFields, Term } from './schema.ts'

/** What is said of categories and terms alike, in the words of either. */
function labelOperations<S extends typeof Category>(
  tag: Tag,
  [one_, noun, nouns]: readonly [one: string, noun: string, nouns: string],
  schema: S,
) {
  const gone = { notFound: `There is no such ${noun}.` }
  return {
    list: operation({
      id: `list${tag}`,
      tag,
      summary: `List the ${nouns}`,
      description: 'All of them, in the order in which they were made, or a page of them.',
      query: PagingQuery,
      responses: { 200: listResponse(schema, `The ${nouns}.`) },
    }),
    read: operation({
      id: `get${one_}`,
      tag,
      summary: `Read a ${noun}`,
      responses: { 200: itemResponse(schema, `The ${noun}.`) },
      errors: gone,
    }),
    create: operation({
      id: `create${one_}`,
      tag,
      summary: `Make a ${noun}`,
      body: LabelFields,
      responses: { 201: createdResponse(schema, `The ${noun} was made.`) },
    }),
    update: operation({
      id: `update${one_}`,
      tag,
      summary: `Rename a ${noun}`,
      description: 'Its jobs show the new name at once.',
      body: LabelFields,
      isPatch: true,
      responses: { 200: itemResponse(schema, `The ${noun} as it is now.`) },
      errors: gone,
    }),
    remove: operation({
      id: `delete${one_}`,
      tag,
      summary: `Delete a ${noun} and its jobs`,
      description: `Every job of the ${noun} is deleted with it, whatever its state; the answer says how many.`,
      responses: {
        200: messageResponse(
          `The ${noun} "${schema.properties.name.examples?.[0]}" was deleted, and 3 jobs of it were deleted with it.`,
          `The ${noun} and its jobs were deleted.`,
        ),
      },
      errors: gone,
    }),
  }
}

export const categoryOperations = labelOperations(
  'Categories',
  ['Category', 'category', 'categories'],
  Category,
)
export const termOperations = labelOperations('Terms', ['Term', 'term', 'employment terms'], Term)
