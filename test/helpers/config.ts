import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { UsageError } from '../../src/config/errors.ts'

/** Variables of a valid first administrator. */
export const ADMIN = {
  CORKBOARD_ADMIN_EMAIL: 'a@example.com',
  CORKBOARD_ADMIN_PASSWORD: 'correct horse',
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
