/** Defined by build.ts. */
declare const CORKBOARD_VERSION: string

/** Whether this is the built executable. */
export const isBuilt = typeof CORKBOARD_VERSION !== 'undefined'

/** The version in package.json, or `dev` if the sources run without a build. */
export const version: string = isBuilt ? CORKBOARD_VERSION : 'dev'
