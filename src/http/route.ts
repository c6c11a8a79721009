import type { Static, TObject } from '@sinclair/typebox'
import { type Caller, isAdmin } from '../base/caller.ts'
import { andThen, type Later } from '../base/later.ts'
import { forbidden, unauthenticated } from '../base/problem.ts'
import type { Validation } from '../validation/validation.ts'
import { isChecked } from './openapi/schemas.ts'
import {
  hasSuffix,
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
import { type HtmlReply, Reply } from './response/reply.ts'
import type { Access, Hook, RouteDescription, RouteRules } from './routeDescription.ts'

/** A request as a route's handler gets it: with the values of its path and its checked input. */
export type RouteContext<D extends RouteRules = RouteRules> = RequestContext & {
  readonly params: PathParams
  readonly input: Input<D>
}

/** The checked body, to which rules may add errors; or else the values of the query. */
type Input<D extends RouteRules> = D['body'] extends TObject
  ? Validation<D['isPatch'] extends true ? Partial<Static<D['body']>> : Static<D['body']>>
  : D['query'] extends TObject
    ? Static<D['query']>
    : undefined

interface ElysiaContext {
  readonly request: Request
  /** Undefined for a path without parameters. */
  readonly params?: object | undefined
  readonly route: string
}

/** A handler and its hook, to be spread into a call of Elysia's: `.get('/jobs.json', ...route(…))`. */
export type Route<D extends RouteDescription, R> = [handler: (context: ElysiaContext) => R, hook: Hook<D>]

/** A route whose types say nothing. */
export type AnyRoute = readonly [handler: (context: ElysiaContext) => unknown, hook: object]

/** A route that Eden's clients don't see. */
type HiddenRoute = [handler: (context: ElysiaContext) => HtmlReply, hook: object]

type Handler = (context: RouteContext) => unknown

/** What a path is had as, by its suffix. */
type Formats = Readonly<Record<string, { readonly rules: RouteRules; readonly handle: Handler }>>

/** The name by which a route's hook keeps its formats. */
const FORMATS = 'x-formats'

/** Elysia is given this in place of what a handler returned, which is in the request's context. */
const HANDLED = new Response()

/**
 * Makes a route of its description and its handler. Before the handler runs, the path is parsed, access is checked, the
 * request counts against the route's limit, and its query or body is read and validated, in this order.
 */
export const route = <const D extends RouteDescription, R>(
  description: D,
  handle: (context: RouteContext<D>) => R,
): Route<D, R> =>
  // the types of the input and of the hook follow from the description, which a list of routes can't know
  routeOf({ [JSON_SUFFIX]: { rules: description, handle: handle as Handler } }) as unknown as Route<D, R>

/** Makes a public route that is not part of the interface, such as a page. */
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

/**
 * Makes one route of several: `/jobs/7.json`, `/jobs/7.png` and `/jobs/7` are the same path to Elysia.
 * @param others by the suffixes of their paths
 */
export function withFormats<D extends RouteDescription, R>(
  json: Route<D, R>,
  others: Readonly<Record<string, AnyRoute>>,
): Route<D, R> {
  const formats = Object.entries(others).map(([suffix, other]) => [suffix, formatsOf(other[1])[JSON_SUFFIX]])
  return routeOf({ ...formatsOf(json[1]), ...Object.fromEntries(formats) }) as unknown as Route<D, R>
}

const formatsOf = (hook: object) => (hook as { detail: { [FORMATS]: Formats } }).detail[FORMATS]

function routeOf(formats: Formats): HiddenRoute {
  const handler = ({ request, params, route: path }: ElysiaContext) => {
    const context = contextOf(request)
    try {
      context.result = run(formats, context, path, (params ?? {}) as Record<string, string>)
    } catch (error) {
      context.result = Promise.reject(error)
    }
    return HANDLED
  }
  return [handler as unknown as HiddenRoute[0], { detail: { [FORMATS]: formats } }]
}

function run(
  formats: Formats,
  context: RequestContext,
  path: string,
  segments: Readonly<Record<string, string>>,
): Later<Reply> {
  const suffix = hasSuffix(path) ? suffixOf(Object.values(segments).at(-1) ?? '') : JSON_SUFFIX
  const format = formats[suffix]
  if (!format) throw new NotFound()
  const { rules, handle } = format
  context.params = parseParams(path, segments, suffix)
  requireAccess(context.caller, rules.accessFor?.(context) ?? rules.access)
  const { caller, services } = context
  if (rules.perMinute !== undefined && !isAdmin(caller))
    services.rateLimit.countFrom(context.clientAddress, path, rules.perMinute)
  const routed = context as RouteContext
  rules.requires?.(routed)
  const work = () =>
    andThen(inputOf(context, rules), input => {
      context.input = input
      return andThen(handle(routed), asReply)
    })
  if (rules.perAccount === undefined || caller.userId === undefined || isAdmin(caller)) return work()
  return services.rateLimit.countOf(caller.userId, path, rules.perAccount, work)
}

function inputOf(context: RequestContext, rules: RouteRules): Later<unknown> {
  if (rules.body) return readInput(context, rules.body, rules)
  // a token or a version is looked up as it is
  return rules.query && isChecked(rules.query)
    ? validateQuery(context, rules.query).valueOrThrow()
    : undefined
}

const asReply = (value: unknown) => (value instanceof Reply ? value : new Reply(value))

/** @throws Problem 'unauthenticated' or 'forbidden' */
function requireAccess(caller: Caller, access: Access): void {
  if (access === 'public') return
  if (caller.userId === undefined) throw unauthenticated()
  if (access === 'admin' && !isAdmin(caller)) throw forbidden()
}

/** A route by the path that clients use. */
export interface ListedRoute {
  readonly method: string
  /** With its suffix, and names in braces: `/jobs/{id}.json`. */
  readonly path: string
  readonly rules: RouteRules
}

/** Every route of an app, one for each format. @throws Error if one was not made by `route` or `hiddenRoute` */
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
