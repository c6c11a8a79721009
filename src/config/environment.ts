/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The variables of this process. Nothing else reads them. */
export const processEnvironment = (): Environment => process.env

/** Where the system looks for shared libraries. */
const LIBRARY_PATHS = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot']

/** The few variables that a process started by this one needs too. No setting of the board, and so no secret, is among them. */
export const inheritedVariables = (): Record<string, string> =>
  Object.fromEntries(
    LIBRARY_PATHS.flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
