import type { Clock } from '../base/clock.ts'
import type { Actor } from './journal/journalRow.ts'

export interface OpenOptions {
  /** Opens an existing directory that a server may have open: takes no lock and creates nothing. */
  readonly shared?: boolean
  /** The clock of the journal. */
  readonly clock?: Clock
  /** Who makes the changes, unless a write says otherwise. */
  readonly actor?: Actor
  /** Whether a store of an older version is backed up before it is migrated. */
  readonly upgradeBackup?: boolean
}

export interface WriteOptions {
  readonly actor?: Actor | undefined
  /** The number of bytes that the write may store, if that is more than a few records. */
  readonly size?: number | undefined
}
