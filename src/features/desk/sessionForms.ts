import { writeAs } from '../../accounts/writeAs.ts'
import { notFound } from '../../base/problem.ts'
import { seeOther } from '../../http/response/reply.ts'
import type { Desk } from './desk.ts'
import { formRoutes } from './form.ts'
import { buttons, ownId, SETTINGS } from './settingsPage.ts'

/** Creates the form to end one of the account's sessions. */
export const endForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    title: 'End this session?',
    access: 'user',
    fields: () => [],
    view: () => ({ ...buttons('End the session'), texts: [] }),
    submit: async ({ caller, params }) => {
      await writeAs(desk.board.store, caller, ({ sessions }) => {
        if (sessions.get(params.id)?.userId !== caller.userId) throw notFound('session')
        sessions.remove(params.id)
      })
      return seeOther(`${SETTINGS}?done=session`)
    },
  })

/** Creates the form to end all sessions of the account but this one. */
export const endOthersForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    title: 'End all other sessions?',
    access: 'user',
    fields: () => [],
    view: () => ({ ...buttons('End all others'), texts: [] }),
    submit: async context => {
      const userId = ownId(context)
      await writeAs(desk.board.store, context.caller, ({ sessions }) => {
        for (const id of sessions.idsWhere('userId', userId))
          if (id !== context.session?.id) sessions.remove(id)
      })
      return seeOther(`${SETTINGS}?done=sessions`)
    },
  })
