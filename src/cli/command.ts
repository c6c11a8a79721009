import type { CommandLine, KnownFlags } from '../config/commandLine.ts'
import { type Config, type OptionKey, readOptions } from '../config/config.ts'
import { UsageError } from '../config/errors.ts'
import { flagsOf, type HelpRow, optionRows } from '../config/names.ts'
import type { Host } from './host.ts'

/** A command could not do what it was asked to. The message says why, in a sentence. */
export class CommandError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'Failure'
  }
}

/** A flag of a command's own. Without a `value` it is a switch. */
export interface Flag {
  /** What stands for the value in the help. */
  readonly value?: string
  readonly help: string
}

export type Flags = Readonly<Record<string, Flag>>

/** What a command is run with: the world around it, and what was asked of it. */
export interface CommandContext<
  K extends OptionKey,
  A extends readonly string[],
  F extends Flags,
> extends Host {
  readonly config: { readonly [P in K]: Config[P] }
  readonly args: { readonly [I in keyof A]: A[I] extends `[${string}]` ? string | undefined : string }
  readonly flags: { readonly [P in keyof F]: F[P] extends { value: string } ? string | undefined : boolean }
}

/** A command as it is written down. */
export interface CommandDefinition<K extends OptionKey, A extends readonly string[], F extends Flags> {
  /** One word, or two where several commands share the first. */
  readonly name: string
  /** What it does, in a line that begins with a verb. */
  readonly summary: string
  /** Whatever else one should know, in whole lines. */
  readonly details?: string
  /** Names of the arguments, in order; `[NAME]` may be left out. */
  readonly args: A
  readonly flags: F
  readonly options: readonly K[]
  /** Does it. What is thrown becomes a sentence and exit status 1; WrongUsage, status 2. */
  readonly run: (call: CommandContext<K, A, F>) => Promise<void>
}

/** A command as the frame sees it, whatever its arguments are. */
export interface Command {
  readonly name: string
  readonly summary: string
  readonly details: string | undefined
  readonly usage: string
  /** The help on its own flags, and on the options that it shares. */
  readonly flagRows: readonly HelpRow[]
  readonly optionRows: readonly HelpRow[]
  readonly known: KnownFlags
  readonly run: (line: CommandLine, host: Host) => Promise<void>
}

/** The switches that every command has. */
export const HELP = 'help'
export const VERSION = 'version'

/** Makes a command of its definition. */
export function command<K extends OptionKey, const A extends readonly string[], F extends Flags>(
  definition: CommandDefinition<K, A, F>,
): Command {
  const { name, summary, details, args, flags, options } = definition
  const own = Object.entries(flags)
  const texts = own.filter(([, flag]) => flag.value !== undefined).map(([flag]) => flag)
  const switches = own.filter(([, flag]) => flag.value === undefined).map(([flag]) => flag)
  return {
    name,
    summary,
    details,
    usage: ['corkboard', name, ...args].join(' '),
    flagRows: own.map(flagRow),
    optionRows: optionRows(options),
    known: { valueFlags: [...texts, ...flagsOf(options)], switches: [...switches, HELP, VERSION] },
    run: async (line, host) => definition.run(createContext(definition, line, host)),
  }
}

const flagRow = ([name, { value, help }]: [string, Flag]): HelpRow => [
  value === undefined ? `--${name}` : `--${name} ${value}`,
  help,
]

/** @throws WrongUsage with every mistake */
function createContext<K extends OptionKey, A extends readonly string[], F extends Flags>(
  { name, args, flags, options }: CommandDefinition<K, A, F>,
  line: CommandLine,
  host: Host,
): CommandContext<K, A, F> {
  const surroundings = { variables: host.variables, isTerminal: host.stderr.isTTY === true }
  const { values, errors } = readOptions(options, line, surroundings)
  const all = [...errors, ...argumentErrors(name, args, line)]
  if (all.length > 0) throw new UsageError(all)
  const given = Object.entries(flags).map(([flag, { value }]) => [
    flag,
    value === undefined ? line.switches.has(flag) : line.values.get(flag),
  ])
  return {
    ...host,
    config: values,
    // the positionals were counted, and the flags are those of F
    args: line.positionals as unknown as CommandContext<K, A, F>['args'],
    flags: Object.fromEntries(given) as CommandContext<K, A, F>['flags'],
  }
}

/** What is given too much is not repeated: it may be a password. */
function argumentErrors(name: string, args: readonly string[], line: CommandLine): string[] {
  if (!line.isUnderstood) return []
  const needed = args.filter(arg => !arg.startsWith('['))
  const count = line.positionals.length
  if (count >= needed.length && count <= args.length) return []
  return [
    `${name} takes ${args.length === 0 ? 'no arguments' : args.join(' ')}, and ${count} ${count === 1 ? 'was' : 'were'} given.`,
  ]
}
