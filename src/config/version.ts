/** Put in place by build.ts. */
declare const CORKBOARD_VERSION: string

/** The version in package.json; `dev` where the sources run unbuilt. */
export const version: string = typeof CORKBOARD_VERSION === 'undefined' ? 'dev' : CORKBOARD_VERSION
