import plain from '../../assets/plain-card.png' with { type: 'file' }
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { matchesETag } from '../../http/response/negotiation.ts'
import { type HtmlReply, Reply } from '../../http/response/reply.ts'
import { FOR_EVER } from '../../http/response/send.ts'
import { CARD_TYPE } from '../../images/cardRenderer.ts'
import type { JobRow } from '../../store/rows.ts'
import { parentsOf, presentCard, previewVersion } from './present.ts'

const FIVE_MINUTES = 'public, max-age=300'
const NEVER = 'private, no-store'
const NOT_MODIFIED = 304

/** Jobs' preview images, each drawn when it is first asked for, and kept while there is room. */
export class Pictures {
  /** By job and tag: whoever asks for what is being drawn gets that. */
  private readonly underway = new Map<string, Promise<EncodedBody>>()

  constructor(private readonly board: Board) {}

  /**
   * Answers with the image of a job that the caller may see.
   * @throws Problem 'busy' if too many wait for theirs already
   */
  answer(job: JobRow, context: RequestContext): HtmlReply | Promise<HtmlReply> {
    const version = previewVersion(job, parentsOf(job, this.board.store.read), this.board.links.edition)
    const etag = `"${version}"`
    const headers = { 'cache-control': lifetime(context, version) }
    if (matchesETag(context.request.headers.get('if-none-match'), etag))
      return new Reply<never, 200>(undefined, NOT_MODIFIED, { ...headers, etag })
    const kept = this.board.previews.get(job.id)
    return kept?.etag === etag
      ? new Reply<never, 200>(kept, undefined, headers)
      : this.answerLater(job, version, context, headers)
  }

  private async answerLater(
    job: JobRow,
    version: string,
    context: RequestContext,
    headers: Record<string, string>,
  ): Promise<HtmlReply> {
    try {
      context.isLate = true
      return new Reply<never, 200>(await this.preview(job, version), undefined, headers)
    } catch (error) {
      if (error instanceof Problem) throw error
      this.board.log.error('a preview image could not be drawn', { job: job.id, cause: causeOf(error) })
      const bytes = await Bun.file(plain).bytes()
      return new Reply<never, 200>(EncodedBody.picture(bytes, CARD_TYPE), undefined, {
        'cache-control': NEVER,
      })
    }
  }

  private preview(job: JobRow, version: string): Promise<EncodedBody> {
    const key = `${job.id} ${version}`
    const underway =
      this.underway.get(key) ?? this.draw(job, version).finally(() => this.underway.delete(key))
    this.underway.set(key, underway)
    return underway
  }

  private async draw(job: JobRow, version: string): Promise<EncodedBody> {
    const { painter, previews, logos, store, config } = this.board
    const card = presentCard(job, parentsOf(job, store.read), config.name)
    const bytes = await painter.render(card, await logos.read(job.logo))
    const preview = EncodedBody.picture(bytes, CARD_TYPE, version)
    // the job may have gone meanwhile
    return store.read.jobs.has(job.id) ? previews.keep(job.id, preview) : preview
  }
}

function lifetime({ isPrivate, query }: RequestContext, version: string): string {
  if (isPrivate) return NEVER
  return query.get('v') === version ? FOR_EVER : FIVE_MINUTES
}

const causeOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
