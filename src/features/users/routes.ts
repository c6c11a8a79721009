import { Elysia } from 'elysia'
import { removeUser } from '../../accounts/users.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { readFields } from '../../http/fields.ts'
import { idOfJson } from '../../http/ids.ts'
import { listPage } from '../../http/list.ts'
import { created } from '../../http/reply.ts'
import { createUser, getUser, updateUser } from './actions.ts'
import { presentUser } from './present.ts'

export const userRoutes = (board: Board) =>
  new Elysia({ name: 'users' })
    .use(guard)

    .get(
      '/users.json',
      ({ exchange }) => listPage(exchange, board.links, board.store.read.users.all(), presentUser),
      {
        needs: 'admin',
      },
    )

    .get('/users/me.json', ({ caller }) => presentUser(getUser(board, caller, caller.userId)), {
      needs: 'user',
    })

    .get('/users/:id', ({ params, caller }) => presentUser(getUser(board, caller, idOfJson(params.id))), {
      needs: 'user',
    })

    .post(
      '/users.json',
      async ({ request }) => {
        const user = await createUser(board, await readFields(request))
        return created(board.links.to(`/users/${user.id}.json`), presentUser(user))
      },
      { needs: 'admin' },
    )

    .put(
      '/users/:id',
      async ({ request, params, caller }) => {
        const { id } = getUser(board, caller, idOfJson(params.id))
        return presentUser(await updateUser(board, caller, id, await readFields(request)))
      },
      { needs: 'user' },
    )

    .delete(
      '/users/:id',
      async ({ params }) => {
        const user = await removeUser(board.store, idOfJson(params.id))
        return { message: `The account ${user.email} was deleted; its jobs stay, with no owner.` }
      },
      { needs: 'admin' },
    )
