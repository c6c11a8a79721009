import { CommandLine } from '../../src/config/commandLine.ts'
import { type Config, readOptions } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { UsageError } from '../../src/config/errors.ts'
import { flagsOf } from '../../src/config/names.ts'
import { OPTION_KEYS } from '../../src/config/options.ts'

/** Variables of a valid first administrator. */
export const ADMIN = {
  CORKBOARD_ADMIN_EMAIL: 'a@example.com',
  CORKBOARD_ADMIN_PASSWORD: 'correct horse',
}

/**
 * Reads every option from flags and variables.
 * @throws UsageError with every mistake
 */
export function readConfig(args: readonly string[], variables: Environment, isTerminal = false): Config {
  const line = new CommandLine(args, { valueFlags: flagsOf(OPTION_KEYS), switches: [] })
  const { values, errors } = readOptions(OPTION_KEYS, line, { variables, isTerminal })
  const all =
    line.isUnderstood && line.positionals.length > 0
      ? [...errors, 'There are no arguments, only options.']
      : errors
  if (all.length > 0) throw new UsageError(all)
  return values
}

/** Returns the errors of a command line and variables. */
export function configErrors(args: readonly string[], variables: Environment = {}): readonly string[] {
  try {
    readConfig(args, variables)
    return []
  } catch (error) {
    if (error instanceof UsageError) return error.errors
    throw error
  }
}

/** Returns the name of a flag's variable. */
export const variableOf = (flag: string) => `CORKBOARD_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`
