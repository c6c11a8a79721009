/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the variables of this process, which are read here only. */
export const processEnvironment = (): Environment => process.env

/** The variables that say where shared libraries are. */
const LIBRARY_PATHS = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot']

/** Returns the few variables that child processes need. They contain no option of the board, and so no secret. */
export const inheritedVariables = (): Record<string, string> =>
  Object.fromEntries(
    LIBRARY_PATHS.flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
