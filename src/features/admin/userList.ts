import { timestamp } from '../../base/clock.ts'
import type { RouteContext } from '../../http/route.ts'
import type { UserRow } from '../../store/rows.ts'
import { countText } from '../pages/view.ts'
import type { Admin } from './admin.ts'
import { csvReply } from './csv.ts'
import { buttonAction, linkAction, linkCell, listView, pillCell, type TableRow, timeCell } from './listing.ts'
import { pageOfPeople } from './listPages.ts'

export const PATH = '/admin/users'

/** The roles, as pages call them. */
export const ROLE_NAMES = { user: 'Employer', admin: 'Administrator' }

/** Returns the view of the list of accounts. */
export function userList(admin: Admin, { query }: RouteContext) {
  const { items, pager } = pageOfPeople(admin.board.store.read.users, PATH, query)
  return {
    fields: null,
    list: listView({
      columns: ['Address', 'Role', 'Status', 'Jobs', 'Joined'],
      rows: items.map(user => rowOf(admin, user)),
      links: [
        { label: 'Add a user', path: `${PATH}/new` },
        { label: 'Download as CSV', path: `${PATH}.csv`, is_plain: true },
      ],
      search: { path: PATH, label: 'Part of the address', q: query.get('q') ?? '', hidden: [] },
      pager,
      empty: 'No account has such an address.',
    }),
  }
}

function rowOf({ board }: Admin, { id, email, role, confirmed, createdAt }: UserRow): TableRow {
  const jobs = board.store.read.jobs.countWhere('userId', id)
  return {
    id,
    name: email,
    cells: [
      linkCell(email, `${PATH}/${id}/edit`),
      pillCell(ROLE_NAMES[role], role === 'admin' ? 'wait' : 'plain'),
      confirmed ? pillCell('Confirmed', 'good') : pillCell('Not confirmed', 'bad'),
      linkCell(countText(jobs), `/admin/jobs?owner=${id}`),
      timeCell(createdAt, board.clock),
    ],
    actions: [
      ...(confirmed ? [] : [buttonAction('Confirm', `${PATH}/${id}/confirm`)]),
      linkAction('Edit', `${PATH}/${id}/edit`),
      linkAction('Delete', `${PATH}/${id}/delete`),
    ],
  }
}

/** Replies with all accounts as a file. */
export function usersAsCsv({ board }: Admin) {
  const { users, jobs } = board.store.read
  const rows = users
    .all()
    .map(({ id, email, role, confirmed, createdAt }) => [
      id,
      email,
      role,
      String(confirmed),
      jobs.countWhere('userId', id),
      timestamp(createdAt),
    ])
  return csvReply('users', ['id', 'email', 'role', 'email_confirmed', 'jobs', 'created_at'], rows)
}
