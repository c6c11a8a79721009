import { DAY, SECOND } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { JournalRow } from '../../store/journal/journalRow.ts'
import type { TableReader } from '../../store/tableReader.ts'
import { presentChange, presentPublicChange } from './present.ts'
import type { Changes, ChangesQuery, PublicChanges } from './schema.ts'

/** For how long the public feed goes back. */
const PUBLIC_PERIOD = 30 * DAY
/** The number of entries that one request reads, so that a rare type holds up nobody. */
const MAX_READ = 2000
const BATCH_SIZE = 100

interface Page<T> {
  readonly items: T[]
  readonly next: number
  readonly earliest: number
}

/** Returns the changes that a query asks for. If there is none yet, it waits for one, as long as the query allows. */
export async function readChanges(board: Board, query: ChangesQuery): Promise<Changes> {
  const { types, limit, after, wait } = query
  const wanted = types && new Set(types)
  const read = (start: number | undefined) =>
    pageOf(board.store.read.journal, start, limit, firstSeq(board, -Infinity), entry => {
      const { type } = entry
      return type && (wanted?.has(type) ?? true) ? presentChange(board, { ...entry, type }) : undefined
    })
  const { journalTimer, store } = board
  const until = performance.now() + wait * SECOND
  let page = read(after)
  while (page.items.length === 0 && performance.now() < until) {
    const isAtEnd = page.next >= store.read.journal.lastId
    if (isAtEnd && !(await journalTimer.watch.wait(until - performance.now()))) break
    page = read(page.next)
  }
  return page
}

/** Returns what happened to jobs as everybody sees them. */
export const readPublicChanges = (
  board: Board,
  { after, limit }: Pick<ChangesQuery, 'after' | 'limit'>,
): PublicChanges =>
  pageOf(board.store.read.journal, after, limit, firstSeq(board, board.clock() - PUBLIC_PERIOD), entry => {
    const { publicType } = entry
    return publicType && presentPublicChange(board, { ...entry, publicType })
  })

function pageOf<T>(
  journal: TableReader<JournalRow>,
  after: number | undefined,
  limit: number,
  earliest: number,
  present: (entry: JournalRow) => T | undefined,
): Page<T> {
  let next = after ?? earliest - 1
  // After a restored backup, a client can be ahead of the board.
  if (next < earliest - 1 || next > journal.lastId)
    throw new Problem(
      'gone',
      'These changes are no longer kept. Read the full lists, then continue with their X-Change-Seq.',
      {
        earliest,
      },
    )
  const items: T[] = []
  const end = next + MAX_READ
  for (
    let entries = journal.after(next, BATCH_SIZE);
    entries.length > 0 && next < end;
    entries = journal.after(next, BATCH_SIZE)
  )
    for (const entry of entries) {
      if (items.length === limit) return { items, next, earliest }
      next = entry.id
      const item = present(entry)
      if (item !== undefined) items.push(item)
    }
  return { items, next, earliest }
}

/** Returns the seq of the first entry since a time, or the next seq if there is none. */
function firstSeq({ store }: Board, since: number): number {
  const { journal } = store.read
  let low = journal.after(0, 1)[0]?.id ?? journal.lastId + 1
  let high = journal.lastId + 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((journal.get(middle)?.at ?? Infinity) < since) low = middle + 1
    else high = middle
  }
  return low
}
