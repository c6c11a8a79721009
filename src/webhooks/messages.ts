import { LRUCache } from 'lru-cache'
import { SECOND } from '../base/clock.ts'
import { type ChangeType, JOURNALED, type JournalRow, type TypedEntry } from '../store/journal/journalRow.ts'
import type { TableReader } from '../store/tableReader.ts'
import type { Change } from '../store/tables.ts'
import { encodeBody } from './messageBody.ts'

/** The number of entries that are read at a time. */
const BATCH_SIZE = 20
/** The number of messages in memory: at least twice a batch for each webhook, so that none is read again and again. */
const MAX_CACHED = 1000
/** In milliseconds, how long a body is used for further webhooks: a job's status also changes with the time. */
const BODY_LIFETIME = 5 * SECOND
/** Returns an entry as the change feed shows it, with the record as it is now. */
export type PresentChange = (entry: TypedEntry) => object

/** A message about a change, which all webhooks share. */
export interface ChangeMessage {
  readonly seq: number
  /** Empty if the change is only about mails that the board sent, and nobody is told of it. */
  readonly type: ChangeType | ''
  /** The same at every try, and different after a backup was restored and the seq is used again. */
  readonly id: string
  /** The body, in UTF-8. */
  readonly body: Uint8Array
}

/** An entry without its columns, which can be large, and with its body while that is up to date. */
interface Cached {
  readonly entry: JournalRow
  body: Uint8Array | undefined
  encodedAt: number
}

/** The messages about the changes in the journal. Each is read and encoded once for all webhooks. */
export class Messages {
  private readonly cached = new LRUCache<number, Cached>({ max: MAX_CACHED })

  constructor(
    private readonly journal: TableReader<JournalRow>,
    private readonly present: PresentChange,
  ) {}

  /** The seq that the next change will have. */
  get end(): number {
    return this.journal.lastId + 1
  }

  /** Returns the first message after a seq; undefined if there is none. */
  after(seq: number): ChangeMessage | undefined {
    const cached = this.entryAfter(seq)
    if (!cached) return undefined
    const { id, at, type = '' } = cached.entry
    const bodyOf = () => this.bodyOf(cached)
    return {
      seq: id,
      type,
      id: `msg_${Math.floor(at / SECOND).toString(36)}_${id}`,
      get body() {
        return bodyOf()
      },
    }
  }

  /** Forgets the bodies that show the records that have changed. */
  applyChanges(changes: readonly Change[]): void {
    const relevant = changes.filter(({ table }) => table in JOURNALED)
    if (relevant.length === 0 || this.cached.size === 0) return
    const jobs = new Set(relevant.filter(({ table }) => table === 'jobs').map(({ id }) => id))
    // The other records are part of jobs.
    const isAll = relevant.some(({ table }) => table !== 'jobs')
    for (const message of this.cached.values())
      if (isAll || jobs.has(message.entry.jobId ?? 0)) message.body = undefined
  }

  private entryAfter(seq: number): Cached | undefined {
    const next = this.cached.get(seq + 1)
    if (next) return next
    if (seq >= this.journal.lastId) return undefined
    const [first] = this.journal.after(seq, BATCH_SIZE).map(row => {
      const entry = withoutColumns(row)
      const cached = { entry, body: undefined, encodedAt: 0 }
      this.cached.set(entry.id, cached)
      return cached
    })
    return first
  }

  private bodyOf(cached: Cached): Uint8Array {
    const now = performance.now()
    const { entry, body, encodedAt } = cached
    if (body && now - encodedAt < BODY_LIFETIME) return body
    const { type, at } = entry
    if (!type) throw new Error('an entry without a type has no message')
    cached.encodedAt = now
    return (cached.body = encodeBody(type, at, { ...this.present({ ...entry, type }) }))
  }
}

function withoutColumns(row: JournalRow): JournalRow {
  const { before: _, after: __, ...entry } = row
  return entry
}
