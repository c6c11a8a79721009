import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { withChangeSeq } from '../../http/response/changeSeq.ts'
import { pagedList } from '../../http/response/list.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { created } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { createdResponse, itemResponse, listResponse, messageResponse } from '../../http/routeDescription.ts'
import { CATEGORIES, createLabel, deleteLabel, getLabel, type Labels, TERMS, updateLabel } from './actions.ts'
import { presentLabel } from './present.ts'
import { Category, LabelFields, Term } from './schema.ts'

/** The texts in the descriptions of a label's routes. */
interface Words {
  /** The end of the operation ids. */
  readonly one: string
  readonly many: 'Categories' | 'Terms'
  readonly plural: string
}

export const categoryRoutes = (board: Board) =>
  labelRoutes('/categories', board, CATEGORIES, Category, {
    one: 'Category',
    many: 'Categories',
    plural: 'categories',
  })

export const termRoutes = (board: Board) =>
  labelRoutes('/terms', board, TERMS, Term, { one: 'Term', many: 'Terms', plural: 'employment terms' })

/** Creates the routes of categories or of terms, which differ only in their names. */
function labelRoutes<P extends `/${string}`>(
  path: P,
  board: Board,
  labels: Labels,
  schema: typeof Category,
  { one, many, plural }: Words,
) {
  const { store, links } = board
  const { noun } = labels
  const tag = many
  const errors = { notFound: `The ${noun} does not exist.` }
  const example = schema.properties.name.examples?.[0]
  return new Elysia({ name: labels.table })
    .get(
      `${path}.json`,
      ...route(
        {
          id: `list${many}`,
          access: 'user',
          tag,
          summary: `List the ${plural}`,
          description: 'In the order of their creation, all at once or by page.',
          query: PagingQuery,
          responses: { 200: listResponse(schema, `The ${plural}.`, ['X-Change-Seq']) },
        },
        context =>
          withChangeSeq(
            board.journalTimer.watch.appliedSeq,
            pagedList(context, links, store.read[labels.table].all(), presentLabel),
          ),
      ),
    )

    .get(
      `${path}/:id`,
      ...route(
        {
          id: `get${one}`,
          access: 'user',
          tag,
          summary: `Read a ${noun}`,
          responses: { 200: itemResponse(schema, `The ${noun}.`) },
          errors,
        },
        ({ params }) => presentLabel(getLabel(store.read, labels, params.id)),
      ),
    )

    .post(
      `${path}.json`,
      ...route(
        {
          id: `create${one}`,
          access: 'admin',
          tag,
          summary: `Create a ${noun}`,
          body: LabelFields,
          responses: { 201: createdResponse(schema, `The ${noun} was created.`) },
        },
        async ({ caller, input }) => {
          const label = await createLabel(store, caller, labels, input)
          return created(links.to(`${path}/${label.id}.json`), presentLabel(label))
        },
      ),
    )

    .put(
      `${path}/:id`,
      ...route(
        {
          id: `update${one}`,
          access: 'admin',
          tag,
          summary: `Rename a ${noun}`,
          description: 'Its jobs show the new name at once.',
          body: LabelFields,
          isPatch: true,
          requires: ({ params }) => getLabel(store.read, labels, params.id),
          responses: { 200: itemResponse(schema, `The updated ${noun}.`) },
          errors,
        },
        async ({ caller, params, input }) =>
          presentLabel(await updateLabel(store, caller, labels, params.id, input)),
      ),
    )

    .delete(
      `${path}/:id`,
      ...route(
        {
          id: `delete${one}`,
          access: 'admin',
          tag,
          summary: `Delete a ${noun} and its jobs`,
          description: `All jobs of the ${noun} are deleted too, in every status. The response says how many.`,
          responses: {
            200: messageResponse(deletedMessage(noun, example, 3), `The ${noun} and its jobs were deleted.`),
          },
          errors,
        },
        async ({ caller, params }) => {
          const { label, jobs } = await deleteLabel(board, caller, labels, params.id)
          return { message: deletedMessage(noun, label.name, jobs) }
        },
      ),
    )
}

const deletedMessage = (noun: string, name: unknown, jobs: number) =>
  `The ${noun} "${name}" was deleted, and ${jobs} ${jobs === 1 ? 'job' : 'jobs'} with it.`
