import { Store } from '../../src/store/store.ts'

/** Opens a data directory, lets `work` at it, and closes it: commands open it for themselves. */
export async function withData<T>(folder: string, work: (store: Store) => T | Promise<T>): Promise<T> {
  const store = await Store.open(folder)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
