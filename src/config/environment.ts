/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the variables of this process. No other function reads them. */
export const processEnvironment = (): Environment => process.env

/** The variables that say where shared libraries are. */
const LIBRARY_PATHS = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot']

/** Returns the few variables that child processes need. They include no options of the board, and so no secrets. */
export const inheritedVariables = (): Record<string, string> =>
  Object.fromEntries(
    LIBRARY_PATHS.flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
