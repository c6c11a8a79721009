/** Put in place by build.ts. */
declare const CORKBOARD_VERSION: string

/** Whether this runs from the executable. */
export const isBuilt = typeof CORKBOARD_VERSION !== 'undefined'

/** The version in package.json; `dev` where the sources run unbuilt. */
export const version: string = isBuilt ? CORKBOARD_VERSION : 'dev'
