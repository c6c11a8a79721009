import { Elysia } from 'elysia'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { guard } from '../../http/auth.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { Reply } from '../../http/response/reply.ts'
import { FOR_EVER } from '../../http/response/send.ts'
import { LOGO_TYPE } from '../../images/logoEncoder.ts'
import { logoOperation } from './operations.ts'

export const logoRoutes = ({ logos }: Board) =>
  new Elysia({ name: 'logos' }).use(guard).get(
    '/logos/:name',
    async ({ params, exchange: context }) => {
      const { name } = params
      context.isLate = true
      const bytes = await logos.read(name)
      if (!bytes) throw notFound('logo')
      const logo = EncodedBody.picture(bytes, LOGO_TYPE, name)
      return new Reply<Blob, 200>(logo, undefined, { 'cache-control': FOR_EVER })
    },
    { needs: 'nobody', ...logoOperation },
  )
