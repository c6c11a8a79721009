import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import type { Change } from '../store/tables.ts'
import { JobIndex } from './jobIndex.ts'
import { JobIndexFile } from './jobIndexFile.ts'
import { SearchIndex } from './searchIndex.ts'
import { SearchThread } from './searchThread.ts'
import { StoreSource } from './storeSource.ts'

/** The files of the indexes, in the data directory. They can be deleted at any time. */
const SEARCH_FILE = 'search.index'
const JOBS_FILE = 'jobs.index'

/** The indexes of a board, which are derived from its records and saved when it is stopped. */
export interface Indexes {
  readonly jobs: JobIndex
  readonly search: SearchIndex
  /** Updates the indexes after a commit. @param isOfRun whether it is one of a source's run */
  applyChanges(changes: readonly Change[], isOfRun: boolean): void
  /** Saves the indexes, after all writes to the store. */
  close(): Promise<void>
}

/**
 * Opens the indexes of a data directory together with its store, because the thread of the search index reads its file in
 * the meantime.
 * @param warn called if a file can't be used or written, or a job can't be indexed
 */
export async function openIndexes(
  folder: string,
  clock: Clock,
  warn: (message: string, cause: unknown) => void,
  openStore: () => Promise<Store>,
): Promise<{ store: Store; indexes: Indexes }> {
  const thread = new SearchThread({ file: join(folder, SEARCH_FILE), warn })
  try {
    const store = await openStore()
    const file = new JobIndexFile(join(folder, JOBS_FILE), warn)
    const saved = await file.read(store, clock())
    const jobs: JobIndex = new JobIndex(store, clock, ids => search.markChanged(ids), saved)
    const source = new StoreSource(store, jobs)
    const search = new SearchIndex(source, warn, thread, saved?.searchIndex)
    const applyChanges = (changes: readonly Change[], isOfRun: boolean) => {
      jobs.applyChanges(changes, isOfRun)
      const ids = source.jobsToIndex(changes)
      if (ids.length > 0) search.markChanged(ids)
    }
    const close = async () => {
      const { revision } = jobs.state
      const checksum = await search.close()
      await file.write(store, jobs, { checksum, revision })
    }
    return { store, indexes: { jobs, search, applyChanges, close } }
  } catch (error) {
    thread.close()
    throw error
  }
}
