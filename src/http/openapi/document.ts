import type { TObject } from '@sinclair/typebox'
import { type Access, accessOf, limitOf, type Route } from '../auth.ts'
import { OPERATION, type RouteDescription, TAGS } from '../operation.ts'
import { LARGEST_ID } from '../paths.ts'
import { requestBody } from './bodies.ts'
import type { ErrorKind } from './errors.ts'
import { HEADERS, ResponseObjects } from './responses.ts'
import { exampleOf, isChecked, type Json, Schemas } from './schemas.ts'

/** What a document says of the board as a whole. */
export interface About {
  readonly name: string
  readonly version: string
  /** What every path begins with. */
  readonly base: string
  /** Markdown; what holds for all of it. */
  readonly prose: string
}

/** The OpenAPI 3.1 document of an interface, from what its routes say of themselves. */
export function openApiDocument({ name, version, base, prose }: About, routes: readonly Route[]): Json {
  const schemas = new Schemas()
  const answers = new ResponseObjects(schemas)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const description = descriptionOf(route)
    if (!description) continue
    const path = pathOf(route)
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describe({ schemas, answers }, route, description),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: name, version, description: prose, contact: { name, url: base } },
    servers: [{ url: base, description: 'This board' }],
    tags: Object.entries(TAGS).map(([tag, description]) => ({ name: tag, description })),
    paths,
    components: {
      schemas: schemas.named,
      parameters: PARAMETERS,
      responses: answers.shared,
      headers: HEADERS,
      securitySchemes: {
        basicAuth: {
          type: 'http',
          scheme: 'basic',
          description: 'E-mail address and password of an account, in UTF-8.',
        },
      },
    },
  }
}

/**
 * What a route says of itself; undefined if it is no part of the interface, which it must say too.
 * @throws Error if it says nothing
 */
export function descriptionOf({ method, path, hooks }: Route): RouteDescription | undefined {
  // what Elysia keeps of a hook's words has no type
  const { [OPERATION]: description, hide = false } = (hooks.detail ?? {}) as Detail
  if (!description && !hide) throw new Error(`${method} ${path} does not say what it is`)
  return description
}

interface Detail {
  readonly [OPERATION]?: RouteDescription
  readonly hide?: boolean
}

/** The suffix is part of the path, but a route can't say so. */
const pathOf = ({ path }: Route) => path.replace(/:(id|token)$/, '{$1}.json').replaceAll(/:(\w+)/g, '{$1}')

interface Parts {
  readonly schemas: Schemas
  readonly answers: ResponseObjects
}

function describe({ schemas, answers }: Parts, route: Route, description: RouteDescription): Json {
  const { id, tag, summary, query, forAccounts: toAccounts } = description
  const body = requestBody(schemas, description)
  const parameters = [...pathParameters(route), ...(query ? queryParameters(schemas, query) : [])]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: wordsOf(route, description),
    security:
      SECURITY[accessOf(route) === 'nobody' ? (toAccounts === undefined ? 'nobody' : 'anybody') : 'user'],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: answers.of(description, route.method === 'GET', refusalsOf(route, description)),
  }
}

const SECURITY = {
  nobody: [],
  anybody: [{}, { basicAuth: [] }],
  user: [{ basicAuth: [] }],
}

const NEEDED: Readonly<Record<Access, string | undefined>> = {
  nobody: undefined,
  user: 'Needs an account.',
  admin: 'For administrators.',
}

function wordsOf(
  route: Route,
  { summary, description = `${summary}.`, forAccounts: toAccounts }: RouteDescription,
): string {
  const needs = accessOf(route)
  const limit = limitOf(route)
  const limited =
    limit && `At most ${limit} a minute are taken from one network. Administrators have no limit.`
  return [description, toAccounts, needs && NEEDED[needs], limited].filter(Boolean).join('\n\n')
}

/** What a route may refuse: what its own words say, and what follows from what it is. */
function refusalsOf(
  route: Route,
  { body, query, errors: refuses = {}, writes: stores = true }: RouteDescription,
): Set<ErrorKind> {
  const { method, path } = route
  const kinds: [ErrorKind, boolean][] = [
    ['malformed', true],
    ['unauthenticated', true],
    // whatever is not a GET is refused if another site's page sent it, with credentials
    ['forbidden', method !== 'GET' || accessOf(route) === 'admin' || refuses.forbidden !== undefined],
    ['notFound', path.includes(':') || refuses.notFound !== undefined],
    ['conflict', refuses.conflict !== undefined],
    ['contentTooLarge', body !== undefined],
    ['unsupportedMediaType', body !== undefined],
    ['invalid', body !== undefined || (query !== undefined && isChecked(query))],
    ['throttled', true],
    ['internal', true],
    ['busy', true],
    ['full', method !== 'GET' && stores],
  ]
  return new Set(kinds.filter(([, given]) => given).map(([kind]) => kind))
}

const PARAMETERS: Readonly<Record<string, Json>> = {
  id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Its id.',
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: LARGEST_ID },
    example: 17,
  },
  token: {
    name: 'token',
    in: 'path',
    required: true,
    description: 'Out of a mail.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    example: 'pFKx1vXhTj2m0wqk',
  },
  name: {
    name: 'name',
    in: 'path',
    required: true,
    description: 'The name of the file.',
    schema: { type: 'string' },
    example: '0123456789abcdef-0123456789abcdef0123456789abcdef.webp',
  },
}

const pathParameters = ({ path }: Route) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ $ref: `#/components/parameters/${name}` }))

const queryParameters = (schemas: Schemas, { properties, required = [] }: TObject) =>
  Object.entries(properties).map(([name, { description, ...field }]) => {
    const example = exampleOf(field)
    return {
      name,
      in: 'query',
      description,
      required: required.includes(name) && !('default' in field),
      schema: schemas.of(field),
      ...(example !== undefined && { example }),
    }
  })
