import { nameOf } from './names.ts'
import { type OptionKey, optionOf } from './options.ts'

/** A row of help: what is given, and what that does. */
export type HelpRow = readonly [string, string]

/** A row for each of the options. */
export const optionRows = (keys: readonly OptionKey[]): HelpRow[] => keys.map(optionRow)

function optionRow(key: OptionKey): HelpRow {
  const { value, help, default: given, defaultHelp, isVariableOnly: variableOnly } = optionOf(key)
  const preset = defaultHelp ?? (typeof given === 'string' ? given : undefined)
  return [
    variableOnly ? nameOf(key) : `${nameOf(key)} ${value}`,
    preset === undefined ? help : `${help} (${preset})`,
  ]
}
