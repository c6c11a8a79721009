import icon from '../../assets/pages/icon.svg' with { type: 'text' }
import script from '../../assets/pages/script.js' with { type: 'text' }
import type { Board } from '../../board.ts'
import { ID_PATTERN } from '../../http/paths.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { Assets } from '../../http/response/assets.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import type { ErrorReply } from '../../http/response/errors.ts'
import { prefersHtml } from '../../http/response/negotiation.ts'
import type { QueryKeys } from '../../http/response/queryKeys.ts'
import { type HtmlReply, MessageReply, Reply } from '../../http/response/reply.ts'
import type { JobRow } from '../../store/rows.ts'
import { presentErrorPage, SUBSCRIBERS } from './errorPage.ts'
import { presentListPage } from './list.ts'
import { presentPosting } from './posting.ts'
import { LIST_KEYS, readPageQuery } from './query.ts'
import { readCustomFiles, type TemplateName, Templates } from './templates.ts'
import { plainHead } from './view.ts'
import style from '../../assets/pages/style.css' with { type: 'text' }

const HTML = 'text/html; charset=utf-8'

/** Nothing comes from another host, and nothing that a posting says is a script, a style or a form. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // companies see which board their applicants come from, and not what they looked for
  'referrer-policy': 'strict-origin-when-cross-origin',
}

/** The same paths tell programs in JSON. */
const TOLD = { ...HEADERS, vary: 'Accept, Authorization, Accept-Encoding, Origin' }

const PAGE_PATH = new RegExp(`^/(?:jobs/${ID_PATTERN}|subscribe)?$`)
const FILE_PATH = /\.\w+$/

/** The pages of a board, made from the same records and rules as its interface. */
export class Pages {
  readonly files: Assets
  private readonly templates: Templates

  /** @throws Problem if a template of the operator's own can't be read */
  constructor(private readonly board: Board) {
    const { config, links, log } = board
    const own = readCustomFiles(config.pagesDir, names =>
      log.warn('the folder of templates has files that are none', { files: names.join(', ') }),
    )
    this.files = new Assets('/pages/', config.accent, { style: own.get('style.css') ?? style, script, icon })
    this.templates = new Templates(own, {
      board: { name: config.name, url: links.to('/') },
      files: this.files.paths,
    })
  }

  list = (context: RequestContext): HtmlReply | Promise<HtmlReply> => {
    // the page's own script asks for results at every pause in typing, which is one visit
    if (context.request.headers.get('sec-fetch-dest') !== 'empty') context.view = { path: '/' }
    return this.keptFor(context, LIST_KEYS, async () =>
      this.render('list', await presentListPage(this.board, readPageQuery(context))),
    )
  }

  /**
   * The page of a job: mostly as everybody sees it, else as its owner will have it seen.
   * @param read gives it to a caller who may see it
   */
  posting = (id: number, context: RequestContext, read: () => JobRow): HtmlReply | Promise<HtmlReply> => {
    context.view = { path: `/jobs/${id}`, job: this.board.listing.get(id) }
    const make = () => this.render('posting', presentPosting(this.board, read()))
    return this.board.listing.isActive(id) ? this.kept(`/jobs/${id}`, make) : pageReply(make())
  }

  /** What somebody is told as a page, where a person asked. */
  asPage(context: RequestContext, told: ErrorReply | MessageReply): Reply {
    if (!wantsPage(context)) return told
    if (told instanceof MessageReply) {
      const view = { head: plainHead(this.board, told.message), heading: told.message }
      return new Reply(this.render('notice', view), told.status, TOLD)
    }
    const { status, view } = presentErrorPage(this.board, context, told)
    return new Reply(this.render('error', view), status, { ...told.headers, ...TOLD })
  }

  /** What a template makes of a view, as it goes out. */
  render(template: TemplateName, view: object, type = HTML): EncodedBody {
    return EncodedBody.text(this.templates.render(template, view), type)
  }

  /** What a path and its query show, which may be what a search finds. */
  keptFor(
    context: RequestContext,
    keys: QueryKeys,
    make: () => Promise<EncodedBody>,
  ): HtmlReply | Promise<HtmlReply> {
    const key = keys.of(context)
    const page = key === undefined ? make().then(pageReply) : this.kept(`${context.path}?${key}`, make)
    if (page instanceof Promise) context.isLate = true
    return page
  }

  /** A body that is made once for each state of the board. */
  kept(key: string, make: () => EncodedBody | Promise<EncodedBody>): HtmlReply | Promise<HtmlReply> {
    const { pageBodies, listing } = this.board
    const body = pageBodies.keeping(key, () => listing.version, make)
    return body instanceof Promise ? body.then(pageReply) : pageReply(body)
  }
}

const pageReply = (body: EncodedBody): HtmlReply => new Reply<never, 200>(body, undefined, HEADERS)

/** Whether a person asked: on the paths of pages unless the client wants JSON, on others only if it wants a page. */
function wantsPage({ isRead, path, request }: RequestContext): boolean {
  const isPage = isRead && PAGE_PATH.test(path)
  const mayBePage = isRead ? !FILE_PATH.test(path) : request.method === 'POST' && path === SUBSCRIBERS
  return (isPage || mayBePage) && prefersHtml(request.headers.get('accept'), isPage)
}
