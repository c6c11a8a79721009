import type { Databases } from './databases.ts'
import { commitErrorOf } from './diskSpace.ts'

/** The key of the seal: a random number that every commit removes. */
const SEAL_KEY = 'seal'

/** Runs a synchronous callback as one transaction, and resolves once it is on disk. @throws Problem 'full' */
export async function commit<T>(databases: Databases, callback: () => T): Promise<T> {
  const { env, meta } = databases
  try {
    return await env.childTransaction(() => {
      if (meta.get(SEAL_KEY) !== undefined) void meta.remove(SEAL_KEY)
      return callback()
    })
  } catch (error) {
    throw await commitErrorOf(error)
  }
}

/**
 * Identifies the last commit, if that was `putSeal`. It includes LMDB's number of the commit, because a program of an older
 * version doesn't remove the seal.
 */
export function sealOf({ env, meta }: Databases): string | undefined {
  const seal = meta.get(SEAL_KEY)
  const { lastTxnId } = env.getStats() as { lastTxnId: number } // lmdb doesn't declare what it returns
  return seal === undefined ? undefined : `${seal}-${lastTxnId}`
}

/** Makes the present state of the records identifiable, unless it is already. Call this after all writes. */
export async function putSeal(databases: Databases): Promise<void> {
  if (databases.meta.get(SEAL_KEY) !== undefined) return
  await commit(databases, () => void databases.meta.put(SEAL_KEY, Math.random()))
}
