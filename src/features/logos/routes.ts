import { Elysia } from 'elysia'
import { notFound } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { IMMUTABLE } from '../../http/response/headers.ts'
import { Reply } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { fileResponse } from '../../http/routeDescription.ts'
import { LOGO_TYPE } from '../../images/logoEncoder.ts'

export const logoRoutes = ({ images }: Board) =>
  new Elysia({ name: 'logos' }).get(
    '/logos/:name',
    ...route(
      {
        id: 'getLogo',
        access: 'public',
        tag: 'Images',
        summary: 'Read a logo',
        description:
          "At the URL in a job's `logo`. The image there never changes: a new logo has a new name.",
        responses: { 200: fileResponse(LOGO_TYPE, 'The logo.') },
        errors: { notFound: 'The logo does not exist.' },
      },
      async ({ params: { name } }) => {
        const bytes = await images.logos.read(name)
        if (!bytes) throw notFound('logo')
        const logo = EncodedBody.file(bytes, LOGO_TYPE, name)
        return new Reply<Blob, 200>(logo, 200, { 'cache-control': IMMUTABLE })
      },
    ),
  )
