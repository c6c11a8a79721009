import { type Clock, DAY, HOUR, MINUTE } from '../../base/clock.ts'
import type { Status } from '../../store/jobStatus.ts'
import { longDate, machineDate, shortDate } from '../pages/view.ts'

/** A part of a sentence, which can be a link. */
export interface TextPart {
  readonly text: string
  readonly href: string
}

/** A cell of a table: text, which can be a link, a pill, a time or a sentence with links, and a second line. */
export interface Cell {
  readonly text: string
  readonly href: string
  readonly pill: string
  readonly time: string
  readonly title: string
  readonly more: string
  readonly parts: readonly TextPart[]
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

const EMPTY: Cell = { text: '', href: '', pill: '', time: '', title: '', more: '', parts: [] }

export const textCell = (text: string | number, more = ''): Cell => ({ ...EMPTY, text: String(text), more })
export const linkCell = (text: string, href: string, more = ''): Cell => ({ ...EMPTY, text, href, more })

export const sentenceCell = (parts: readonly TextPart[], more = ''): Cell => ({ ...EMPTY, parts, more })

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
export const pillCell = (text: string, pill: string, more = ''): Cell => ({ ...EMPTY, text, pill, more })

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
  /** The paths to newer and older rows of a list without page numbers. */
  readonly newest_path?: string
  readonly older_path?: string
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
  newest_path: '',
  older_path: '',
  pager: { page: 1, last: 1, previous_path: '', next_path: '' },
  has_actions: view.rows.some(({ actions }) => actions.length > 0),
  ...view,
  links: (view.links ?? []).map(link => ({ is_plain: false, is_post: false, ...link })),
})
