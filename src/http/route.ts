import type { Static, TObject } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import { isAdmin } from '../base/caller.ts'
import { andThen, type Later } from '../base/later.ts'
import type { Validation } from '../validation/validation.ts'
import { requireAccess, requireScope } from './access.ts'
import { isChecked } from './openapi/schemas.ts'
import {
  cachedPublicPath,
  hasKey,
  JSON_SUFFIX,
  NotFound,
  parseParams,
  type PathParams,
  publicPath,
  suffixOf,
} from './paths.ts'
import { contextOf, type RequestContext } from './request/context.ts'
import { readInput } from './request/input.ts'
import { validateQuery } from './response/list.ts'
import { type HiddenReply, Reply } from './response/reply.ts'
import type { Hook, RouteDescription, RouteRules } from './routeDescription.ts'

/** The context that a route's handler gets, with the values in the path and the validated input. */
export type RouteContext<D extends RouteRules = RouteRules> = RequestContext & {
  readonly params: PathParams
  readonly input: Input<D>
}

/** The validated body, to which the rules of a feature can add errors, or otherwise the values of the query. */
type Input<D extends RouteRules> = D['body'] extends TObject
  ? Validation<
      D['isPatch'] extends true
        ? Partial<Static<D['body']>>
        : D['draft'] extends TObject
          ? Static<D['draft']>
          : Static<D['body']>
    >
  : D['query'] extends TObject
    ? Static<D['query']>
    : undefined

interface ElysiaContext {
  readonly request: Request
  /** Undefined for a path without parameters. */
  readonly params?: object | undefined
  readonly route: string
}

/** A handler and its hook, to spread into a call of Elysia: `.get('/jobs.json', ...route(…))`. */
export type Route<D extends RouteDescription, R> = [handler: (context: ElysiaContext) => R, hook: Hook<D>]

/** A route whose types are unknown. */
export type AnyRoute = readonly [handler: (context: ElysiaContext) => unknown, hook: object]

/** A route that Eden clients don't see. */
type HiddenRoute = [handler: (context: ElysiaContext) => HiddenReply, hook: object]

type Handler = (context: RouteContext) => unknown

/** The formats of a path's resource, by suffix. */
type Formats = Readonly<Record<string, { readonly rules: RouteRules; readonly handle: Handler }>>

/** The key of the formats in a route's hook. */
const FORMATS = 'x-formats'

/** The response that Elysia gets from every handler. Nobody reads it: Elysia only finds the route. */
const FOUND = new Response()

/**
 * Creates a route from its description and its handler. Before the handler runs, the path is parsed, access and the rate
 * limit are checked, and the query or the body is read and validated, in this order.
 */
export const route = <const D extends RouteDescription, R>(
  description: D,
  handle: (context: RouteContext<D>) => R,
): Route<D, R> =>
  // The types of the input and the hook follow from the description, but the formats of a route don't have them.
  routeOf({ [JSON_SUFFIX]: { rules: description, handle: handle as Handler } }) as unknown as Route<D, R>

/** Creates a route that is not part of the API, such as a page. It is public unless its rules say otherwise. */
export function hiddenRoute(handle: (context: RouteContext) => Later<Reply>): HiddenRoute
export function hiddenRoute<const D extends RouteRules>(
  rules: D,
  handle: (context: RouteContext<D>) => Later<Reply>,
): HiddenRoute
export function hiddenRoute(rulesOrHandle: RouteRules | Handler, handle?: Handler): HiddenRoute {
  const isPublic = typeof rulesOrHandle === 'function'
  const rules: RouteRules = isPublic ? { access: 'public' } : rulesOrHandle
  return routeOf({ [JSON_SUFFIX]: { rules, handle: isPublic ? rulesOrHandle : (handle as Handler) } })
}

/** Returns an Elysia plugin with a form at a path: GET shows it, and POST submits it. */
export const formAt =
  (path: string, { get, post }: Readonly<Record<'get' | 'post', HiddenRoute>>) =>
  (app: Elysia) =>
    app.get(path, ...get).post(path, ...post)

