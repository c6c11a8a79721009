import { Type } from '@sinclair/typebox'
import plainCard from '../../assets/plain-card.png' with { type: 'file' }
import { errorStack } from '../../base/error.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { notModified } from '../../http/response/encoder.ts'
import { IMMUTABLE, PRIVATE } from '../../http/response/headers.ts'
import { matchesETag } from '../../http/response/negotiation.ts'
import { Reply } from '../../http/response/reply.ts'
import { route } from '../../http/route.ts'
import { fileResponse } from '../../http/routeDescription.ts'
import { CARD_TYPE } from '../../images/cardRenderer.ts'
import type { JobRow } from '../../store/rows.ts'
import { parentsOf, presentCard, previewVersion } from './present.ts'

const FIVE_MINUTES = 'public, max-age=300'

type ImageReply = Reply<Blob, 200>
type GetJob = (context: RequestContext, id: number) => JobRow

/**
 * Creates the route of a job's preview image, `/jobs/7.png`, which is drawn when it is first requested.
 * @param getJob returns the job, if the caller may see it
 */
export const previewImage = (board: Board, getJob: GetJob) =>
  route(
    {
      id: 'getJobPicture',
      access: 'public',
      scope: 'jobs:read',
      tag: 'Images',
      summary: "Read a job's preview image",
      description:
        'A PNG of 1200 × 630 pixels for social networks. At the URL in `preview_image_url` it never changes; without the current `v` it is cached for five minutes.',
      forAccounts: 'Its owner and administrators see it while the job is not active, too.',
      query: Type.Object({
        v: Type.Optional(
          Type.String({ description: 'The version of the image.', examples: ['2zq1x5dnv8e3k'] }),
        ),
      }),
      responses: { 200: fileResponse(CARD_TYPE, 'The image.') },
      errors: { notFound: 'The job does not exist, or is not active.' },
    },
    context => reply(board, context, getJob(context, context.params.id)),
  )

async function reply(board: Board, context: RequestContext, job: JobRow): Promise<ImageReply> {
  const version = previewVersion(job, parentsOf(job, board.store.read), board.links.cardVersion)
  const etag = `"${version}"`
  const headers = { 'cache-control': lifetime(context, version) }
  if (matchesETag(context.header('if-none-match'), etag)) return notModified(etag, headers)
  try {
    return new Reply<Blob, 200>(await image(board, job, version), 200, headers)
  } catch (error) {
    if (error instanceof Problem) throw error
    board.log.error('a preview image could not be drawn', { job: job.id, cause: errorStack(error) })
    const bytes = await Bun.file(plainCard).bytes()
    return new Reply<Blob, 200>(EncodedBody.file(bytes, CARD_TYPE), 200, { 'cache-control': PRIVATE })
  }
}

/** Returns the image, cached under a hash of everything it shows, so that the entry is always valid. */
const image = (board: Board, job: JobRow, version: string) =>
  board.responses.getOrCreate(
    `card ${job.id} ${version}`,
    () => 0,
    () => draw(board, job, version),
  )

/** @throws Problem 'busy' if too many images are being drawn */
async function draw({ images, store, config }: Board, job: JobRow, version: string): Promise<EncodedBody> {
  const card = presentCard(job, parentsOf(job, store.read), config)
  const bytes = await images.cardRenderer.render(card, await images.logos.read(job.logo))
  return EncodedBody.file(bytes, CARD_TYPE, version)
}

function lifetime({ isPrivate, query }: RequestContext, version: string): string {
  if (isPrivate) return PRIVATE
  return query.get('v') === version ? IMMUTABLE : FIVE_MINUTES
}
