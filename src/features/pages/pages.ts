import { readFileSync } from 'node:fs'
import { FILE_PATH } from '../../accounts/sessionCookie.ts'
import { ADMIN_STYLE } from '../../assets/admin.ts'
import { DESK_SCRIPT, DESK_STYLE } from '../../assets/desk.ts'
import icon from '../../assets/pages/icon.svg' with { type: 'text' }
import script from '../../assets/pages/script.js' with { type: 'text' }
import { FONT_FILE, STYLE } from '../../assets/style.ts'
import { isAdmin } from '../../base/caller.ts'
import { andThen, type Later } from '../../base/later.ts'
import type { Board } from '../../board.ts'
import { pathPattern } from '../../http/paths.ts'
import type { PageView, RequestContext } from '../../http/request/context.ts'
import { formToken } from '../../http/request/formToken.ts'
import { Assets } from '../../http/response/assets.ts'
import { ConfirmationPage } from '../../http/response/confirmation.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import { ErrorReply } from '../../http/response/errors.ts'
import { PRIVATE } from '../../http/response/headers.ts'
import { prefersHtml } from '../../http/response/negotiation.ts'
import { type HiddenReply, Reply } from '../../http/response/reply.ts'
import { EncodedReply } from '../../http/response/responseCache.ts'
import { EXTRA_STYLE_FILE, readCustomFiles, STYLE_FILE } from './customFiles.ts'
import { presentErrorPage } from './errorPage.ts'
import { ownLogoPath, type OwnPage, ownPagesIn } from './ownPages.ts'
import { CONFIRMATION_HEADERS, HEADERS, NEGOTIATED_HEADERS } from './pageHeaders.ts'
import { PublicFiles } from './publicFiles.ts'
import { type TemplateName, Templates } from './templates.ts'
import { plainHead } from './view.ts'

const HTML = 'text/html; charset=utf-8'

/** The link of a confirmation that leads nowhere else. */
const ALL_JOBS = { path: '/', text: 'See all jobs' }

const PAGE_PATHS = ['/', '/jobs/{id}', '/jobs/{id}/apply', '/subscribe'].map(pathPattern)
/** The only path of the API that a form on a page is sent to. */
const SUBSCRIBERS = '/subscribers.json'

/** The pages of a board, based on the same records and rules as its API. */
export class Pages {
  readonly files: Assets
  /** The operator's own files, if there is a folder for them. */
  readonly publicFiles: PublicFiles | undefined
  /** The pages that the operator wrote, such as an imprint. */
  readonly ownPages: readonly OwnPage[]
  private readonly templates: Templates
  /** The variables of every template. */
  private readonly globals: object

  /** @throws Problem if one of the operator's own templates is invalid */
  constructor(private readonly board: Board) {
    const { config, links, log, responses } = board
    const own = readCustomFiles(config.pagesDir, names =>
      log.warn('unknown files in the templates folder', { files: names.join(', ') }),
    )
    this.publicFiles = config.pagesDir === undefined ? undefined : new PublicFiles(config.pagesDir, responses)
    this.ownPages = ownPagesIn(own, config)
    const style = `${own.get(STYLE_FILE) ?? STYLE}\n${own.get(EXTRA_STYLE_FILE) ?? ''}`
    this.files = new Assets('/pages/', config.accent, { style, script, icon }, readFileSync(FONT_FILE))
    const deskFiles = {
      desk_style: this.files.addText('desk', '.css', DESK_STYLE),
      admin_style: this.files.addText('admin', '.css', ADMIN_STYLE),
      desk_script: this.files.addText('desk', '.js', DESK_SCRIPT),
    }
    this.globals = {
      board: {
        name: config.name,
        url: links.to('/'),
        tagline: config.tagline ?? '',
        logo_path: ownLogoPath(config.pagesDir) || (config.logo === '' ? '' : `/logos/${config.logo}`),
        sends_mail: board.mail.outbox.isEnabled,
        sends_alerts: board.mail.outbox.isEnabled && config.digest !== 'off',
        can_register: config.registration === 'open',
        pages: this.ownPages,
      },
      files: { ...this.files.paths, ...deskFiles },
    }
    this.templates = new Templates(own)
  }

