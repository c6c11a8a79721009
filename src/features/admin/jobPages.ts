import { Elysia } from 'elysia'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, type RouteContext } from '../../http/route.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { type Status, STATUSES, statusOf } from '../../store/jobStatus.ts'
import { foldName } from '../../store/tables.ts'
import { validate } from '../../validation/validation.ts'
import type { FieldDefinition } from '../desk/field.ts'
import { deleteJob } from '../jobs/actions.ts'
import { approveJob, refuseJob } from '../jobs/lifecycle.ts'
import { Refusal } from '../jobs/statusSchema.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { jobRow } from './jobRow.ts'
import { listView, statusName } from './listing.ts'
import { pageOfList, pathWith } from './listPages.ts'
import { withNotice } from './notices.ts'

const REASON: FieldDefinition = {
  name: 'reason',
  label: 'Reason',
  type: 'textarea',
  schema: Refusal.properties.reason,
  hint: 'It is e-mailed to the owner, who can correct the job and submit it again.',
}

/** Creates the pages of the inbox and of all jobs. */
export function jobPages(admin: Admin) {
  const refusal = refusalForm(admin)
  const deletion = deletionForm(admin)
  const { board } = admin
  return new Elysia({ name: 'administration of jobs' })
    .get('/admin/inbox', ...admin.page(context => inbox(admin, context)))
    .get('/admin/jobs', ...admin.page(context => jobList(admin, context)))
    .post(
      '/admin/jobs/:id/approve',
      ...admin.action(async ({ caller, params }) => {
        await approveJob(board, caller, params.id)
        return withNotice('/admin/inbox', 'approved')
      }),
    )
    .use(formAt('/admin/jobs/:id/refuse', refusal))
    .use(formAt('/admin/jobs/:id/delete', deletion))
}

function inbox(admin: Admin, context: RouteContext) {
  const { board } = admin
  const now = board.clock()
  const pending = board.jobIndex.all.filter(job => statusOf(job, now) === 'pending')
  const { items, pager } = pageOfList(pending, '/admin/inbox', context.query)
  return admin.reply(context, 'adminList', 'Inbox', {
    fields: null,
    list: listView({
      columns: ['Job', 'Plan and owner', 'Submitted'],
      rows: items.flatMap(({ id }) => jobRow(board, id, 'inbox')),
      texts:
        pending.length > 0 ? ['These jobs are awaiting approval. Open one to see it as visitors will.'] : [],
      bulk: BULK,
      pager,
      empty: 'No job is awaiting approval.',
    }),
  })
}

const BULK = {
  path: '/admin/jobs/bulk',
  actions: [
    { value: 'approve', label: 'Approve selected' },
    { value: 'close', label: 'Close selected' },
    { value: 'delete', label: 'Delete selected' },
  ],
}

function jobList(admin: Admin, context: RouteContext) {
  const { board } = admin
  const { query } = context
  const owner = query.get('owner') ?? ''
  const found = findJobs(admin, query.get('q') ?? '', owner)
  const status = STATUSES.find(one => one === query.get('status'))
  const now = board.clock()
  const counts = new Map<Status, number>()
  for (const job of found) counts.set(statusOf(job, now), (counts.get(statusOf(job, now)) ?? 0) + 1)
  const shown = status ? found.filter(job => statusOf(job, now) === status) : found
  const { items, pager } = pageOfList(shown, '/admin/jobs', query)
  const filter = (label: string, value: Status | undefined, count: number) => ({
    label,
    count,
    path: pathWith('/admin/jobs', query, { status: value, page: undefined }),
    is_current: value === status,
  })
  return admin.reply(context, 'adminList', 'Jobs', {
    fields: null,
    list: listView({
      columns: ['Job', 'Status', 'Plan and owner', 'Views', 'Posted'],
      rows: items.flatMap(({ id }) => jobRow(board, id, 'all')),
      links: [{ label: 'Post a job', path: '/post' }],
      search: {
        path: '/admin/jobs',
        label: 'Title, company or number',
        q: query.get('q') ?? '',
        hidden: [
          { name: 'status', value: status ?? '' },
          { name: 'owner', value: owner },
        ].filter(({ value }) => value !== ''),
      },
      filters: [
        filter('All', undefined, found.length),
        ...STATUSES.filter(one => counts.has(one)).map(one =>
          filter(statusName(one), one, counts.get(one) ?? 0),
        ),
      ],
      bulk: BULK,
      pager,
      empty: 'No jobs match.',
    }),
  })
}

/**
 * Returns the jobs in any status whose title or company contains a text, or whose id it is.
 * @param owner the id of the account that the jobs belong to; empty for all jobs
 */
function findJobs({ board }: Admin, q: string, owner: string): readonly JobSummary[] {
  const text = foldName(q.trim())
  const { all } = board.jobIndex
  const jobs = owner === '' ? all : all.filter(({ userId }) => String(userId) === owner)
  if (text === '') return jobs
  return jobs.filter(
    ({ id, title, company }) => title.includes(text) || company.includes(text) || String(id) === text,
  )
}

const refusalForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Refuse this job',
    fields: () => [REASON],
    view: ({ params }) =>
      formView({
        texts: [titleOf(admin, params.id)],
        button: 'Refuse the job',
        is_danger: true,
        cancel_path: '/admin/inbox',
      }),
    submit: async ({ caller, params }, fields) => {
      const { reason } = validate(Refusal, fields).valueOrThrow()
      await refuseJob(admin.board, caller, params.id, reason)
      return seeOther(withNotice('/admin/inbox', 'refused'))
    },
  })

const deletionForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Delete this job?',
    fields: () => [],
    view: ({ params }) =>
      formView({
        texts: [
          titleOf(admin, params.id),
          'This also deletes its logo and statistics. You can put back the job without these within 30 days, under Changes. If you only want to take it offline, close it instead.',
        ],
        button: 'Delete the job',
        is_danger: true,
        cancel_path: '/admin/jobs',
      }),
    submit: async ({ caller, params }) => {
      await deleteJob(admin.board, caller, params.id)
      return seeOther(withNotice('/admin/jobs', 'deleted'))
    },
  })

const titleOf = ({ board }: Admin, id: number) =>
  board.store.read.jobs.get(id)?.title ?? 'This job no longer exists.'
