import { Elysia } from 'elysia'
import { isAdmin } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import type { Exchange } from '../../http/exchange.ts'
import { idOfJson } from '../../http/ids.ts'
import { readInput } from '../../http/input.ts'
import { POSTS_PER_MINUTE } from '../../http/limit.ts'
import { listPage } from '../../http/list.ts'
import { answerLink } from '../../http/page.ts'
import { accepted, created } from '../../http/reply.ts'
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

    .post('/users.json', ({ exchange }) => makeAccount(board, exchange), {
      ...REGISTRATION[board.config.registration],
      ...userOperations.create,
    })

    .get(
      '/users.json',
      ({ exchange }) => listPage(exchange, board.links, board.store.read.users.all(), presentUser),
      { needs: 'admin', ...userOperations.list },
    )

    .get('/users/me.json', ({ caller }) => presentUser(getUser(board, caller, caller.userId)), {
      needs: 'user',
      ...userOperations.readOwn,
    })

    .get('/users/:id', ({ params, caller }) => presentUser(getUser(board, caller, idOfJson(params.id))), {
      needs: 'user',
      ...userOperations.read,
    })

    .get(
      '/users/confirm.json',
      ({ exchange }) =>
        answerLink(exchange, 'Your account', () => {
          const { email } = userOfToken(board, exchange.query.get('token') ?? '')
          return { message: `Is ${email} your address?`, button: 'Yes, confirm it' }
        }),
      { needs: 'nobody', ...userOperations.askConfirmation },
    )

    .post(
      '/users/confirm.json',
      ({ exchange }) =>
        answerLink(exchange, 'Your account', async () => {
          const { email } = await confirmUser(board, exchange.query.get('token') ?? '')
          return { message: `Thank you: ${email} is confirmed, and can post jobs.` }
        }),
      { needs: 'nobody', ...userOperations.confirm },
    )

    .put(
      '/users/:id',
      async ({ exchange, params, caller }) => {
        const { id } = getUser(board, caller, idOfJson(params.id))
        return presentUser(
          await updateUser(board, exchange, id, await readInput(exchange, userOperations.update)),
        )
      },
      { needs: 'user', ...userOperations.update },
    )

    .delete(
      '/users/:id',
      async ({ params, caller }) => {
        const user = await removeUser(board, caller, idOfJson(params.id))
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

async function makeAccount(board: Board, exchange: Exchange) {
  const sent = await readInput(exchange, userOperations.create)
  if (!isAdmin(exchange.caller)) {
    await registerUser(board, exchange, sent)
    return accepted({ message: REGISTERED })
  }
  const user = await createUser(board, exchange, sent)
  return created(board.links.to(`/users/${user.id}.json`), presentUser(user))
}
