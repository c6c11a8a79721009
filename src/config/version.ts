/** Defined by build.ts. */
declare const CORKBOARD_VERSION: string
declare const CORKBOARD_LICENSES: string

/** Whether this is the built executable. */
export const isBuilt = typeof CORKBOARD_VERSION !== 'undefined'

/** The version in package.json, or `dev` if the sources run without a build. */
export const version: string = isBuilt ? CORKBOARD_VERSION : 'dev'

/** The licences of everything that the executable contains; undefined if the sources run without a build. */
export const licenses: string | undefined = isBuilt ? CORKBOARD_LICENSES : undefined
