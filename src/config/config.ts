import type { CommandLine } from './commandLine.ts'
import { consistencyErrors } from './consistency.ts'
import { type Entry, entryError, findEntries } from './entries.ts'
import type { Environment } from './environment.ts'
import { OptionError } from './errors.ts'
import { type Config, type OptionKey, optionOf } from './options.ts'
import type { DefaultContext } from './optionType.ts'
import { unknownFlags, unknownVariables } from './unknown.ts'
import { originOf } from './values.ts'

export type { Config, OptionKey } from './options.ts'

/** The inputs of the configuration besides the command line. */
interface ConfigContext {
  readonly variables: Environment
  /** Whether the log is written to a terminal. */
  readonly isTerminal: boolean
}

/** The values of options. Some are missing if there are errors. */
interface ParsedOptions<K extends OptionKey> {
  readonly values: { readonly [P in K]: Config[P] } & Pick<Config, 'given' | 'texts'>
  readonly errors: readonly string[]
}

/** Reads options from flags and variables. Flags override variables. The errors include those of the command line. */
export function readOptions<K extends OptionKey>(
  keys: readonly K[],
  line: CommandLine,
  { variables, isTerminal }: ConfigContext,
): ParsedOptions<K> {
  const errors = [...line.errors, ...unknownFlags(line), ...unknownVariables(variables)]
  const entries = findEntries(keys, line.values, variables)
  const [registration, domain] = [entries.get('registration')?.text, entries.get('domain')?.text]
  const context: DefaultContext = { registration, domain, isTerminal }
  const values: Partial<Record<OptionKey, unknown>> = {}
  for (const key of keys) {
    const entry = entries.get(key)
    const value = entry ? readEntry(key, entry) : readDefault(key, context)
    if (entry && value instanceof OptionError) errors.push(entryError(key, entry, value))
    else values[key] = value
  }
  const given = new Map([...entries].map(([key, { name }]) => [key, name]))
  const texts = new Map([...entries].map(([key, { text }]) => [key, text]))
  // Each value was parsed by its own option.
  errors.push(...consistencyErrors(new Set(entries.keys()), values as Partial<Config>))
  return { values: { ...values, given, texts } as ParsedOptions<K>['values'], errors }
}

function readEntry(key: OptionKey, { text, error }: Entry): unknown {
  const { parse } = optionOf(key)
  if (error) return error
  return text === '' ? new OptionError('is empty: set a value or leave it out', false) : parse(text)
}

function readDefault(key: OptionKey, context: DefaultContext): unknown {
  const { parse, default: fallback } = optionOf(key)
  const text = typeof fallback === 'function' ? fallback(context) : fallback
  return text === undefined ? undefined : parse(text)
}

/** Returns the base of absolute URLs for a server that listens on this port. */
export function baseUrlOf(config: Config, port: number): string {
  const { baseUrl, domain, host } = config
  return baseUrl ?? originOf(servesHttps(config) ? 'https' : 'http', domain?.[0] ?? host, port)
}

/** Whether the server itself, and not a proxy, speaks HTTPS. */
export const servesHttps = ({ tlsCert, domain }: Config) => tlsCert !== undefined || domain !== undefined