  /** Renders a template as a page, with the menu of the account that is signed in. */
  render(context: RequestContext, template: TemplateName, view: object, type = HTML): EncodedBody {
    const globals = { ...this.globals, account: this.accountOf(context) }
    return EncodedBody.text(this.templates.render(template, view, globals), type)
  }

  /** Replies with a page for this caller alone. */
  privateReply(
    context: RequestContext,
    template: TemplateName,
    view: object,
    status: number,
    headers: Readonly<Record<string, string>>,
  ): HiddenReply {
    const all = { ...CONFIRMATION_HEADERS, 'cache-control': PRIVATE, ...headers }
    return new Reply<never, 200>(this.render(context, template, view), status, all)
  }

  private accountOf({ session, caller }: RequestContext): object | null {
    const user = session && this.board.store.read.users.get(session.account.userId)
    return user ? { email: user.email, is_admin: isAdmin(caller), csrf: formToken(session) } : null
  }

  /**
   * Replies with a page that is the same for everybody, rendered once for each state of the board. Somebody who is signed
   * in gets their own, which is not cached.
   * @param key the path and query, in canonical form
   * @param create returns the page, or a reply with the page view that it counts as
   * @param view the page view that it counts as otherwise
   */
  cached(
    context: RequestContext,
    key: string,
    create: () => Later<EncodedBody | PageReply>,
    view?: PageView,
  ): Later<HiddenReply> {
    const { responses, jobIndex } = this.board
    const createReply = () =>
      andThen(create(), page => (page instanceof EncodedBody ? htmlReply(page, view) : page))
    const version = () => jobIndex.version
    return andThen(
      context.session ? createReply() : responses.getOrCreate(key, version, createReply, true),
      reply => {
        context.view = reply.view
        return reply
      },
    )
  }

  /** Turns a message or an error into a page, where a browser asks for one. */
  asPage(context: RequestContext, reply: Reply): Reply {
    const isConfirmation = reply instanceof ConfirmationPage
    if (!isConfirmation && !((reply instanceof ErrorReply || isMessage(reply)) && wantsPage(context)))
      return reply
    try {
      if (isConfirmation) return this.confirmationPage(context, reply)
      return reply instanceof ErrorReply ? this.errorPage(context, reply) : this.messagePage(context, reply)
    } catch (error) {
      this.board.log.error('a page could not be rendered', { id: context.id, cause: String(error) })
      return reply
    }
  }

  private messagePage(context: RequestContext, { body: { message }, status }: Message): Reply {
    const view = { head: plainHead(this.board, message), heading: message }
    return new Reply(this.render(context, 'notice', view), status, NEGOTIATED_HEADERS)
  }

  private confirmationPage(
    context: RequestContext,
    { title, content, status, headers }: ConfirmationPage,
  ): Reply {
    const field = content.field ? { error: '', ...content.field } : null
    const view = {
      head: plainHead(this.board, title),
      heading: title,
      button: '',
      link: ALL_JOBS,
      ...content,
      field,
    }
    return new Reply(this.render(context, 'confirmation', view), status, {
      ...headers,
      ...CONFIRMATION_HEADERS,
    })
  }

  private errorPage(context: RequestContext, reply: ErrorReply): Reply {
    const { status, view } = presentErrorPage(this.board, context, reply)
    return new Reply(this.render(context, 'error', view), status, { ...reply.headers, ...NEGOTIATED_HEADERS })
  }
}

type PageReply = EncodedReply<never>

export const htmlReply = (body: EncodedBody, view?: PageView) => new EncodedReply<never>(body, HEADERS, view)

type Message = Reply & { readonly body: { readonly message: string } }

/** Returns whether a reply consists of a message. */
const isMessage = (reply: Reply): reply is Message => reply.body instanceof Object && 'message' in reply.body

/** Returns whether the client wants a page: by default at the paths of pages, elsewhere only if it asks for HTML. */
function wantsPage({ isRead, path, request }: RequestContext): boolean {
  const isPage = isRead && PAGE_PATHS.some(pattern => pattern.test(path))
  const mayBePage = isRead || request.method === 'POST' ? !FILE_PATH.test(path) : false
  return (
    (isPage || mayBePage || (request.method === 'POST' && path === SUBSCRIBERS)) &&
    prefersHtml(request.headers.get('accept'), isPage)
  )
}
