/**
 * A preload module that makes a server respond before it stores, from SIGUSR2 on. The fault tests must detect this, which
 * proves that they would detect such a bug.
 */
import { ABORT, type RootDatabase } from 'lmdb'
import { Store } from '../../src/store/store.ts'
import type { Tables } from '../../src/store/tables.ts'

const DELAY = 100

let isEarly = false
process.on('SIGUSR2', () => (isEarly = true))

type Change = (tables: Tables) => never
const write = Object.getOwnPropertyDescriptor(Store.prototype, 'write')?.value

// uses private fields of the store, to break it
interface StoreInternals {
  readonly databases: { readonly env: RootDatabase }
  readonly tables: Tables
}

Object.defineProperty(Store.prototype, 'write', {
  async value(this: StoreInternals, change: Change) {
    if (!isEarly) return await write.call(this, change)
    let value: unknown
    this.databases.env.transactionSync(() => {
      value = change(this.tables)
      return ABORT
    })
    setTimeout(() => write.call(this, change).catch(() => {}), DELAY)
    return value
  },
})
