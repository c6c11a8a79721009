import type { Board } from '../../board.ts'
import type { JournaledTable, JournalRow } from '../../store/journal/journalRow.ts'
import { ARRANGEMENT_NAMES } from '../../store/rows.ts'
import { longDate } from '../pages/view.ts'
import { ROLE_NAMES } from './userList.ts'

/** How long a value may be on a page, in characters. */
const MAX_LENGTH = 80

/** The columns by the names that pages use. The others are only for the board itself. */
const LABELS: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  location: 'location',
  arrangement: 'workplace',
  salary: 'salary',
  salaryCurrency: 'currency',
  salaryPeriod: 'salary period',
  company: 'company',
  companyWebsite: 'company website',
  applicationType: 'way to apply',
  applicationUrl: 'page for applications',
  applicationEmail: 'e-mail for applications',
  categoryId: 'category',
  termId: 'employment type',
  planId: 'plan',
  userId: 'owner',
  logo: 'logo',
  pending: 'approval',
  refusal: 'reason for refusal',
  publishAt: 'scheduled date',
  publishedAt: 'publication date',
  filledAt: 'date filled',
  closedAt: 'date closed',
  expiresAt: 'expiry date',
  name: 'name',
  price: 'price',
  period: 'days online',
  highlight: 'highlight',
  badge: 'badge',
  pin: 'pin',
  archived: 'archived',
  email: 'address',
  role: 'role',
  confirmed: 'confirmation',
}

/** Returns the names of the columns that a change is about, without repetitions. */
export function changedLabels(
  { store }: Board,
  { before, after, userId }: JournalRow,
  table: JournaledTable,
): string[] {
  const columns = Object.keys(after ?? before ?? {})
  const labels = columns.flatMap(column => LABELS[column] ?? [])
  // Password hashes are not in the journal, but a new password ends the sessions before it. So does a new address, which
  // is no longer in the journal once the account is deleted.
  const isPassword = table === 'users' && columns.includes('epoch') && store.read.users.has(userId ?? null)
  return labels.length === 0 && isPassword ? ['password'] : labels
}

/** Returns the values of a column before and after a change, such as `Salary: 4,000 → 4,500`; none for the board's own columns. */
export function valuesText(board: Board, column: string, from: unknown, to: unknown): string[] {
  const label = LABELS[column]
  if (label === undefined) return []
  const name = label.charAt(0).toUpperCase() + label.slice(1)
  if (column === 'logo') return [`${name}: ${to === '' ? 'removed' : from === '' ? 'added' : 'replaced'}`]
  return [`${name}: ${valueText(board, column, from)} → ${valueText(board, column, to)}`]
}

function valueText({ store }: Board, column: string, value: unknown): string {
  const { categories, terms, plans, users } = store.read
  if (value === null || value === undefined || value === '') return 'none'
  if (column === 'pending') return value === true ? 'pending' : 'not pending'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    if (column === 'categoryId') return categories.get(value)?.name ?? 'a deleted category'
    if (column === 'termId') return terms.get(value)?.name ?? 'a deleted employment type'
    if (column === 'planId') return plans.get(value)?.name ?? 'a deleted plan'
    if (column === 'userId') return users.get(value)?.email ?? 'a deleted account'
    return column.endsWith('At') ? longDate(value) : value.toLocaleString('en')
  }
  if (column === 'arrangement' || column === 'role') return WORDS.get(value) ?? 'unknown'
  const characters = typeof value === 'string' ? [...value] : []
  return characters.length > MAX_LENGTH
    ? `${characters.slice(0, MAX_LENGTH).join('')} …`
    : characters.join('')
}

const WORDS = new Map<unknown, string>(Object.entries({ ...ARRANGEMENT_NAMES, ...ROLE_NAMES }))
