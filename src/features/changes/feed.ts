import { setImmediate } from 'node:timers/promises'
import { requireUnchanged } from '../../accounts/writeAs.ts'
import { DAY, SECOND } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import type { JournalRow } from '../../store/journal/journalRow.ts'
import { presentChange, presentPublicChange } from './present.ts'
import type { Change, Changes, ChangesQuery, PublicChanges } from './schema.ts'

/** For how long the public feed goes back. */
const PUBLIC_PERIOD = 30 * DAY
/** The number of entries that are read before other requests get their turn. */
const BATCH_SIZE = 100
/** The number of entries that one request reads to find those that it asks for. */
const MAX_READ = 5000

interface Page<T> {
  readonly items: T[]
  readonly next: number
  readonly earliest: number
}

/** The entries that a feed has: the first seq that it keeps, and how it presents an entry, if at all. */
interface Feed<T> {
  readonly earliest: () => number
  readonly present: (entry: JournalRow) => T | undefined
}

/**
 * Returns the changes that a query asks for. If there is none yet, it waits for one, as long as the query allows and the
 * client is connected.
 * @throws Problem 'unauthenticated' if the caller's account or token has changed while it waited
 */
export async function readChanges(
  board: Board,
  { caller, request: { signal } }: RequestContext,
  { types, limit, after, wait }: ChangesQuery,
): Promise<Changes> {
  const { journalTimer, store } = board
  const wanted = types && new Set(types)
  const feed: Feed<Change> = {
    earliest: () => firstSeq(board, -Infinity),
    present: entry => {
      const { type } = entry
      return type && (wanted?.has(type) ?? true) ? presentChange(board, { ...entry, type }) : undefined
    },
  }
  const until = performance.now() + wait * SECOND
  let page = await pageOf(board, feed, after, limit)
  while (page.items.length === 0 && performance.now() < until && !signal.aborted) {
    const isAtEnd = page.next >= store.read.journal.lastId
    if (isAtEnd && !(await journalTimer.watch.wait(until - performance.now(), signal))) break
    requireUnchanged(store.read, caller)
    page = await pageOf(board, feed, page.next, limit)
  }
  return page
}

/** Returns what happened to jobs as everybody sees them. */
export const readPublicChanges = (
  board: Board,
  { after, limit }: Pick<ChangesQuery, 'after' | 'limit'>,
): Promise<PublicChanges> => {
  const present = (entry: JournalRow) => {
    const { publicType } = entry
    return publicType && presentPublicChange(board, { ...entry, publicType })
  }
  const earliest = () => firstSeq(board, board.clock() - PUBLIC_PERIOD)
  return pageOf(board, { earliest, present }, after, limit)
}

async function pageOf<T>(
  { store }: Board,
  feed: Feed<T>,
  after: number | undefined,
  limit: number,
): Promise<Page<T>> {
  const { journal } = store.read
  const earliest = feed.earliest()
  let next = after ?? earliest - 1
  // After a restored backup, a client can be ahead of the board.
  if (next < earliest - 1 || next > journal.lastId) throw new Problem('gone', GONE, { figures: { earliest } })
  const items: T[] = []
  for (const end = next + MAX_READ; next < end; await setImmediate()) {
    const entries = journal.after(next, BATCH_SIZE)
    for (const entry of entries) {
      if (items.length === limit) return { items, next, earliest }
      next = entry.id
      const item = feed.present(entry)
      if (item !== undefined) items.push(item)
    }
    if (entries.length < BATCH_SIZE) break
  }
  return { items, next, earliest }
}

const GONE = 'These changes are no longer kept. Read the full lists, then continue with their X-Change-Seq.'

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
