/**
 * Preloaded, it makes a server that is careless from SIGUSR2 on: it says that a change is stored, and stores it a moment
 * later. What the fault tests find of it shows that they would find such a fault of ours.
 */
import { ABORT, type RootDatabase } from 'lmdb'
import { Store } from '../../src/store/store.ts'
import type { Tables } from '../../src/store/tables.ts'

const LATER = 100

let isCareless = false
process.on('SIGUSR2', () => (isCareless = true))

type Change = (tables: Tables) => never
const write = Object.getOwnPropertyDescriptor(Store.prototype, 'write')?.value

// what the store keeps to itself is looked at here, to do it wrong
interface Bare {
  readonly shelves: { readonly env: RootDatabase }
  readonly tables: Tables
}

Object.defineProperty(Store.prototype, 'write', {
  async value(this: Bare, change: Change) {
    if (!isCareless) return await write.call(this, change)
    let value: unknown
    this.shelves.env.transactionSync(() => {
      value = change(this.tables)
      return ABORT
    })
    setTimeout(() => write.call(this, change).catch(() => {}), LATER)
    return value
  },
})
