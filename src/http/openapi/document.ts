import type { TObject } from '@sinclair/typebox'
import type { ListedRoute } from '../route.ts'
import type { Access, RouteDescription } from '../routeDescription.ts'
import { TAGS } from '../tags.ts'
import { requestBody } from './bodies.ts'
import type { ErrorKind } from './errors.ts'
import { IDEMPOTENCY_KEY, PARAMETERS } from './parameters.ts'
import { HEADERS, ResponseObjects } from './responses.ts'
import { exampleOf, isChecked, type Json, Schemas } from './schemas.ts'
import { webhookObjects } from './webhooks.ts'

/** The general information in the document. */
export interface DocumentInfo {
  readonly name: string
  readonly version: string
  /** The URL that every path begins with. */
  readonly base: string
  /** The introduction, in Markdown. */
  readonly prose: string
}

/** Creates the OpenAPI 3.1 document of an API from the descriptions of its routes. */
export function openApiDocument(
  { name, version, base, prose }: DocumentInfo,
  routes: readonly ListedRoute[],
): Json {
  const schemas = new Schemas()
  const responses = new ResponseObjects(schemas)
  const paths: Record<string, Json> = {}
  for (const route of routes)
    if (isDescribed(route)) {
      const operation = operationObject({ schemas, responses }, route)
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
    }
  return {
    openapi: '3.1.0',
    info: { title: name, version, description: prose, contact: { name, url: base } },
    servers: [{ url: base, description: 'This board' }],
    tags: Object.entries(TAGS).map(([tag, description]) => ({ name: tag, description })),
    paths,
    webhooks: webhookObjects(schemas, routes),
    components: {
      schemas: schemas.named,
      parameters: PARAMETERS,
      responses: responses.shared,
      headers: HEADERS,
      securitySchemes: {
        basicAuth: {
          type: 'http',
          scheme: 'basic',
          description: 'E-mail address and password of an account, in UTF-8.',
        },
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, from POST /tokens.json.',
        },
      },
    },
  }
}

/** A route of the API. Pages are not part of it. */
type DescribedRoute = ListedRoute & { readonly rules: RouteDescription }

const isDescribed = (route: ListedRoute): route is DescribedRoute => 'id' in route.rules

interface Components {
  readonly schemas: Schemas
  readonly responses: ResponseObjects
}

function operationObject({ schemas, responses }: Components, route: DescribedRoute): Json {
  const { id, tag, summary, query, access, forAccounts, isIdempotent } = route.rules
  const body = requestBody(schemas, route.rules)
  const parameters = [
    ...pathParameters(route),
    ...(query ? queryParameters(schemas, query) : []),
    ...(isIdempotent ? [referenceTo(IDEMPOTENCY_KEY)] : []),
  ]
  const isOptional = access === 'public' && forAccounts !== undefined
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionText(route.rules),
    security: SECURITY[isOptional ? 'optional' : access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responses.of(route.rules, route.method === 'GET', errorKinds(route)),
  }
}

const ACCOUNT = [{ basicAuth: [] }, { bearerAuth: [] }]
const SECURITY = { public: [], optional: [{}, ...ACCOUNT], user: ACCOUNT, admin: ACCOUNT }

const ACCESS_TEXTS: Readonly<Record<Access, string | undefined>> = {
  public: undefined,
  user: 'Requires an account.',
  admin: 'For administrators.',
}

function descriptionText(rules: RouteDescription): string {
  const { summary, description = `${summary}.`, forAccounts, access, perNetwork, perAccount } = rules
  const limits = [
    perNetwork && `Limit: ${perNetwork} requests a minute from one network, administrators excepted.`,
    perAccount && `Limit: ${perAccount} requests a minute for each account, administrators excepted.`,
  ]
  return [description, forAccounts, ACCESS_TEXTS[access], ...limits].filter(Boolean).join('\n\n')
}

/** Returns the errors that a route can reply with: those that it describes, and those that follow from its rules. */
function errorKinds({ method, path, rules }: DescribedRoute): Set<ErrorKind> {
  const { access, body, upload, query, errors = {}, writes = true } = rules
  const kinds: [ErrorKind, boolean][] = [
    ['malformed', true],
    ['unauthenticated', true],
    // Requests other than GET are refused if a page of another site sent them with credentials.
    ['forbidden', method !== 'GET' || access === 'admin' || errors.forbidden !== undefined],
    ['notFound', path.includes('{') || errors.notFound !== undefined],
    ['conflict', errors.conflict !== undefined],
    ['gone', errors.gone !== undefined],
    ['contentTooLarge', body !== undefined || upload !== undefined],
    ['unsupportedMediaType', body !== undefined || upload !== undefined],
    [
      'invalid',
      body !== undefined || (query !== undefined && isChecked(query)) || errors.invalid !== undefined,
    ],
    ['throttled', true],
    ['internal', true],
    ['busy', true],
    ['full', (method !== 'GET' && writes) || errors.full !== undefined],
  ]
  return new Set(kinds.filter(([, isPossible]) => isPossible).map(([kind]) => kind))
}

const pathParameters = ({ path }: ListedRoute) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => referenceTo(name))

const referenceTo = (parameter: string) => ({ $ref: `#/components/parameters/${parameter}` })

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
