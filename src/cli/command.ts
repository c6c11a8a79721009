import type { CommandLine, KnownFlags } from '../config/commandLine.ts'
import { type Config, type OptionKey, readOptions } from '../config/config.ts'
import { UsageError } from '../config/errors.ts'
import { flagsOf, type HelpRow, optionRows } from '../config/names.ts'
import type { Host } from './host.ts'

/** A command failed. The message says why, in a sentence. */
export class CommandError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'CommandError'
  }
}

/** A flag of one command. A flag without a `value` is a switch. */
interface Flag {
  /** The placeholder of the value in the help. */
  readonly value?: string
  readonly help: string
}

export type Flags = Readonly<Record<string, Flag>>

/** The input of a command: the host, its options, arguments and flags. */
interface CommandContext<K extends OptionKey, A extends readonly string[], F extends Flags> extends Host {
  readonly config: { readonly [P in K]: Config[P] } & Pick<Config, 'given' | 'texts'>
  readonly args: { readonly [I in keyof A]: A[I] extends `[${string}]` ? string | undefined : string }
  readonly flags: { readonly [P in keyof F]: F[P] extends { value: string } ? string | undefined : boolean }
}

/** The definition of a command, from which `command` makes a Command. */
interface CommandDefinition<K extends OptionKey, A extends readonly string[], F extends Flags> {
  /** One word, or two where several commands share the first. */
  readonly name: string
  /** One line of help that starts with an imperative. */
  readonly summary: string
  /** The words after "while" in an error message: `checking the data`. */
  readonly activity: string
  /** More help, in sentences. */
  readonly details?: string
  /** The names of the arguments, in order; `[NAME]` is optional. */
  readonly args: A
  readonly flags: F
  readonly options: readonly K[]
  /** Runs the command. An error is printed as a sentence. The exit status is then 1, or 2 for a UsageError. */
  readonly run: (context: CommandContext<K, A, F>) => Promise<void>
}

/** A command, independent of the types of its arguments. */
export interface Command {
  readonly name: string
  readonly activity: string
  readonly summary: string
  readonly details: string | undefined
  readonly usage: string
  /** The help for its own flags. */
  readonly flagRows: readonly HelpRow[]
  /** The help for the options that it shares with other commands. */
  readonly optionRows: readonly HelpRow[]
  readonly known: KnownFlags
  readonly run: (line: CommandLine, host: Host) => Promise<void>
}

/** The switches that every command has. */
export const HELP = 'help'
export const VERSION = 'version'
export const VERBOSE = 'verbose'

const VERBOSE_ROW: HelpRow = [`--${VERBOSE}`, 'show where an internal error happened']

/** Makes a command from its definition. */
export function command<K extends OptionKey, const A extends readonly string[], F extends Flags>(
  definition: CommandDefinition<K, A, F>,
): Command {
  const { name, activity, summary, details, args, flags, options } = definition
  const own = Object.entries(flags)
  const valueFlags = own.filter(([, flag]) => flag.value !== undefined).map(([flag]) => flag)
  const switches = own.filter(([, flag]) => flag.value === undefined).map(([flag]) => flag)
  return {
    name,
    activity,
    summary,
    details,
    usage: ['corkboard', name, ...args].join(' '),
    flagRows: [...own.map(flagRow), VERBOSE_ROW],
    optionRows: optionRows(options),
    known: {
      valueFlags: [...valueFlags, ...flagsOf(options)],
      switches: [...switches, HELP, VERSION, VERBOSE],
    },
    run: async (line, host) => definition.run(createContext(definition, line, host)),
  }
}

const flagRow = ([name, { value, help }]: [string, Flag]): HelpRow => [
  value === undefined ? `--${name}` : `--${name} ${value}`,
  help,
]

/** @throws UsageError with every mistake */
function createContext<K extends OptionKey, A extends readonly string[], F extends Flags>(
  { name, args, flags, options }: CommandDefinition<K, A, F>,
  line: CommandLine,
  host: Host,
): CommandContext<K, A, F> {
  const isTerminal = host.stderr.isTTY === true
  const { values, errors } = readOptions(options, line, { variables: host.variables, isTerminal })
  const all = [...errors, ...argumentErrors(name, args, line)]
  if (all.length > 0) throw new UsageError(all)
  const given = Object.entries(flags).map(([flag, { value }]) => [
    flag,
    value === undefined ? line.switches.has(flag) : line.values.get(flag),
  ])
  return {
    ...host,
    config: values,
    // argumentErrors has counted the positionals, and the flags are those of F.
    args: line.positionals as unknown as CommandContext<K, A, F>['args'],
    flags: Object.fromEntries(given) as CommandContext<K, A, F>['flags'],
  }
}

/** Checks the number of arguments. They aren't quoted: one may be a password. */
function argumentErrors(name: string, args: readonly string[], line: CommandLine): string[] {
  if (!line.isUnderstood) return []
  const needed = args.filter(arg => !arg.startsWith('['))
  const count = line.positionals.length
  if (count >= needed.length && count <= args.length) return []
  return [
    `${name} takes ${args.length === 0 ? 'no arguments' : args.join(' ')}, but ${count} ${count === 1 ? 'argument was' : 'arguments were'} given.`,
  ]
}
