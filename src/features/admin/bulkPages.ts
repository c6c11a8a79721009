import { Elysia } from 'elysia'
import type { Caller } from '../../base/caller.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, type RouteContext } from '../../http/route.ts'
import { deleteJob } from '../jobs/actions.ts'
import { approveJob, closeJob } from '../jobs/lifecycle.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { withNotice } from './notices.ts'

const MAX_JOBS = 100

interface BulkAction {
  /** The heading of the page that asks. */
  readonly question: string
  readonly button: string
  readonly notice: 'approved' | 'closed' | 'deleted'
  readonly run: (board: Board, caller: Caller, id: number) => Promise<unknown>
}

const ACTIONS: Readonly<Record<string, BulkAction>> = {
  approve: { question: 'Approve these jobs?', button: 'Approve', notice: 'approved', run: approveJob },
  close: { question: 'Close these jobs?', button: 'Close', notice: 'closed', run: closeJob },
  delete: { question: 'Delete these jobs?', button: 'Delete', notice: 'deleted', run: deleteJob },
}

/** Creates the page that lists the selected jobs, and does something with all of them. */
export function bulkPages(admin: Admin) {
  const form = admin.form({
    template: 'adminForm',
    title: context => actionOf(context).question,
    fields: () => [],
    view: context =>
      formView({
        texts: titlesOf(admin, idsOf(context)),
        button: actionOf(context).button,
        is_danger: actionOf(context).notice === 'deleted',
        cancel_path: '/admin/jobs',
      }),
    submit: async context => {
      const { run, notice } = actionOf(context)
      const failures = await runAll(admin.board, context, run)
      if (failures.length > 0) throw new Problem('conflict', failures.join(' '))
      return seeOther(withNotice('/admin/jobs', notice))
    },
  })
  return new Elysia({ name: 'administration of many jobs' }).use(formAt('/admin/jobs/bulk', form))
}

/** Runs an action on every job, each in its own transaction, and returns why it failed for some. */
async function runAll(board: Board, context: RouteContext, run: BulkAction['run']): Promise<string[]> {
  const failures: string[] = []
  for (const id of idsOf(context))
    try {
      await run(board, context.caller, id)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const title = board.store.read.jobs.get(id)?.title ?? `Job ${id}`
      failures.push(`${title}: ${error.message}`)
    }
  return failures
}

/** @throws Problem 'notFound' */
function actionOf({ query }: RouteContext): BulkAction {
  const action = ACTIONS[query.get('do') ?? '']
  if (!action) throw new Problem('notFound', 'Page not found.')
  return action
}

/** Returns the ids of the selected jobs. @throws Problem 'invalid' if none is selected, or too many are */
function idsOf({ query }: RouteContext): number[] {
  const ids = [...query.keys()].flatMap(name => /^job_(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  if (ids.length === 0) throw new Problem('invalid', 'Select at least one job.')
  if (ids.length > MAX_JOBS) throw new Problem('invalid', `Select at most ${MAX_JOBS} jobs.`)
  return ids
}

const titlesOf = ({ board }: Admin, ids: readonly number[]) =>
  ids.map(id => {
    const job = board.store.read.jobs.get(id)
    return job ? `${job.title}, ${job.company}` : `Job ${id} no longer exists.`
  })
