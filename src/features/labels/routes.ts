import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { parseJsonId } from '../../http/paths.ts'
import { readInput } from '../../http/request/input.ts'
import { pagedList } from '../../http/response/list.ts'
import { created } from '../../http/response/reply.ts'
import { addLabel, CATEGORIES, changeLabel, getLabel, type Labels, removeLabel, TERMS } from './actions.ts'
import { categoryOperations, termOperations } from './operations.ts'
import { presentLabel } from './present.ts'

export const categoryRoutes = (board: Board) =>
  labelRoutes('/categories', board, CATEGORIES, categoryOperations)
export const termRoutes = (board: Board) => labelRoutes('/terms', board, TERMS, termOperations)

/** Categories and terms are one sort of thing under two names. */
function labelRoutes<P extends `/${string}`>(
  path: P,
  board: Board,
  labels: Labels,
  operations: typeof categoryOperations,
) {
  const { store, links } = board
  return new Elysia({ name: labels.table })
    .use(guard)

    .get(
      `${path}.json`,
      ({ exchange: context }) => pagedList(context, links, store.read[labels.table].all(), presentLabel),
      { needs: 'user', ...operations.list },
    )

    .get(`${path}/:id`, ({ params }) => presentLabel(getLabel(store.read, labels, parseJsonId(params.id))), {
      needs: 'user',
      ...operations.read,
    })

    .post(
      `${path}.json`,
      async ({ exchange: context, caller }) => {
        const label = await addLabel(store, caller, labels, await readInput(context, operations.create))
        return created(links.to(`${path}/${label.id}.json`), presentLabel(label))
      },
      { needs: 'admin', ...operations.create },
    )

    .put(
      `${path}/:id`,
      async ({ exchange: context, params, caller }) => {
        const id = parseJsonId(params.id)
        getLabel(store.read, labels, id)
        return presentLabel(
          await changeLabel(store, caller, labels, id, await readInput(context, operations.update)),
        )
      },
      { needs: 'admin', ...operations.update },
    )

    .delete(
      `${path}/:id`,
      async ({ params, caller }) => {
        const { label, jobs } = await removeLabel(board, caller, labels, parseJsonId(params.id))
        const count = jobs === 1 ? '1 job of it was' : `${jobs} jobs of it were`
        return { message: `The ${labels.noun} "${label.name}" was deleted, and ${count} deleted with it.` }
      },
      { needs: 'admin', ...operations.remove },
    )
}
