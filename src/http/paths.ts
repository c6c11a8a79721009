import { Problem } from '../base/problem.ts'

/** At most as many digits as 2^53 has, less one, so that every id is exact. */
const ID = String.raw`[1-9]\d{0,14}`
export const MAX_ID = 999_999_999_999_999

/** What a path ends in whose last part is an id or a token, unless its route has other formats. */
export const JSON_SUFFIX = '.json'

const PATTERNS: Readonly<Record<string, string>> = { id: ID, token: String.raw`[\w-]+`, name: '[^/]+' }

/** The 404 of a path that does not exist. */
export class NotFound extends Problem {
  constructor() {
    super('notFound', 'No such path.')
  }
}

/** The values in a path, by their names in its route: `/jobs/:id` has an id, and no token or name. */
export interface PathParams {
  readonly id: number
  readonly token: string
  readonly name: string
}

/** Whether the last part of a route is a parameter that is followed by a suffix, which Elysia has no way to state. */
export const hasSuffix = (route: string) => /:(id|token)$/.test(route)

/** The suffix of a path's last segment: `.png` for `7.png`, nothing for `7`. */
export const suffixOf = (segment: string) => /\..*$/.exec(segment)?.[0] ?? ''

/**
 * Reads the values in a path.
 * @param route as Elysia knows it, such as `/jobs/:id`
 * @param segments by their names in the route; the last one with its suffix
 * @throws NotFound if one of them can't be such a value
 */
export function parseParams(
  route: string,
  segments: Readonly<Record<string, string>>,
  suffix: string,
): PathParams {
  const values: Record<string, string> = {}
  for (const name in segments) {
    // undefined where Elysia can't decode it
    const segment = segments[name] ?? ''
    const isLast = hasSuffix(route) && route.endsWith(`:${name}`)
    const value = isLast ? segment.slice(0, segment.length - suffix.length) : segment
    if (!VALUES[name]?.test(value)) throw new NotFound()
    values[name] = value
  }
  // a handler asks for the values of its own route only
  return { ...values, id: Number(values['id']) } as unknown as PathParams
}

const VALUES: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(PATTERNS).map(([name, pattern]) => [name, new RegExp(`^${pattern}$`)]),
)

/** A route's path as clients know it: `/jobs/{id}.json`. */
export const publicPath = (route: string, suffix: string) =>
  route.replace(/:(id|token)$/, `{$1}${suffix}`).replaceAll(/:(\w+)/g, '{$1}')

/** Matches the paths of a route, which is given as `publicPath` writes it. */
export const pathPattern = (path: string) =>
  new RegExp(
    `^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_, name: string) => PATTERNS[name] ?? '')}$`,
  )

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

/** Finds the methods of a path, from the list of routes. */
export class AllowedMethods {
  private readonly paths: { readonly pattern: RegExp; readonly methods: Set<string> }[]

  /** @param routes with paths as `publicPath` writes them */
  constructor(routes: readonly { readonly method: string; readonly path: string }[]) {
    const byPath = new Map<string, Set<string>>()
    for (const { method, path } of routes) {
      const methods = byPath.get(path) ?? new Set(['OPTIONS'])
      byPath.set(path, methods.add(method))
      if (method === 'GET') methods.add('HEAD')
    }
    this.paths = [...byPath].map(([path, methods]) => ({ pattern: pathPattern(path), methods }))
  }

  /** In upper case and always in the same order; empty if the path does not exist. */
  of(path: string): string[] {
    const matching = this.paths.filter(({ pattern }) => pattern.test(path))
    return METHODS.filter(method => matching.some(({ methods }) => methods.has(method)))
  }
}
