import { type OptionKey, optionOf } from './options.ts'

export const VARIABLE_PREFIX = 'CORKBOARD_'

/** Returns the flag of an option: `baseUrl` → `base-url`. */
export const flagOf = (key: OptionKey) => key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** Returns the flags of the options that have one. */
export const flagsOf = (keys: readonly OptionKey[]) =>
  keys.filter(key => !optionOf(key).isVariableOnly).map(flagOf)

/** Returns the variable of an option: `baseUrl` → `CORKBOARD_BASE_URL`. */
export const variableOf = (key: OptionKey) =>
  `${VARIABLE_PREFIX}${flagOf(key).replaceAll('-', '_').toUpperCase()}`

/** Returns the variable that names a file with the value of a secret. */
export const fileVariableOf = (key: OptionKey) => `${variableOf(key)}_FILE`

/** Returns the name of an option in messages: its flag, or its variable if it has no flag. */
export const nameOf = (key: OptionKey) =>
  optionOf(key).isVariableOnly ? variableOf(key) : `--${flagOf(key)}`

/** A row of help: the text to enter and its description. */
export type HelpRow = readonly [string, string]

/** Returns a row of help for each option. */
export const optionRows = (keys: readonly OptionKey[]): HelpRow[] => keys.map(optionRow)

function optionRow(key: OptionKey): HelpRow {
  const { value, help, default: fallback, defaultHelp, isVariableOnly } = optionOf(key)
  const shown = defaultHelp ?? (typeof fallback === 'string' ? fallback : undefined)
  return [
    isVariableOnly ? nameOf(key) : `${nameOf(key)} ${value}`,
    shown === undefined ? help : `${help} (${shown})`,
  ]
}
