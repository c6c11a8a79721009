import { Elysia } from 'elysia'
import { floorToSecond } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, type RouteContext } from '../../http/route.ts'
import type { JobRow } from '../../store/rows.ts'
import { countText } from '../pages/view.ts'
import type { Admin } from './admin.ts'
import { valuesText } from './changeColumns.ts'
import { changeList } from './changeList.ts'
import { CHANGES_PATH, recordName } from './changeSentences.ts'
import { formView } from './formView.ts'
import { withNotice } from './notices.ts'
import { fingerprintOf, putBack } from './putBack.ts'
import { planPutBack, type PutBackPlan } from './putBackPlan.ts'

/** How many of the jobs that come back a page names. */
const MAX_TITLES = 20

/** Creates the pages of the journal, from which changes are put back. */
export function changePages(admin: Admin) {
  const form = putBackForm(admin)
  return new Elysia({ name: 'administration of changes' })
    .get(CHANGES_PATH, ...admin.page(context => changeList(admin, context)))
    .use(formAt(`${CHANGES_PATH}/:id/put-back`, form))
}

const putBackForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: context =>
      planOrReason(admin, context) instanceof Problem ? "This can't be put back" : 'Put this back?',
    fields: () => [],
    hidden: context => {
      const plan = planOrReason(admin, context)
      return { seen: plan instanceof Problem ? '' : fingerprintOf(plan) }
    },
    view: context => {
      const plan = planOrReason(admin, context)
      const isPossible = !(plan instanceof Problem)
      return formView({
        texts: isPossible ? textsOf(admin, plan) : [plan.message],
        button: isPossible ? 'Put back' : '',
        cancel_path: CHANGES_PATH,
      })
    },
    submit: async ({ caller, params }, { values }) => {
      await putBack(admin.board, caller, params.id, values.get('seen'))
      return seeOther(withNotice(CHANGES_PATH, 'putBack'))
    },
  })

/** Returns what putting back the change of a page does, or why it can't be put back. @throws Problem 'notFound' */
function planOrReason({ board }: Admin, { params }: RouteContext): PutBackPlan | Problem {
  try {
    return planPutBack(board.store.read, params.id, floorToSecond(board.clock()))
  } catch (error) {
    if (error instanceof Problem && error.kind === 'conflict') return error
    throw error
  }
}

function textsOf({ board }: Admin, { table, id, rows, changes, notes }: PutBackPlan): string[] {
  const name = recordName(board, table, id)
  const jobs = rows.filter(row => row.table === 'jobs').map(({ row }) => (row as JobRow).title)
  const isLabel = table === 'categories' || table === 'terms'
  return [
    changes.length > 0
      ? `${name} gets its earlier values back:`
      : isLabel && jobs.length > 0
        ? `${name} comes back as it was, with ${countText(jobs.length)} that ${jobs.length === 1 ? 'was' : 'were'} deleted with it:`
        : `${name} comes back as it was.`,
    ...changes.flatMap(({ column, from, to }) => valuesText(board, column, from, to)),
    ...(isLabel ? jobs.slice(0, MAX_TITLES) : []),
    ...(isLabel && jobs.length > MAX_TITLES ? [`… and ${jobs.length - MAX_TITLES} more`] : []),
    ...notes,
  ]
}
