import type { HelpRow } from '../config/names.ts'
import { VARIABLE_PREFIX } from '../config/names.ts'
import { version } from '../config/version.ts'
import type { Command } from './command.ts'

const NAME_WIDTH = 28

export const VERSION_LINE = `corkboard ${version}\n`

const table = (rows: readonly HelpRow[]) =>
  rows.map(([name, text]) => `  ${name.padEnd(NAME_WIDTH)}  ${text}\n`).join('')

/** A titled table, or nothing where there are no rows. */
const section = (title: string, rows: readonly HelpRow[]) =>
  rows.length === 0 ? '' : `\n${title}:\n${table(rows)}`

const commandRow = ({ usage, summary }: Command): HelpRow => [usage.replace(/^corkboard /, ''), summary]

/** The help for everything; `main` is the command that runs where none is named. */
export const overview = (commands: readonly Command[], main: Command) =>
  `Corkboard ${version}, a job board in one executable.

Usage: corkboard [COMMAND] [OPTIONS]
${section('Commands', [
  ...commands.map(commandRow),
  ['help COMMAND', 'tells more about a command'],
  ['--version', 'tells the version'],
])}
Where no command is named, it is ${main.name}.
${optionHelp(main)}
Exit status: 0 done, 1 failed, 2 wrong usage.
`

/** The help for commands that share their first word. */
export const groupHelp = (commands: readonly Command[]) => `Commands:\n${table(commands.map(commandRow))}`

/** The help for one command. */
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
  const secrets = `The variable of a secret with _FILE at its end names a file that holds it, as in
CORKBOARD_ADMIN_PASSWORD_FILE.
`
  const title = 'Settings, each a variable too (--data is CORKBOARD_DATA); the flag comes first'
  return `${section(`Options of ${name}`, flagRows)}${section(title, optionRows)}${hasSecrets ? `\n${secrets}` : ''}`
}
