import type { Config } from '../config/config.ts'
import { type BoardConfig, NO_SETTINGS, type StoredSettings, withSettings } from '../config/settings.ts'
import type { Store } from './store.ts'
import type { Change, TableReaders } from './tables.ts'

/** The id of the only row of settings. */
export const SETTINGS_ID = 1

/** Returns the name of the file of the board's own logo, `''` if it has none. */
export const boardLogo = ({ settings }: TableReaders) => settings.get(SETTINGS_ID)?.logo ?? ''

/** The configuration of a running board, which follows the settings in the store. */
export class LiveConfig {
  private readonly listeners: ((before: StoredSettings) => void)[] = []
  private merged: BoardConfig

  /** @param options the configuration at the start */
  constructor(
    private readonly store: Store,
    private readonly options: Config,
  ) {
    this.merged = this.read()
  }

  get current(): BoardConfig {
    return this.merged
  }

  /** Calls a function after the settings have changed. */
  onChange(listener: (before: StoredSettings) => void): void {
    this.listeners.push(listener)
  }

  applyChanges(changes: readonly Change[]): void {
    for (const { table, before } of changes)
      if (table === 'settings') {
        this.merged = this.read()
        for (const listener of this.listeners) listener(before ?? NO_SETTINGS)
      }
  }

  private read(): BoardConfig {
    return withSettings(this.options, this.store.read.settings.get(SETTINGS_ID) ?? NO_SETTINGS)
  }
}
