import type { Store } from '../store/store.ts'
import type { JobIndex } from './jobIndex.ts'
import type { JobSummary } from './jobSummary.ts'
import { readParts, writeParts } from './partFile.ts'

/** The version must be raised whenever a column has another meaning. */
const FORMAT = { format: 'corkboard job index', version: 1 }
/** The number of jobs that are decoded at a time. */
const PART_SIZE = 1000

/** The columns of a summary in the file. A file with others is not used. */
const COLUMNS: Readonly<Record<keyof JobSummary, true>> = {
  id: true,
  categoryId: true,
  termId: true,
  userId: true,
  arrangement: true,
  isFromElsewhere: true,
  logo: true,
  pinned: true,
  revision: true,
  title: true,
  company: true,
  listedAt: true,
  updatedAt: true,
  submittedAt: true,
  pending: true,
  refusal: true,
  publishedAt: true,
  filledAt: true,
  closedAt: true,
  expiresAt: true,
  remindedOf: true,
  reminders: true,
  textHash: true,
}
const COLUMN_NAMES = Object.keys(COLUMNS).toSorted().join(' ')

/** What the file says besides the jobs. */
interface Header {
  /** The seal of the store with the same jobs. */
  readonly seal: string
  /** The checksum of the search index with the same jobs; undefined if it misses some. */
  readonly searchIndex?: string | undefined
  /** The time of the jobs' statuses. Later ones were not reported. */
  readonly at: number
  /** The number of the last change. */
  readonly revision: number
  readonly columns: string
}

/** The state of a job index in which a board was stopped. */
export interface SavedJobIndex extends Omit<Header, 'columns'> {
  /** All jobs, in order. */
  readonly summaries: readonly JobSummary[]
}

interface SavedSearchIndex {
  readonly checksum: string | undefined
  readonly revision: number
}

/** The file in which a job index is saved when the board is stopped. Without it, the next start reads all jobs. */
export class JobIndexFile {
  /** @param warn called if the file can't be used or written */
  constructor(
    private readonly path: string,
    private readonly warn: (message: string, cause: unknown) => void,
  ) {}

  /**
   * Reads the state of a job index.
   * @param now the present time
   * @returns undefined if there is no file, or if it doesn't have the jobs of this store at this time
   */
  async read({ seal }: Store, now: number): Promise<SavedJobIndex | undefined> {
    if (seal === undefined) return undefined
    try {
      const file = await readParts(this.path, FORMAT)
      return file && decodeState(file.parts, seal, now)
    } catch (error) {
      this.warn("the job index is being rebuilt, because its file can't be used", error)
      return undefined
    }
  }

  /**
   * Writes the state of a job index, after all writes to the store.
   * @param search the checksum of the search index's file, if that has all jobs, and the revision of the job index then
   */
  async write(store: Store, jobIndex: JobIndex, search: SavedSearchIndex): Promise<void> {
    try {
      await store.putSeal()
      const { seal } = store
      const { state } = jobIndex
      // A request that took too long may have written after all.
      const searchIndex = state.revision === search.revision ? search.checksum : undefined
      if (seal !== undefined)
        await writeParts(this.path, FORMAT, encodeState({ ...state, seal, searchIndex }))
    } catch (error) {
      this.warn('the job index could not be saved', error)
    }
  }
}

function encodeState({ summaries, ...rest }: SavedJobIndex): Uint8Array<ArrayBuffer>[] {
  const header: Header = { ...rest, columns: COLUMN_NAMES }
  const parts = [encode(header)]
  for (let at = 0; at < summaries.length; at += PART_SIZE)
    parts.push(encode(summaries.slice(at, at + PART_SIZE)))
  return parts
}

function decodeState(parts: readonly Uint8Array[], seal: string, now: number): SavedJobIndex | undefined {
  const [first = new Uint8Array(), ...rest] = parts
  // The checksum shows that the file is as it was written.
  const { columns, ...header } = decode(first) as Header
  // If the clock was set back, the statuses may be those of a later time.
  if (header.seal !== seal || columns !== COLUMN_NAMES || header.at > now) return undefined
  return { ...header, summaries: rest.flatMap(part => decode(part) as JobSummary[]) }
}

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

const decode = (part: Uint8Array): unknown =>
  JSON.parse(Buffer.from(part.buffer, part.byteOffset, part.length).toString())
