import { htmlToMarkdown } from '../../../src/features/jobs/htmlToMarkdown.ts'
import type { BodyInput, By } from './attempt.ts'
import type { Operation } from './document.ts'
import { Attachment } from './entries.ts'
import { isBlank } from './reading.ts'
import type { World } from './world.ts'

/** The facts about a field that was refused although the description allows it. */
interface Case {
  readonly fields: ReadonlyMap<string, unknown>
  readonly world: World
  readonly input: BodyInput | undefined
  readonly operation: Operation
}

/** The facts about a field that was accepted although the description doesn't allow it. */
interface LenientCase {
  readonly by: By
  readonly isDraft: boolean
}

type Excuse = (name: string, value: unknown, at: Case) => boolean

const fold = (text: unknown) => String(text).trim().normalize('NFC').toLowerCase()
const isLoneOrNul = (text: string) => !text.isWellFormed() || text.includes('\0')
const CONTROL = /[\p{Cc}\u2028\u2029]/u

/**
 * Rules that a schema can't express, or that depend on state. Every excuse comes from the contract (API.md): an error without one is
 * a bug in the description or the board.
 */
const EXCUSES: Readonly<Record<string, Excuse>> = {
  'an id must be of an existing record': (name, value, { world }) =>
    [
      ['category_id', 'categories'],
      ['term_id', 'terms'],
    ].some(([field, table]) => name === field && !world.ids(table as 'terms').includes(Number(value))),
  'a plan must exist and not be archived': (name, value, { world }) => {
    const plan = name === 'plan_id' ? world.test.board.store.read.plans.get(Number(value)) : undefined
    return name === 'plan_id' && (!plan || plan.archived)
  },
  'a name or address must not be taken': (name, value, { world: { test } }) => {
    const { categories, terms, plans, users, subscribers } = test.board.store.read
    const rows = name === 'name' ? [categories, terms, plans] : name === 'email' ? [users, subscribers] : []
    const names = rows.flatMap(table => table.all().map(row => fold('name' in row ? row.name : row.email)))
    return names.includes(fold(value))
  },
  'an event is about an active job, without which only a page view is one': (name, value, { world }) =>
    name === 'job' && (value === undefined || !world.test.board.jobIndex.isActive(Number(value))),
  'white space is blank': (_, value) => typeof value === 'string' && value.trim() === '',
  'a text has no NUL and no half of a surrogate pair': (_, value) =>
    typeof value === 'string' && isLoneOrNul(value),
  'a line has no control characters': (name, value) =>
    !name.startsWith('description') && typeof value === 'string' && CONTROL.test(value.trim()),
  'HTML has text, which is not too long as Markdown': (name, value) =>
    name === 'description_html' && !/^.{1,65536}$/su.test(htmlToMarkdown(String(value)).trim()),
  'a password has at most 256 bytes': (name, value) =>
    name === 'password' && Buffer.byteLength(String(value)) > 256,
  'a currency must be in use': (name, value) =>
    name === 'salary_currency' && /^\s*[a-z]{3}\s*$/i.test(String(value)),
  'a salary has a currency': (name, value, { fields }) =>
    name === 'salary_currency' && isBlank(value) && !isBlank(fields.get('salary') ?? 0),
  'the application address must be sent, by the type that the job will have': (name, value) =>
    (name === 'application_url' || name === 'application_email') &&
    (value === undefined || value === null || value === ''),
  'a URL must be a valid web address': (name, value) =>
    /_(url|website)$|^referrer$/.test(name) && !isFollowable(String(value).trim()),
  'an address is plain: no quotes, no comments': (name, value) =>
    name.endsWith('email') && !/^[\w.+-]+@[\w-]+(\.[\w-]+)*$/.test(String(value).trim()),
  'a logo must be a valid picture': (name, value) => name === 'logo' && value instanceof Attachment,
  'a file to import has a known format': (name, value) => name === 'file' && value !== undefined,
  'a search is of active jobs': name => name === 'q',
  'a job keeps its plan': (name, _, { operation: { method } }) => name === 'plan_id' && method === 'PUT',
  'a time of publication is ahead, within a year, and not after publication': name => name === 'publish_at',
  'a draft must be complete to be submitted': (_, __, { operation }) =>
    operation.template.endsWith('/submit.json'),
  'a colour has three or six hexadecimal digits': name => name === 'accent',
  'registration may be set at the start, and needs a mail server to be open': name => name === 'registration',
  'a timestamp must exist': (name, value) =>
    name === 'expires_at' && Number.isNaN(Date.parse(String(value).trim().toUpperCase())),
}

function isFollowable(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#\\]\S*$/i.test(text) && URL.canParse(text)
}

/** Values that are accepted although the description, which is stricter, does not allow them. */
const LENIENCES: Readonly<Record<string, (name: string, value: unknown, at: LenientCase) => boolean>> = {
  'a draft can be without a field': (name, value, { isDraft }) =>
    isDraft && name !== 'title' && isBlank(value),
  'each operation of a batch has its own result': (name, value) =>
    name === 'operations' && Array.isArray(value),
  'the role is ignored in a registration': (name, _, { by }) => name === 'role' && by === 'nobody',
  'an address may be international': (name, value) =>
    name.endsWith('email') && /^[^\s@"(),:;<>[\\\]]+@[^\s@]+$/.test(String(value).trim()),
  'a URL may have an upper-case scheme, and letters of any language': (name, value) =>
    /_(url|website)$|^referrer$/.test(name) && isFollowable(String(value).trim()),
  'a password with letters beyond ASCII may have 256 bytes too': (name, value) =>
    name === 'password' && [...String(value)].length >= 8 && Buffer.byteLength(String(value)) <= 256,
}

export const isLenient = (name: string, value: unknown, at: LenientCase) =>
  Object.values(LENIENCES).some(holds => holds(name, value, at))

/** The number of allowed fields that were refused, by reason. */
export const excused = new Map<string, number>()

export function isExcused(name: string, value: unknown, at: Case): boolean {
  const excuse = Object.entries(EXCUSES).find(([, holds]) => holds(name, value, at))?.[0]
  if (excuse !== undefined) excused.set(excuse, (excused.get(excuse) ?? 0) + 1)
  return excuse !== undefined
}
