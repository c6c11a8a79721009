import { Elysia } from 'elysia'
import { type Caller, isAdmin } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, hiddenRoute, type RouteContext, withoutSuffix } from '../../http/route.ts'
import { type Status, STATUSES } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { getJobToManage } from '../jobs/access.ts'
import { deleteJob } from '../jobs/actions.ts'
import { closeJob, duplicateJob, fillJob, reopenJob } from '../jobs/lifecycle.ts'
import { outcomeMessage, OUTCOMES, type Verb } from '../jobs/verbs.ts'
import { countText } from '../pages/view.ts'
import type { Desk, SignedIn } from './desk.ts'
import { formRoutes } from './form.ts'
import { presentJobFigures } from './jobFigures.ts'
import { deskPath, VERB_NAMES } from './jobView.ts'
import { presentMyJobs } from './myJobs.ts'

/** Creates the pages of somebody's own jobs, except for the forms to edit, submit and renew them. */
export function jobRoutes(desk: Desk) {
  const { get: askDelete, post: remove } = deletionForm(desk)
  const { get: askDuplicate, post: duplicate } = duplicationForm(desk)
  const [fill, close, reopen] = [
    verbForm(desk, 'fill', fillJob, 'It leaves all lists. Its page says that it is filled for 30 days.'),
    verbForm(desk, 'close', closeJob, 'It is not public any more. You can reopen it until its time is over.'),
    verbForm(desk, 'reopen', reopenJob, 'It is public again. Its last day stays the same.'),
  ]
  return new Elysia({ name: 'own jobs' })
    .get('/account', ...hiddenRoute(desk.signedIn(context => showJobs(desk, context))))
    .get('/account/jobs/:id', ...withoutSuffix(hiddenRoute(desk.signedIn(context => showJob(desk, context)))))
    .use(formAt('/account/jobs/:id/fill', fill))
    .use(formAt('/account/jobs/:id/close', close))
    .use(formAt('/account/jobs/:id/reopen', reopen))
    .get('/account/jobs/:id/duplicate', ...askDuplicate)
    .post('/account/jobs/:id/duplicate', ...duplicate)
    .get('/account/jobs/:id/delete', ...askDelete)
    .post('/account/jobs/:id/delete', ...remove)
}

function showJobs(desk: Desk, context: SignedIn) {
  const { board } = desk
  const { query, session } = context
  const status = STATUSES.find((name): name is Status => name === query.get('status'))
  const page = Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1)
  const user = board.store.read.users.get(session.account.userId)
  return desk.reply(context, 'myJobs', 'My jobs', {
    ...presentMyJobs(board, session.account, status, page),
    status_name: status ?? '',
    notice: noticeOf(board, session.account, query),
    is_unconfirmed: user?.confirmed === false && user.role !== 'admin',
  })
}

/** Returns what was just done, which the path says after a form. */
function noticeOf({ store }: Board, { userId }: Caller, query: ReadonlyMap<string, string>): string {
  const done = query.get('done') ?? ''
  if (done === 'delete') return 'The job was deleted.'
  const job = store.read.jobs.get(Number(query.get('job')) || null)
  if (!job || job.userId !== userId) return ''
  if (done === 'save') return `The job "${job.title}" is saved.`
  if (done === 'renew' && job.pending)
    return `The job "${job.title}" is awaiting approval, and will be renewed then.`
  return isVerb(done) ? outcomeMessage(job, OUTCOMES[done]) : ''
}

const isVerb = (name: string): name is Verb => name in OUTCOMES

/** Returns the path of the list of jobs, which says what was done. */
export const jobsAfter = (done: Verb | 'save' | 'delete', id: number) => `/account?done=${done}&job=${id}`

function showJob(desk: Desk, context: SignedIn) {
  const job = getJobToManage(desk.board, context.caller, context.params.id)
  const figures = presentJobFigures(desk.board, job, context.query)
  const history = isAdmin(context.caller) ? `/admin/changes?record=job-${job.id}` : ''
  return desk.reply(context, 'jobFigures', job.title, { ...figures, history_path: history })
}

/** Returns the job at the path, if the caller may manage it. */
export const jobAt = (desk: Desk, { caller, params }: RouteContext): JobRow =>
  getJobToManage(desk.board, caller, params.id)

type VerbAction = (board: Board, caller: Caller, id: number) => Promise<JobRow>

/** Creates a form with one button. Lists send it without showing it first. */
const verbForm = (desk: Desk, verb: 'fill' | 'close' | 'reopen', change: VerbAction, effect: string) =>
  formRoutes(desk, {
    template: 'confirm',
    access: 'user',
    title: context => `${VERB_NAMES[verb]}: ${jobAt(desk, context).title}`,
    fields: () => [],
    view: () => ({ ...NO_ITEMS, texts: [effect], button: VERB_NAMES[verb], cancel_path: '/account' }),
    submit: async ({ caller, params }) => {
      const { id } = await change(desk.board, caller, params.id)
      return seeOther(jobsAfter(verb, id))
    },
  })

export const NO_ITEMS = { items: [], is_danger: false }

const duplicationForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    access: 'user',
    title: context => `Duplicate: ${jobAt(desk, context).title}`,
    fields: () => [],
    view: () => ({
      ...NO_ITEMS,
      texts: ['Creates a draft with the same texts and logo.'],
      button: 'Duplicate',
      cancel_path: '/account',
    }),
    submit: (context, fields) =>
      desk.once.run(context.path, fields, async () => {
        const { id } = await duplicateJob(desk.board, context.caller, context.params.id)
        return seeOther(`${deskPath(id)}/edit`)
      }),
  })

const deletionForm = (desk: Desk) =>
  formRoutes(desk, {
    template: 'confirm',
    access: 'user',
    title: context => `Delete “${jobAt(desk, context).title}”?`,
    fields: () => [],
    view: context => ({
      texts: ["This can't be undone. What is deleted:"],
      items: deletedWith(desk, jobAt(desk, context)),
      button: 'Delete the job',
      is_danger: true,
      cancel_path: '/account',
    }),
    submit: async ({ caller, params }) => {
      await deleteJob(desk.board, caller, params.id)
      return seeOther(jobsAfter('delete', params.id))
    },
  })

/** Returns everything that is deleted with a job. */
function deletedWith({ board }: Desk, { id, title, company, logo }: JobRow): string[] {
  const { views, applyClicks } = board.traffic.countsOf(id)
  return [
    company === '' ? `The job “${title}”` : `The job “${title}” at ${company}`,
    ...(logo === '' ? [] : ['Its logo']),
    `Its statistics: ${countText(views, 'view')} and ${countText(applyClicks, 'click')} on Apply`,
  ]
}
