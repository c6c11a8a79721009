import { Problem } from '../base/problem.ts'

/** Matches an id. With at most 15 digits it is below 2^53, so that a number holds it exactly. */
const ID = String.raw`[1-9]\d{0,14}`
export const MAX_ID = 999_999_999_999_999

/** The suffix of a path that ends in an id or a token, unless its route has other formats. */
export const JSON_SUFFIX = '.json'

/** The path of the metrics, which have their own token. */
export const METRICS_PATH = '/metrics'

/** The values as they are in a path, percent-encoded. */
const PATTERNS: Readonly<Record<string, string>> = {
  id: ID,
  token: String.raw`[\w-]+`,
  name: '[^/]+',
  source: '[^/]+',
  external_id: '[^/]+',
}

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
  readonly source: string
  /** Any text, which can contain slashes and dots. */
  readonly external_id: string
}

/** Whether a route has an id or a token. */
export const hasKey = (route: string) => /:(id|token)\b/.test(route)

type Segments = Readonly<Record<string, string>>

/** Returns the name of the parameter that a route ends in, if it has a suffix, such as `.json`. Elysia's routes can't contain the suffix. */
const suffixedName = (route: string) => /:(id|token|external_id)$/.exec(route)?.[1]

/** Returns the suffix of a path: `.png` for `/jobs/7.png`, and `''` for `/jobs/7`. */
export function suffixOf(route: string, segments: Segments): string {
  const name = suffixedName(route)
  if (name === undefined) return JSON_SUFFIX
  const segment = segments[name] ?? ''
  // An external id can contain dots.
  if (name === 'external_id') return segment.endsWith(JSON_SUFFIX) ? JSON_SUFFIX : ''
  return /\..*$/.exec(segment)?.[0] ?? ''
}

/**
 * Parses the values in a path.
 * @param route the route in Elysia's syntax, such as `/jobs/:id`
 * @param segments the path's segments by their names in the route; the last one includes its suffix
 * @throws NotFound if one of them is invalid
 */
export function parseParams(route: string, segments: Segments, suffix: string): PathParams {
  const values: Record<string, string> = {}
  const suffixed = suffixedName(route)
  for (const name in segments) {
    // A segment is undefined if Elysia can't decode it.
    const segment = segments[name] ?? ''
    const value = name === suffixed ? segment.slice(0, segment.length - suffix.length) : segment
    if (!VALUES[name]?.test(value)) throw new NotFound()
    values[name] = value
  }
  // Handlers only use the values in their own route, so the others may be missing.
  return { ...values, id: Number(values['id']) } as unknown as PathParams
}

const VALUES: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries({ ...PATTERNS, external_id: '[^]+' }).map(([name, pattern]) => [
    name,
    new RegExp(`^${pattern}$`),
  ]),
)

/** Returns a route's path as it is documented: `/jobs/{id}.json` for `/jobs/:id`. */
export const publicPath = (route: string, suffix: string) =>
  route.replace(/:(id|token|external_id)$/, `{$1}${suffix}`).replaceAll(/:(\w+)/g, '{$1}')

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
