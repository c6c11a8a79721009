/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The variables of this process. Nothing else reads them. */
export const processEnvironment = (): Environment => process.env
