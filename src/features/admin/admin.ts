import { isAdmin } from '../../base/caller.ts'
import type { Later } from '../../base/later.ts'
import { forbidden } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { bodyLimits } from '../../http/request/body.ts'
import { readFields } from '../../http/request/fields.ts'
import { type HiddenReply, type Reply, seeOther } from '../../http/response/reply.ts'
import { hiddenRoute, type RouteContext } from '../../http/route.ts'
import type { Fields } from '../../validation/validation.ts'
import type { Desk } from '../desk/desk.ts'
import { type FormPage, formRoutes, requireGenuine } from '../desk/form.ts'
import type { TemplateName } from '../pages/templates.ts'
import { attentionOf } from './attention.ts'
import { noticeOf } from './notices.ts'
import { SECTIONS } from './sections.ts'

const OK = 200

/** What the pages for administrators share. */
export class Admin {
  readonly board: Board

  constructor(readonly desk: Desk) {
    this.board = desk.board
  }

  /** Creates the route of a page. Visitors sign in first, and accounts without the role get an error page. */
  page(handle: (context: RouteContext) => Later<Reply>) {
    const asAdmin = (context: RouteContext) => {
      requireAdmin(context)
      return handle(context)
    }
    return hiddenRoute(this.desk.signedIn(asAdmin))
  }

  /** Replies with a page in the frame of the administration. */
  reply(
    context: RouteContext,
    template: TemplateName,
    heading: string,
    view: object,
    headers: Readonly<Record<string, string>> = {},
  ): HiddenReply {
    const all = { heading, admin: this.frame(context), ...view }
    return this.desk.reply(context, template, heading, all, OK, headers)
  }

  /** Creates the routes of a form, in the frame of the administration. */
  form(page: Omit<FormPage, 'access'>) {
    const view: FormPage['view'] = (context, state) => ({
      admin: this.frame(context),
      ...page.view?.(context, state),
    })
    return formRoutes(this.desk, { ...page, access: 'admin', view })
  }

  /** Creates the route of a button. @param act does what the button says, and returns the path to go to */
  action(act: (context: RouteContext, fields: Fields) => Later<string>) {
    const submit = async (context: RouteContext): Promise<Reply> => {
      requireAdmin(context)
      const fields = await readFields(context, bodyLimits({ access: 'admin' }))
      requireGenuine(context, fields)
      return seeOther(await act(context, fields))
    }
    return hiddenRoute(this.desk.signedIn(submit))
  }

  private frame({ path, query }: RouteContext) {
    const waiting = attentionOf(this.board)
    const sections = SECTIONS.map(({ path: own, label, count }) => ({
      path: own,
      label,
      count: count?.(waiting) ?? 0,
      is_current: own === '/admin' ? path === own : path === own || path.startsWith(`${own}/`),
    }))
    return { sections, notice: noticeOf(query) }
  }
}

/** @throws Problem 'forbidden' */
function requireAdmin({ caller }: RouteContext): void {
  if (!isAdmin(caller)) throw forbidden()
}
