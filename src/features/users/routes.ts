import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { parseJsonId } from '../../http/paths.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { readInput } from '../../http/request/input.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { confirmation } from '../../http/response/confirmation.ts'
import { pagedList } from '../../http/response/list.ts'
import { accepted, created } from '../../http/response/reply.ts'
import {
  confirmUser,
  createUser,
  getUser,
  registerUser,
  removeUser,
  updateUser,
  userOfToken,
} from './actions.ts'
import { userOperations } from './operations.ts'
import { presentUser } from './present.ts'

export const userRoutes = (board: Board) =>
  new Elysia({ name: 'users' })
    .use(guard)

    .post('/users.json', ({ exchange: context }) => makeAccount(board, context), {
      ...REGISTRATION[board.config.registration],
      ...userOperations.create,
    })

    .get(
      '/users.json',
      ({ exchange: context }) => pagedList(context, board.links, board.store.read.users.all(), presentUser),
      { needs: 'admin', ...userOperations.list },
    )

    .get('/users/me.json', ({ caller }) => presentUser(getUser(board, caller, caller.userId)), {
      needs: 'user',
      ...userOperations.readOwn,
    })

    .get('/users/:id', ({ params, caller }) => presentUser(getUser(board, caller, parseJsonId(params.id))), {
      needs: 'user',
      ...userOperations.read,
    })

    .get(
      '/users/confirm.json',
      ({ exchange: context }) =>
        confirmation(context, 'Your account', () => {
          const { email } = userOfToken(board, context.query.get('token') ?? '')
          return { message: `Is ${email} your address?`, button: 'Yes, confirm it' }
        }),
      { needs: 'nobody', ...userOperations.askConfirmation },
    )

    .post(
      '/users/confirm.json',
      ({ exchange: context }) =>
        confirmation(context, 'Your account', async () => {
          const { email } = await confirmUser(board, context.query.get('token') ?? '')
          return { message: `Thank you: ${email} is confirmed, and can post jobs.` }
        }),
      { needs: 'nobody', ...userOperations.confirm },
    )

    .put(
      '/users/:id',
      async ({ exchange: context, params, caller }) => {
        const { id } = getUser(board, caller, parseJsonId(params.id))
        return presentUser(
          await updateUser(board, context, id, await readInput(context, userOperations.update)),
        )
      },
      { needs: 'user', ...userOperations.update },
    )

    .delete(
      '/users/:id',
      async ({ params, caller }) => {
        const user = await removeUser(board, caller, parseJsonId(params.id))
        return { message: `The account ${user.email} was deleted; its jobs stay, with no owner.` }
      },
      { needs: 'admin', ...userOperations.remove },
    )

/** Who may make an account. */
const REGISTRATION = {
  open: { needs: 'nobody', perMinute: POSTS_PER_MINUTE },
  closed: { needs: 'admin' },
} as const

const REGISTERED = 'Check your inbox: we sent you a mail with the next step.'

async function makeAccount(board: Board, context: RequestContext) {
  const fields = await readInput(context, userOperations.create)
  if (!isAdmin(context.caller)) {
    await registerUser(board, context, fields)
    return accepted({ message: REGISTERED })
  }
  const user = await createUser(board, context, fields)
  return created(board.links.to(`/users/${user.id}.json`), presentUser(user))
}
