import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { idOfJson } from '../../http/ids.ts'
import { readInput } from '../../http/input.ts'
import { listPage } from '../../http/list.ts'
import { created } from '../../http/reply.ts'
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
      ({ exchange }) => listPage(exchange, links, store.read[labels.table].all(), presentLabel),
      { needs: 'user', ...operations.list },
    )

    .get(`${path}/:id`, ({ params }) => presentLabel(getLabel(store.read, labels, idOfJson(params.id))), {
      needs: 'user',
      ...operations.read,
    })

    .post(
      `${path}.json`,
      async ({ exchange, caller }) => {
        const label = await addLabel(store, caller, labels, await readInput(exchange, operations.create))
        return created(links.to(`${path}/${label.id}.json`), presentLabel(label))
      },
      { needs: 'admin', ...operations.create },
    )

    .put(
      `${path}/:id`,
      async ({ exchange, params, caller }) => {
        const id = idOfJson(params.id)
        getLabel(store.read, labels, id)
        return presentLabel(
          await changeLabel(store, caller, labels, id, await readInput(exchange, operations.update)),
        )
      },
      { needs: 'admin', ...operations.update },
    )

    .delete(
      `${path}/:id`,
      async ({ params, caller }) => {
        const { label, jobs } = await removeLabel(board, caller, labels, idOfJson(params.id))
        const count = jobs === 1 ? '1 job of it was' : `${jobs} jobs of it were`
        return { message: `The ${labels.noun} "${label.name}" was deleted, and ${count} deleted with it.` }
      },
      { needs: 'admin', ...operations.remove },
    )
}
