import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { parseJsonToken } from '../../http/paths.ts'
import { readInput } from '../../http/request/input.ts'
import { POSTS_PER_MINUTE } from '../../http/request/rateLimit.ts'
import { accepted } from '../../http/response/reply.ts'
import { requestReset, requireResetToken, resetPassword } from './actions.ts'
import { resetOperations } from './operations.ts'

export const resetRoutes = (board: Board) =>
  new Elysia({ name: 'resets' })
    .use(guard)

    .post(
      '/password-resets.json',
      async ({ exchange: context }) => {
        await requestReset(board, await readInput(context, resetOperations.request))
        return accepted({ message: board.mail.outbox.isEnabled ? MAILED : NO_MAIL })
      },
      { needs: 'nobody', perMinute: POSTS_PER_MINUTE, ...resetOperations.request },
    )

    .put(
      '/password-resets/:token',
      async ({ exchange: context, params }) => {
        const token = parseJsonToken(params.token)
        requireResetToken(board, token)
        const input = await readInput(context, resetOperations.reset)
        await resetPassword(board, token, input, context.client)
        return { message: 'The new password holds from now on.' }
      },
      { needs: 'nobody', ...resetOperations.reset },
    )

const MAILED = 'Please look into your mail: if the address has an account, there is a way to a new password.'
const NO_MAIL = 'This board sends no mail: please ask its administrator for a new password.'
