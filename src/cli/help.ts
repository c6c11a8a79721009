import { type HelpRow, VARIABLE_PREFIX } from '../config/names.ts'
import { version } from '../config/version.ts'
import type { Command } from './command.ts'

const NAME_WIDTH = 28

export const VERSION_LINE = `corkboard ${version}\n`

const table = (rows: readonly HelpRow[]) =>
  rows.map(([name, text]) => `  ${name.padEnd(NAME_WIDTH)}  ${text}\n`).join('')

/** Returns a titled table, or nothing if there are no rows. */
const section = (title: string, rows: readonly HelpRow[]) =>
  rows.length === 0 ? '' : `\n${title}:\n${table(rows)}`

const commandRow = ({ usage, summary }: Command): HelpRow => [usage.replace(/^corkboard /, ''), summary]

/** Returns the help for all commands. `main` is the default command. */
export const overview = (commands: readonly Command[], main: Command) =>
  `Corkboard ${version}, a job board in one executable.

Usage: corkboard [COMMAND] [OPTIONS]
${section('Commands', [
  ...commands.map(commandRow),
  ['help COMMAND', 'show the help for a command'],
  ['--version', 'show the version'],
])}
The default command is ${main.name}.
${optionHelp(main)}
Exit status: 0 success, 1 failure, 2 wrong usage.
`

/** Returns the help for commands that share their first word. */
export const groupHelp = (commands: readonly Command[]) => `Commands:\n${table(commands.map(commandRow))}`

/** Returns the help for one command. */
export function commandHelp(command: Command): string {
  const { usage, summary, details } = command
  const sentences = [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(details === undefined ? [] : [details]),
  ]
  return `Usage: ${usage} [OPTIONS]\n\n${sentences.join('\n')}\n${optionHelp(command)}`
}

function optionHelp({ name, flagRows, optionRows }: Command): string {
  const hasSecrets = optionRows.some(([option]) => option.startsWith(VARIABLE_PREFIX))
  const secrets = `A secret can also come from a file: add _FILE to its variable, as in CORKBOARD_ADMIN_PASSWORD_FILE.
`
  const title = 'Settings, also as variables (--data is CORKBOARD_DATA). Flags override variables'
  return `${section(`Options of ${name}`, flagRows)}${section(title, optionRows)}${hasSecrets ? `\n${secrets}` : ''}`
}
