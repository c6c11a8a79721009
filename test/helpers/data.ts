import { Store } from '../../src/store/store.ts'

/** Opens a data directory, calls `work`, and closes it, so that commands can open it. */
export async function withData<T>(folder: string, work: (store: Store) => T | Promise<T>): Promise<T> {
  const store = await Store.open(folder)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
