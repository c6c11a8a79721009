import { Problem } from '../base/problem.ts'

/** Matches an id. With at most 15 digits it is below 2^53, so that a number holds it exactly. */
const ID = String.raw`[1-9]\d{0,14}`
export const MAX_ID = 999_999_999_999_999

/** The suffix of a path that ends in an id or a token, unless its route has other formats. */
export const JSON_SUFFIX = '.json'

/** The path of the metrics, which have their own token. */
export const METRICS_PATH = '/metrics'

const PATTERNS: Readonly<Record<string, string>> = { id: ID, token: String.raw`[\w-]+`, name: '[^/]+' }

/** The 404 of a path that does not exist. */
export class NotFound extends Problem {
  constructor() {
    super('notFound', 'No such path.')
  }
}

/** The values in a path, by their names in its route: for `/jobs/:id`, only `id` is defined. */
export interface PathParams {
  readonly id: number
  readonly token: string
  readonly name: string
}

/** Whether a route has an id or a token. */
export const hasKey = (route: string) => /:(id|token)\b/.test(route)

/** Whether a route ends in a parameter with a suffix, such as `.json`. Elysia's routes can't contain the suffix. */
export const hasSuffix = (route: string) => /:(id|token)$/.test(route)

/** Returns the suffix of a path's last segment: `.png` for `7.png`, and `''` for `7`. */
export const suffixOf = (segment: string) => /\..*$/.exec(segment)?.[0] ?? ''

/**
 * Parses the values in a path.
 * @param route the route in Elysia's syntax, such as `/jobs/:id`
 * @param segments the path's segments by their names in the route; the last one includes its suffix
 * @throws NotFound if one of them is invalid
 */
export function parseParams(
  route: string,
  segments: Readonly<Record<string, string>>,
  suffix: string,
): PathParams {
  const values: Record<string, string> = {}
  for (const name in segments) {
    // A segment is undefined if Elysia can't decode it.
    const segment = segments[name] ?? ''
    const isLast = hasSuffix(route) && route.endsWith(`:${name}`)
    const value = isLast ? segment.slice(0, segment.length - suffix.length) : segment
    if (!VALUES[name]?.test(value)) throw new NotFound()
    values[name] = value
  }
  // Handlers only use the values in their own route, so the others may be missing.
  return { ...values, id: Number(values['id']) } as unknown as PathParams
}

const VALUES: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(PATTERNS).map(([name, pattern]) => [name, new RegExp(`^${pattern}$`)]),
)

/** Returns a route's path as it is documented: `/jobs/{id}.json` for `/jobs/:id`. */
export const publicPath = (route: string, suffix: string) =>
  route.replace(/:(id|token)$/, `{$1}${suffix}`).replaceAll(/:(\w+)/g, '{$1}')

/** The results of `publicPath`, of which there are as many as routes. */
const publicPaths = new Map<string, string>()

/** Returns the same as `publicPath`, for each request. */
export function cachedPublicPath(route: string, suffix: string): string {
  const key = route + suffix
  let path = publicPaths.get(key)
  if (path === undefined) publicPaths.set(key, (path = publicPath(route, suffix)))
  return path
}

/** Returns a pattern that matches the paths of a route. @param path in the form of `publicPath` */
export const pathPattern = (path: string) =>
  new RegExp(
    `^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_, name: string) => PATTERNS[name] ?? '')}$`,
  )

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

/** Finds the methods that a path allows. */
export class AllowedMethods {
  private readonly paths: { readonly pattern: RegExp; readonly methods: Set<string> }[]

  /** @param routes with paths in the form of `publicPath` */
  constructor(routes: readonly { readonly method: string; readonly path: string }[]) {
    const byPath = new Map<string, Set<string>>()
    for (const { method, path } of routes) {
      const methods = byPath.get(path) ?? new Set(['OPTIONS'])
      byPath.set(path, methods.add(method))
      if (method === 'GET') methods.add('HEAD')
    }
    this.paths = [...byPath].map(([path, methods]) => ({ pattern: pathPattern(path), methods }))
  }

  /** Returns the methods of a path, always in the same order; empty if the path does not exist. */
  of(path: string): string[] {
    const matching = this.paths.filter(({ pattern }) => pattern.test(path))
    return METHODS.filter(method => matching.some(({ methods }) => methods.has(method)))
  }
}
