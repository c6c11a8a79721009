import { CommandLine } from '../../config/commandLine.ts'
import { readOptions } from '../../config/config.ts'
import { VARIABLE_PREFIX, variableOf } from '../../config/names.ts'
import { OPTION_KEYS, type OptionKey, optionOf, SERVER_KEYS } from '../../config/options.ts'

const HEADER = `# The options of the service "corkboard", as variables. "corkboard help serve" lists them.
# After a change: systemctl restart corkboard
`
/** Matches the beginning of a setting, whose value may have several lines. */
const SETTING = new RegExp(`^(${VARIABLE_PREFIX}[A-Z0-9_]+)=`)

/**
 * Returns the text of the settings file (systemd's EnvironmentFile): existing lines, in which the given options replace those
 * of the same name.
 * @param existing the present text; undefined if there is no file
 */
export function settingsText(existing: string | undefined, options: ReadonlyMap<OptionKey, string>): string {
  const given = new Map([...options].map(([key, text]) => [variableOf(key), text]))
  const isReplaced = (entry: string) => {
    const name = SETTING.exec(entry)?.[1] ?? ''
    // An option replaces the file that its value came from, too.
    return given.has(name) || given.has(name.replace(/_FILE$/, ''))
  }
  const kept = entriesIn(existing ?? HEADER).filter(entry => !isReplaced(entry))
  const added = [...given].map(([name, text]) => `${name}=${quote(text)}`)
  return `${[...kept, ...added].join('\n').trimEnd()}\n`
}

/** Returns the value of an option in a settings file; undefined if it isn't set. */
export function valueIn(text: string, key: OptionKey): string | undefined {
  const start = `${variableOf(key)}=`
  const entry = entriesIn(text).findLast(line => line.startsWith(start))
  return entry === undefined ? undefined : valueOf(entry)
}

/** Returns an error for each mistake in a settings file, such as options that can't be used together. */
export function settingsErrors(text: string): readonly string[] {
  const set = entriesIn(text).flatMap(entry => {
    const name = SETTING.exec(entry)?.[1]
    return name === undefined ? [] : [[name, valueOf(entry)] as const]
  })
  return readOptions(SERVER_KEYS, NO_FLAGS, { variables: Object.fromEntries(set), isTerminal: false }).errors
}

const NO_FLAGS = new CommandLine([], { valueFlags: [], switches: [] })

/** Returns the value of an entry, as systemd reads it. */
function valueOf(entry: string): string {
  const value = entry.slice(entry.indexOf('=') + 1).trim()
  // In single quotes, systemd takes everything as it is.
  if (value.startsWith("'")) return value.slice(1, -1)
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\([\\"$`])/g, '$1') : value
}

/** Returns a settings file in which the values of secrets are left out, to show it. */
export const withoutSecrets = (text: string): string =>
  entriesIn(text)
    .map(entry => (SECRETS.has(SETTING.exec(entry)?.[1] ?? '') ? entry.replace(/=[^]*$/, '=…') : entry))
    .join('\n')

const SECRETS: ReadonlySet<string> = new Set(
  OPTION_KEYS.filter(key => optionOf(key).isSecret).map(variableOf),
)

/** Splits a settings file into lines. A quoted value can contain line breaks. */
const entriesIn = (text: string): string[] =>
  text.trimEnd().match(/^(?:[A-Za-z0-9_]+="(?:[^"\\]|\\[^])*"|.*)$/gm) ?? []

/** Quotes a value as systemd reads it. */
const quote = (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`
