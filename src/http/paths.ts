import { Problem } from '../base/problem.ts'

/** What an id looks like: at most as many digits as 2^53 has, less one, so that every such number is exact. */
export const ID_PATTERN = String.raw`[1-9]\d{0,14}`
export const LARGEST_ID = 999_999_999_999_999

const BARE = new RegExp(`^${ID_PATTERN}$`)
const NAME = new RegExp(String.raw`^(${ID_PATTERN})(?:\.([a-z]+))?$`)

const TOKEN_NAME = /^([\w-]+)\.json$/

/** The refusal of a path that is none of ours. */
export class NotFound extends Problem {
  constructor() {
    super('notFound', 'There is nothing at this path.')
  }
}

/**
 * The last segment of a path taken apart, `7.png` → 7 and `png`, `7` → 7 and none. The suffix is part of the path, but a route can't say so.
 * @throws Problem 'notFound'
 */
export function parseIdAndSuffix(segment: string): { id: number; suffix: string } {
  const [, digits, suffix = ''] = NAME.exec(segment) ?? []
  if (digits === undefined) throw new NotFound()
  return { id: Number(digits), suffix }
}

/**
 * The id in the last segment of a path where there is nothing but JSON, `7.json` → 7.
 * @throws Problem 'notFound'
 */
export function parseJsonId(segment: string): number {
  const { id, suffix } = parseIdAndSuffix(segment)
  if (suffix !== 'json') throw new NotFound()
  return id
}

/**
 * The id in a segment within a path, `7` → 7.
 * @throws Problem 'notFound'
 */
export function parseId(segment: string): number {
  if (!BARE.test(segment)) throw new NotFound()
  return Number(segment)
}

/**
 * The token in the last segment of a path, `abc.json` → `abc`.
 * @throws Problem 'notFound'
 */
export function parseJsonToken(segment: string): string {
  const token = TOKEN_NAME.exec(segment)?.[1]
  if (token === undefined) throw new NotFound()
  return token
}

/**
 * What a route's path matches: ids and tokens, with the suffix where they end the path, or another name. An id at the
 * end that has no suffix is called `bare`.
 */
export const routePattern = (path: string) =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace(/:token$/, '[\\w-]+\\.json')
      .replace(/:id$/, `${ID_PATTERN}\\.json`)
      .replaceAll(/:(?:id|bare)\b/g, ID_PATTERN)
      .replaceAll(/:\w+/g, '[^/]+')}$`,
  )

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

/** Tells which verbs a path knows, from the routes that there are. */
export class AllowedMethods {
  private readonly patterns: { pattern: RegExp; verbs: Set<string> }[]

  constructor(routes: readonly { readonly method: string; readonly path: string }[]) {
    const byPath = new Map<string, Set<string>>()
    for (const { method, path } of routes) {
      const verbs = byPath.get(path) ?? new Set<string>()
      byPath.set(path, verbs.add(method))
      if (method === 'GET') verbs.add('HEAD')
      verbs.add('OPTIONS')
    }
    this.patterns = [...byPath].map(([path, verbs]) => ({ pattern: routePattern(path), verbs }))
  }

  /** In upper case and in the same order always; empty where the path is none of ours. */
  of(path: string): string[] {
    const known = this.patterns.filter(({ pattern }) => pattern.test(path))
    return VERBS.filter(verb => known.some(({ verbs }) => verbs.has(verb)))
  }
}