/**
 * Merges several routes into one, because `/jobs/7.json`, `/jobs/7.png` and `/jobs/7` are the same route to Elysia.
 * @param others the other routes, by the suffixes of their paths
 */
export function withFormats<D extends RouteDescription, R>(
  json: Route<D, R>,
  others: Readonly<Record<string, AnyRoute>>,
): Route<D, R> {
  const formats = Object.entries(others).map(([suffix, other]) => [suffix, formatsOf(other[1])[JSON_SUFFIX]])
  return routeOf({ ...formatsOf(json[1]), ...Object.fromEntries(formats) }) as unknown as Route<D, R>
}

/** Returns a hidden route whose path ends in an id or a token without a suffix, such as `/reset/:token`. */
export const withoutSuffix = ([, hook]: HiddenRoute): HiddenRoute => {
  const format = formatsOf(hook)[JSON_SUFFIX]
  return routeOf(format ? { '': format } : {})
}

const formatsOf = (hook: object) => (hook as { detail: { [FORMATS]: Formats } }).detail[FORMATS]

function routeOf(formats: Formats): HiddenRoute {
  const handler = ({ request, params, route: path }: ElysiaContext) => {
    const context = contextOf(request)
    context.runRoute = () => run(formats, context, path, (params ?? {}) as Record<string, string>)
    return FOUND
  }
  return [handler as unknown as HiddenRoute[0], { detail: { [FORMATS]: formats } }]
}

function run(
  formats: Formats,
  context: RequestContext,
  path: string,
  segments: Readonly<Record<string, string>>,
): Later<Reply> {
  const suffix = suffixOf(path, segments)
  const format = formats[suffix]
  if (!format) throw new NotFound()
  context.route = cachedPublicPath(path, suffix)
  const { rules, handle } = format
  context.params = parseParams(path, segments, suffix)
  // Elysia decodes the segments, but an id or a token must be sent without escapes, because 405, OPTIONS and pages use the
  // path as it was sent.
  if (context.path.includes('%') && hasKey(path)) throw new NotFound()
  const access = rules.accessFor?.(context) ?? rules.access
  requireAccess(context.caller, access)
  requireScope(context as RouteContext, rules, access)
  // A query that is not UTF-8 is refused, also by routes that read no query.
  void context.query
  const { caller, services } = context
  if (rules.perNetwork !== undefined && !isAdmin(caller))
    services.rateLimit.countForNetwork(context.clientAddress, path, rules.perNetwork)
  const routed = context as RouteContext
  rules.requires?.(routed)
  const work = () =>
    andThen(inputOf(context, rules), input => {
      context.input = input
      return andThen(handle(routed), asReply)
    })
  if (rules.perAccount === undefined || caller.userId === undefined || isAdmin(caller)) return work()
  return services.rateLimit.countForAccount(caller.userId, path, rules.perAccount, work)
}

function inputOf(context: RequestContext, rules: RouteRules): Later<unknown> {
  if (rules.body) return readInput(context, rules.body, rules)
  // Other queries, such as a token or a version, are only looked up.
  return rules.query && isChecked(rules.query)
    ? validateQuery(context, rules.query).valueOrThrow()
    : undefined
}

const asReply = (value: unknown) => (value instanceof Reply ? value : new Reply(value))

/** A route with its documented path. */
export interface ListedRoute {
  readonly method: string
  /** The path in the form of `publicPath`: `/jobs/{id}.json`. */
  readonly path: string
  readonly rules: RouteRules
}

/** Lists the routes of an app, one for each format. @throws Error if one was not created with `route` or `hiddenRoute` */
export const listRoutes = (routes: readonly ElysiaRoute[]): ListedRoute[] =>
  routes.flatMap(({ method, path, hooks }) => {
    const { [FORMATS]: formats }: { [FORMATS]?: Formats } = hooks.detail ?? {}
    if (!formats) throw new Error(`${method} ${path} has no description`)
    return Object.entries(formats).map(([suffix, { rules }]) => ({
      method,
      path: publicPath(path, suffix),
      rules,
    }))
  })

interface ElysiaRoute {
  readonly method: string
  readonly path: string
  readonly hooks: { readonly detail?: object }
}
