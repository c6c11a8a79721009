import { Elysia } from 'elysia'
import { missing } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { FOR_EVER, inOnePiece } from '../../http/answer.ts'
import { guard } from '../../http/auth.ts'
import { matches } from '../../http/negotiate.ts'
import { LOGO_TYPE } from '../../images/logo.ts'
import { logoOperation } from './operations.ts'

export const logoRoutes = ({ logos }: Board) =>
  new Elysia({ name: 'logos' }).use(guard).get(
    '/logos/:name',
    async ({ request, params, exchange }) => {
      const { name } = params
      exchange.isLate = true
      const bytes = await logos.read(name)
      if (!bytes) throw missing('logo')
      const headers = { 'content-type': LOGO_TYPE, 'cache-control': FOR_EVER, etag: `"${name}"` }
      if (matches(request.headers.get('if-none-match'), headers.etag))
        return new Response(null, { status: 304, headers })
      return new Response(inOnePiece(exchange, bytes), { headers })
    },
    { needs: 'nobody', ...logoOperation },
  )
