import { type Clock, DAY, HOUR, MINUTE } from '../../base/clock.ts'
import { withEmail } from '../../http/response/emailList.ts'
import { PER_PAGE } from '../../http/response/paging.ts'
import type { Status } from '../../store/jobStatus.ts'
import type { Row } from '../../store/rows.ts'
import type { TableReader } from '../../store/tableReader.ts'
import { longDate, machineDate, shortDate } from '../pages/view.ts'

/** A cell of a table: text, which can be a link, a pill or a time, and a second line. */
export interface Cell {
  readonly text: string
  readonly href: string
  readonly pill: string
  readonly time: string
  readonly title: string
  readonly more: string
}

/** A link or a button at the end of a row. */
export interface RowAction {
  readonly label: string
  readonly path: string
  readonly is_post: boolean
  readonly style: string
}

export interface TableRow {
  readonly id: number
  /** What the row is about, for screen readers. */
  readonly name: string
  readonly cells: readonly Cell[]
  readonly actions: readonly RowAction[]
}

const EMPTY: Cell = { text: '', href: '', pill: '', time: '', title: '', more: '' }

export const textCell = (text: string | number, more = ''): Cell => ({ ...EMPTY, text: String(text), more })
export const linkCell = (text: string, href: string, more = ''): Cell => ({ ...EMPTY, text, href, more })

/** Returns a cell with a day, and with the time in its title; empty for null. */
export const timeCell = (at: number | null, clock: Clock): Cell =>
  at === null
    ? EMPTY
    : {
        ...EMPTY,
        text: relativeText(at, clock()),
        time: machineDate(at),
        title: `${longDate(at)}, ${timeText(at)} UTC`,
      }

const timeText = (at: number) => new Date(at).toISOString().slice(11, 16)

/** Formats a moment as `3 hours ago`, or as a day if it is longer ago. */
function relativeText(at: number, now: number): string {
  const age = now - at
  if (age < 0 || age >= 7 * DAY) return shortDate(at)
  if (age < MINUTE) return 'just now'
  const [count, unit] =
    age < HOUR ? [age / MINUTE, 'minute'] : age < DAY ? [age / HOUR, 'hour'] : [age / DAY, 'day']
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}

const STATUS_NAMES: Readonly<Record<Status, readonly [name: string, pill: string]>> = {
  draft: ['Draft', 'plain'],
  pending: ['Pending', 'wait'],
  refused: ['Refused', 'bad'],
  scheduled: ['Scheduled', 'wait'],
  active: ['Active', 'good'],
  filled: ['Filled', 'plain'],
  closed: ['Closed', 'plain'],
  expired: ['Expired', 'plain'],
}

/** Returns the name of a status for people. */
export const statusName = (status: Status) => STATUS_NAMES[status][0]

export const statusCell = (status: Status): Cell => ({
  ...EMPTY,
  text: STATUS_NAMES[status][0],
  pill: STATUS_NAMES[status][1],
})

/** @param pill the look: `good`, `wait`, `bad` or `plain` */
export const pillCell = (text: string, pill: string): Cell => ({ ...EMPTY, text, pill })

export const linkAction = (label: string, path: string): RowAction => ({
  label,
  path,
  is_post: false,
  style: 'plain',
})
export const buttonAction = (label: string, path: string): RowAction => ({
  label,
  path,
  is_post: true,
  style: 'plain',
})

/** A link beside a heading, or a button. */
interface HeadingLink {
  readonly label: string
  readonly path: string
  readonly is_plain?: boolean
  readonly is_post?: boolean
}

export interface ListView {
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
  /** What the page says if there are no rows. */
  readonly empty: string
  readonly links?: readonly HeadingLink[]
  readonly texts?: readonly string[]
  readonly search?: object | null
  readonly filters?: readonly object[]
  readonly bulk?: object | null
  readonly pager?: object
  /** The label of the button of the form above the table, if there is one. */
  readonly add_label?: string
}

/** Completes the view of a list for its template. */
export const listView = (view: ListView) => ({
  texts: [],
  search: null,
  filters: [],
  bulk: null,
  add_label: '',
  pager: { page: 1, last: 1, previous_path: '', next_path: '' },
  has_actions: view.rows.some(({ actions }) => actions.length > 0),
  ...view,
  links: (view.links ?? []).map(link => ({ is_plain: false, is_post: false, ...link })),
})

type Query = ReadonlyMap<string, string>

/** Returns a page of a list, and the links to the pages beside it. */
export function pageOfList<T>(
  list: readonly T[],
  path: string,
  query: Query,
): { items: readonly T[]; pager: object } {
  const { offset, pager } = pagerOf(list.length, path, query)
  return { items: list.slice(offset, offset + PER_PAGE), pager }
}

/** Returns a page of a table, the newest rows first. */
export function pageOfRows<R extends Row>(
  table: TableReader<R>,
  path: string,
  query: Query,
): { items: readonly R[]; pager: object } {
  const { offset, pager } = pagerOf(table.count, path, query)
  return { items: table.newest(offset, PER_PAGE), pager }
}

/** Returns a page of the rows whose address contains the `q` of a query, the newest first. */
export function pageOfPeople<R extends Row & { readonly email: string }>(
  table: TableReader<R>,
  path: string,
  query: Query,
): { items: readonly R[]; pager: object } {
  const q = query.get('q') ?? ''
  if (q === '') return pageOfRows(table, path, query)
  return pageOfList(withEmail(table.all(), q).toReversed(), path, query)
}

function pagerOf(count: number, path: string, query: Query): { offset: number; pager: object } {
  const last = Math.max(1, Math.ceil(count / PER_PAGE))
  const asked = Number(query.get('page') ?? 1)
  const page = Number.isInteger(asked) && asked > 0 ? Math.min(asked, last) : 1
  const to = (number: number) => pathWith(path, query, { page: number === 1 ? undefined : String(number) })
  const pager = {
    page,
    last,
    previous_path: page > 1 ? to(page - 1) : '',
    next_path: page < last ? to(page + 1) : '',
  }
  return { offset: (page - 1) * PER_PAGE, pager }
}

/** Returns a path with the values of a query, some of them changed. */
export function pathWith(
  path: string,
  query: Query,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const values = new Map(query)
  values.delete('done')
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) values.delete(name)
    else values.set(name, value)
  const text = String(new URLSearchParams([...values].filter(([, value]) => value !== '')))
  return text === '' ? path : `${path}?${text}`
}
