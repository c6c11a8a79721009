import { errorMessage, errorStack } from '../base/error.ts'
import { type FieldErrors, Problem } from '../base/problem.ts'
import { printableLines } from '../base/text.ts'
import { CommandLine } from '../config/commandLine.ts'
import { UsageError } from '../config/errors.ts'
import { suggestion } from '../config/unknown.ts'
import { ImportError } from '../features/imports/importError.ts'
import { S3Error } from '../s3/s3Error.ts'
import { StoreError } from '../store/storeError.ts'
import { type Command, CommandError, HELP, VERBOSE, VERSION } from './command.ts'
import { commandHelp, groupHelp, overview, VERSION_LINE } from './help.ts'
import type { Host } from './host.ts'

const DONE = 0
const FAILED = 1
const USAGE_ERROR = 2

/** The commands of the program. */
export interface Commands {
  /** The command that runs if none is named. */
  readonly defaultCommand: Command
  readonly all: readonly Command[]
}

/** Runs a command line and returns the exit status. Writes a sentence for everything that goes wrong. */
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
  else
    await command.run(line, host).catch((error: unknown) => {
      throw isExpected(error) ? error : internalError(error, command.activity, line.switches.has(VERBOSE))
    })
}

const isExpected = (error: unknown) =>
  [UsageError, Problem, CommandError, ImportError, StoreError, S3Error].some(type => error instanceof type)

function internalError(error: unknown, activity: string, isVerbose: boolean): CommandError {
  const [summary = ''] = errorMessage(error).split('\n')
  const hint = isVerbose ? `\n${errorStack(error)}` : ` Add --${VERBOSE} to see where.`
  return new CommandError(`Something went wrong while ${activity}: ${summary.replace(/\.$/, '')}.${hint}`)
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

/** Returns the commands whose first word this is. */
const groupOf = (all: readonly Command[], word: string) =>
  all.filter(({ name }) => name.startsWith(`${word} `))

function unknownCommand(name: string, all: readonly Command[]): UsageError {
  const known = all.map(command => command.name)
  return new UsageError([`Unknown command "${name}".${suggestion(name, [...known, HELP])}`])
}

function incompleteCommand(first: string, group: readonly Command[]): UsageError {
  const names = group.map(({ name }) => name.slice(first.length + 1))
  return new UsageError([`${first} requires a subcommand: ${names.join(', ')}.`])
}

/** Returns a sentence for each thing that went wrong. */
function errorSentences(error: unknown): readonly string[] {
  if (error instanceof UsageError) return error.errors
  if (error instanceof Problem && error.details.errors) return fieldSentences(error.details.errors)
  return [errorMessage(error)]
}

const fieldSentences = (errors: FieldErrors) =>
  Object.entries(errors).flatMap(([field, those]) => those.map(error => `The ${field} ${error}.`))
