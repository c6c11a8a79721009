import { Elysia } from 'elysia'
import { missing } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { FOR_EVER } from '../../http/answer.ts'
import { guard } from '../../http/auth.ts'
import { Rendered } from '../../http/rendered.ts'
import { Reply } from '../../http/reply.ts'
import { LOGO_TYPE } from '../../images/logo.ts'
import { logoOperation } from './operations.ts'

export const logoRoutes = ({ logos }: Board) =>
  new Elysia({ name: 'logos' }).use(guard).get(
    '/logos/:name',
    async ({ params, exchange }) => {
      const { name } = params
      exchange.isLate = true
      const bytes = await logos.read(name)
      if (!bytes) throw missing('logo')
      const logo = Rendered.picture(bytes, LOGO_TYPE, name)
      return new Reply<Blob, 200>(logo, undefined, { 'cache-control': FOR_EVER })
    },
    { needs: 'nobody', ...logoOperation },
  )
