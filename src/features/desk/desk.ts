import type { Session } from '../../base/caller.ts'
import { DAY } from '../../base/clock.ts'
import { SlidingWindow } from '../../base/slidingWindow.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { type HiddenReply, seeOther } from '../../http/response/reply.ts'
import type { RouteContext } from '../../http/route.ts'
import type { Pages } from '../pages/pages.ts'
import type { TemplateName } from '../pages/templates.ts'
import { plainHead } from '../pages/view.ts'
import { Once } from './once.ts'

/** A request by somebody who is signed in. */
export type SignedIn = RouteContext & { readonly session: Session }

/** What the pages for accounts share: the board, and its templates. */
export class Desk {
  /** Keeps a double click from creating or renewing something twice. */
  readonly once = new Once()

  /** Counts the drafts of each network that were entered without an account. */
  readonly unclaimed: SlidingWindow

  constructor(
    readonly board: Board,
    readonly pages: Pages,
  ) {
    this.unclaimed = new SlidingWindow(board.clock, DAY)
  }

  /** Replies with a page for this caller alone. */
  reply(
    context: RequestContext,
    template: TemplateName,
    title: string,
    view: object,
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ): HiddenReply {
    const head = plainHead(this.board, title)
    return this.pages.privateReply(context, template, { head, ...view }, status, headers)
  }

  /** Wraps a handler that requires a session: without one, it sends the browser to sign in first. */
  readonly signedIn =
    <R>(handle: (context: SignedIn) => R) =>
    (context: RouteContext): R | HiddenReply =>
      isSignedIn(context) ? handle(context) : seeOther(signInPath(context))
}

const isSignedIn = (context: RouteContext): context is SignedIn => context.session !== undefined

/** Returns the path of the page to sign in, which leads back to this page. */
export const signInPath = ({ target, isRead, path }: RequestContext) =>
  `/sign-in?next=${encodeURIComponent(isRead ? target : path)}`

/** Matches a path of this board. Browsers read `//` and `/\` as the beginning of another host. */
const OWN_PATH = /^\/(?![/\\])[\w\-.~/?=&%+]*$/

/** Returns where to go after signing in: only to a path of this board. */
export const nextPath = (next: unknown) =>
  typeof next === 'string' && OWN_PATH.test(next) ? next : '/account'
