import { setImmediate } from 'node:timers/promises'
import type { Board } from '../../board.ts'
import { PER_PAGE } from '../../http/response/paging.ts'
import type { RouteContext } from '../../http/route.ts'
import {
  type Actor,
  JOURNALED,
  type JournaledTable,
  type JournalRow,
  subjectOf,
  type TypedEntry,
} from '../../store/journal/journalRow.ts'
import type { Admin } from './admin.ts'
import {
  actorName,
  CHANGES_PATH,
  detailsOf,
  KINDS,
  recordName,
  recordPath,
  sentenceOf,
} from './changeSentences.ts'
import { linkAction, listView, sentenceCell, type TableRow, timeCell } from './listing.ts'
import { pathWith } from './listPages.ts'
import { mayPutBack } from './putBackPlan.ts'

/** The number of entries that one page reads to find those that match, and after how many others get their turn. */
const MAX_READ = 20_000
const BATCH_SIZE = 100

/** What a page is limited to: a kind of record, one record, or who made the changes. */
interface ChangeFilter {
  readonly table?: JournaledTable | undefined
  readonly record?: { readonly table: JournaledTable; readonly id: number } | undefined
  readonly actor?: Actor | undefined
}

/** Entries, the newest first, and the seq before which there may be more; 0 at the end. */
interface Found {
  readonly entries: readonly TypedEntry[]
  readonly before: number
}

/** Replies with a page of the journal. */
export async function changeList(admin: Admin, context: RouteContext) {
  const { board } = admin
  const { query } = context
  const filter = filterOf(query)
  const start = Number(query.get('before') ?? NaN)
  const isFirst = !Number.isSafeInteger(start) || start < 1
  const { entries, before } = await findEntries(board, filter, isFirst ? Number.MAX_SAFE_INTEGER : start)
  const about = headingOf(board, filter)
  return admin.reply(context, 'adminList', about ?? 'Changes', {
    fields: null,
    list: listView({
      columns: ['Change', 'Time'],
      rows: entries.map(entry => rowOf(board, entry)),
      links: about === undefined ? [] : [{ label: 'All changes', path: CHANGES_PATH, is_plain: true }],
      texts: [
        'What happened to jobs, categories, employment types, plans, users and subscribers. Changes of the last 30 days can be put back.',
      ],
      filters: about === undefined ? kindFilters(query, filter.table) : [],
      newest_path: isFirst ? '' : pathWith(CHANGES_PATH, query, { before: undefined }),
      older_path: before > 1 ? pathWith(CHANGES_PATH, query, { before: String(before) }) : '',
      empty: before > 1 ? 'No newer changes match.' : 'No changes match.',
    }),
  })
}

function rowOf(board: Board, entry: TypedEntry): TableRow {
  const { store, clock } = board
  const { table, id } = subjectOf(entry)
  return {
    id: entry.id,
    name: recordName(board, table, id),
    cells: [sentenceCell(sentenceOf(board, entry), detailsOf(board, entry)), timeCell(entry.at, clock)],
    actions: mayPutBack(store.read, entry, clock())
      ? [linkAction('Put back', `${CHANGES_PATH}/${entry.id}/put-back`)]
      : [],
  }
}

async function findEntries({ store }: Board, filter: ChangeFilter, start: number): Promise<Found> {
  const { journal } = store.read
  if (filter.record) {
    const { table, id } = filter.record
    const seqs = journal.idsWhere(JOURNALED[table], id).filter(seq => seq < start)
    const entries = seqs.flatMap(seq => journal.get(seq) ?? []).filter(isTyped)
    const page = entries.slice(-PER_PAGE).toReversed()
    return { entries: page, before: entries.length > PER_PAGE ? (page.at(-1)?.id ?? 0) : 0 }
  }
  const entries: TypedEntry[] = []
  let before = start
  for (let read = 0; read < MAX_READ; read += BATCH_SIZE) {
    const batch = journal.before(before, BATCH_SIZE)
    for (const entry of batch) {
      if (entries.length === PER_PAGE) return { entries, before }
      before = entry.id
      if (isTyped(entry) && matches(entry, filter)) entries.push(entry)
    }
    if (batch.length < BATCH_SIZE) return { entries, before: 0 }
    await setImmediate()
  }
  return { entries, before }
}

const isTyped = (entry: JournalRow): entry is TypedEntry => entry.type !== undefined

function matches(entry: JournalRow, { table, actor }: ChangeFilter): boolean {
  if (table && entry[JOURNALED[table]] === undefined) return false
  return !actor || (entry.actor.kind === actor.kind && idOf(entry.actor) === idOf(actor))
}

const idOf = (actor: Actor) => ('id' in actor ? actor.id : undefined)

const ACTORS = /^(?:(?<kind>user|token|source)-(?<id>\d{1,15})|system|cli)$/
const RECORDS = /^(?<kind>[a-z]+)-(?<id>\d{1,15})$/

function filterOf(query: ReadonlyMap<string, string>): ChangeFilter {
  const record = RECORDS.exec(query.get('record') ?? '')?.groups
  const table = tableOfKind(record?.['kind'])
  return {
    table: tableOfKind(query.get('kind')),
    record: table && { table, id: Number(record?.['id']) },
    actor: actorOf(query.get('actor') ?? ''),
  }
}

const tableOfKind = (kind: string | undefined) =>
  new Map<unknown, JournaledTable>(Object.entries(KINDS)).get(kind)

function actorOf(text: string): Actor | undefined {
  const found = ACTORS.exec(text)
  if (!found) return undefined
  if (text === 'system' || text === 'cli') return { kind: text }
  const { kind, id } = found.groups ?? {}
  return { kind: kind === 'token' || kind === 'source' ? kind : 'user', id: Number(id) }
}

/** Returns the heading of a page about one record or by one person. */
function headingOf(board: Board, { record, actor }: ChangeFilter): string | undefined {
  if (record) return `Changes to ${recordName(board, record.table, record.id)}`
  return actor && `Changes by ${actorName(board, actor) ?? 'the board and its visitors'}`
}

const KIND_LABELS: Readonly<Record<keyof typeof KINDS, string>> = {
  job: 'Jobs',
  category: 'Categories',
  term: 'Employment types',
  plan: 'Plans',
  user: 'Users',
  subscriber: 'Subscribers',
  source: 'Sources',
}

const kindFilters = (query: ReadonlyMap<string, string>, table: JournaledTable | undefined) =>
  [
    ['All', undefined] as const,
    ...Object.entries(KIND_LABELS).map(([kind, label]) => [label, kind] as const),
  ].map(([label, kind]) => ({
    label,
    count: -1,
    path: pathWith(CHANGES_PATH, query, { kind, before: undefined }),
    is_current: tableOfKind(kind) === table,
  }))

/** Returns the link to the changes of a record. */
export const historyAction = (table: JournaledTable, id: number) =>
  linkAction('History', recordPath(table, id))
