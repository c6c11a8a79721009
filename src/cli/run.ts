import { type FieldErrors, Problem } from '../base/problem.ts'
import { printableLines } from '../base/text.ts'
import { CommandLine } from '../config/commandLine.ts'
import { UsageError } from '../config/errors.ts'
import { suggestion } from '../config/unknown.ts'
import { StoreError } from '../store/storeError.ts'
import { type Command, CommandError, HELP, VERSION } from './command.ts'
import { commandHelp, groupHelp, overview, VERSION_LINE } from './help.ts'
import type { Host } from './host.ts'

const DONE = 0
const FAILED = 1
const USAGE_ERROR = 2

/** The commands that there are. */
export interface Commands {
  /** The one that runs where none is named; among `all` too. */
  readonly defaultCommand: Command
  readonly all: readonly Command[]
}

/** Runs what a command line asks for, and resolves with the exit status. Says what went wrong in a sentence each. */
export async function run(commands: Commands, args: readonly string[], host: Host): Promise<number> {
  try {
    await dispatch(commands, args, host)
    return DONE
  } catch (error) {
    for (const sentence of errorSentences(error)) host.stderr.write(`${printableLines(sentence)}\n`)
    return error instanceof UsageError ? USAGE_ERROR : FAILED
  }
}

async function dispatch(commands: Commands, args: readonly string[], host: Host): Promise<void> {
  const { defaultCommand: main, all } = commands
  const [first, ...rest] = args
  if (first === HELP) host.stdout.write(helpFor(commands, rest))
  else if (first === undefined || first.startsWith('-'))
    await runCommand(main, args, host, () => overview(all, main))
  else await runNamed(all, args, host)
}

async function runNamed(all: readonly Command[], args: readonly string[], host: Host): Promise<void> {
  const [first = '', second] = args
  const found = all.find(({ name }) => name === first || name === `${first} ${second}`)
  if (found) {
    const rest = args.slice(found.name.split(' ').length)
    return runCommand(found, rest, host, () => commandHelp(found))
  }
  const group = groupOf(all, first)
  if (group.length === 0) throw unknownCommand(first, all)
  if (second === `--${HELP}` || second === '-h') host.stdout.write(groupHelp(group))
  else if (second === undefined || second.startsWith('-')) throw incompleteCommand(first, group)
  else throw unknownCommand(`${first} ${second}`, all)
}

async function runCommand(
  command: Command,
  args: readonly string[],
  host: Host,
  help: () => string,
): Promise<void> {
  const line = new CommandLine(args, command.known)
  if (line.switches.has(HELP)) host.stdout.write(help())
  else if (line.switches.has(VERSION)) host.stdout.write(VERSION_LINE)
  else await command.run(line, host)
}

function helpFor({ defaultCommand: main, all }: Commands, words: readonly string[]): string {
  const name = words.join(' ')
  if (name === '') return overview(all, main)
  const found = all.find(command => command.name === name)
  if (found) return commandHelp(found)
  const group = groupOf(all, name)
  if (group.length === 0) throw unknownCommand(name, all)
  return groupHelp(group)
}

/** The commands whose names begin with this word and go on. */
const groupOf = (all: readonly Command[], word: string) =>
  all.filter(({ name }) => name.startsWith(`${word} `))

function unknownCommand(name: string, all: readonly Command[]): UsageError {
  const known = all.map(command => command.name)
  return new UsageError([`There is no command "${name}"${suggestion(name, [...known, HELP])}`])
}

function incompleteCommand(first: string, group: readonly Command[]): UsageError {
  const names = group.map(({ name }) => name.slice(first.length + 1))
  return new UsageError([`${first} needs one of these words after it: ${names.join(', ')}.`])
}

/** What went wrong, in sentences for a person. A stack is for nobody here. */
function errorSentences(error: unknown): readonly string[] {
  if (error instanceof UsageError) return error.errors
  if (error instanceof Problem && error.details.errors) return fieldSentences(error.details.errors)
  if (error instanceof Problem || error instanceof CommandError || error instanceof StoreError)
    return [error.message]
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return [`Something went wrong: ${first.replace(/\.$/, '')}.`]
}

const fieldSentences = (errors: FieldErrors) =>
  Object.entries(errors).flatMap(([field, those]) => those.map(error => `The ${field} ${error}.`))
