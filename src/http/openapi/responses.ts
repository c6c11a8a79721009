import { TypeGuard } from '@sinclair/typebox'
import { STATUS } from '../response/errors.ts'
import type { ResponseDescription, RouteDescription } from '../routeDescription.ts'
import { ERROR_RESPONSES, type ErrorKind } from './errors.ts'
import { ErrorBody } from './responseSchemas.ts'
import { exampleOf, type Json, type Schemas } from './schemas.ts'

const JSON_TYPE = 'application/json'
const PAGE_TYPE = 'text/html'
const OK = '200'
const NOT_MODIFIED = '304'
const REQUEST_ID = 'X-Request-Id'

/** The headers of responses, by name. */
export const HEADERS: Readonly<Record<string, Json>> = {
  [REQUEST_ID]: header('The id of the request, also in the log.', '5f0c1b8e-7a52-4c7e-9c39-0d8f6f3f4c11', {
    format: 'uuid',
  }),
  ETag: header(
    'The version of the response. Send it as `If-None-Match` to get 304 if nothing has changed.',
    'W/"2zq1x5dnv8e3k"',
  ),
  'Content-Disposition': header(
    'The name to save the file under.',
    'attachment; filename="harbour-jobs-2026-01-10.tar"',
  ),
  Location: header(
    'The URL of the new resource, or the target of a redirect.',
    'https://board.example.com/jobs/17.json',
    {
      format: 'uri',
    },
  ),
  Link: header(
    'If a page was requested, the URLs of the first, previous, next and last page (RFC 8288).',
    '<https://board.example.com/jobs.json?page=1&per_page=25>; rel="first", <https://board.example.com/jobs.json?page=2&per_page=25>; rel="last"',
  ),
  'X-Total-Count': header('The total count, on all pages.', 84, {
    type: 'integer',
    format: 'int64',
    minimum: 0,
  }),
  'X-Search': header('With `q`: `all` if the jobs have all of its words, `some` if none has all.', 'all', {
    enum: ['all', 'some'],
  }),
  'X-Search-Corrected': header(
    'With `q`, if typing errors in it were corrected: the corrected words. Other characters than ASCII are percent-encoded as UTF-8.',
    'nurse lisbon',
  ),
  'X-Change-Seq': header(
    'The `after` with which `/changes.json`, or `/jobs/changes.json`, continues from this list.',
    1042,
    { type: 'integer', format: 'int64', minimum: 0 },
  ),
  'X-Unchanged': header('`true` if the request changed nothing.', 'true', { enum: ['true'] }),
  'Retry-After': header('The number of seconds to wait before trying again.', 2, {
    type: 'integer',
    minimum: 1,
  }),
  'WWW-Authenticate': header('HTTP Basic, in UTF-8.', 'Basic realm="Corkboard", charset="UTF-8"'),
}

function header(description: string, example: unknown, schema: Json = {}): Json {
  return { description, schema: { type: 'string', ...schema }, example }
}

const headersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const PAGE: Json = { schema: { type: 'string' }, example: '<!doctype html>…' }

/** Creates the response objects of operations. Those that several operations have become components. */
export class ResponseObjects {
  /** The components. */
  readonly shared: Record<string, Json> = {}

  constructor(private readonly schemas: Schemas) {}

  /** Returns the responses of an operation, by status. */
  of({ responses, errors = {} }: RouteDescription, isRead: boolean, kinds: Iterable<ErrorKind>): Json {
    const objects: Json = {}
    const isCacheable = ({ isDownload = false }: ResponseDescription, status: string) =>
      isRead && status === OK && !isDownload
    for (const [status, response] of Object.entries(responses))
      objects[status] = this.responseObject(response, isCacheable(response, status))
    if (Object.entries(responses).some(([status, response]) => isCacheable(response, status)))
      objects[NOT_MODIFIED] = this.reference('NotModified', notModified)
    const isPage = Object.values(responses).some(({ page }) => page)
    const descriptions: Partial<Record<ErrorKind, string>> = errors
    for (const kind of kinds) objects[STATUS[kind]] = this.errorResponse(kind, descriptions[kind], isPage)
    return objects
  }

  private responseObject(response: ResponseDescription, hasETag: boolean): Json {
    const { description, schema, headers = [], type = JSON_TYPE, page = false } = response
    const common = {
      description,
      headers: headersOf([...headers, ...(hasETag ? ['ETag'] : []), REQUEST_ID]),
    }
    if (TypeGuard.IsUndefined(schema)) return common
    const example = response.example ?? exampleOf(schema)
    return {
      ...common,
      content: {
        [type]: { schema: this.schemas.of(schema), ...(example !== undefined && { example }) },
        ...(page && { [PAGE_TYPE]: PAGE }),
      },
    }
  }

  /** Returns a shared error response by reference, or a full one if this operation describes it differently. */
  private errorResponse(kind: ErrorKind, description: string | undefined, isPage: boolean): Json {
    if (description === undefined && !isPage)
      return this.reference(ERROR_RESPONSES[kind].name, () => this.errorObject(kind))
    const { content, ...common } = this.errorObject(kind)
    return {
      ...common,
      ...(description !== undefined && { description }),
      content: { ...content, ...(isPage && { [PAGE_TYPE]: PAGE }) },
    }
  }

  private errorObject(kind: ErrorKind) {
    const { description, error, errors, headers = [] } = ERROR_RESPONSES[kind]
    return {
      description,
      headers: headersOf([...headers, REQUEST_ID]),
      content: {
        [JSON_TYPE]: { schema: this.schemas.of(ErrorBody), example: { error, ...(errors && { errors }) } },
      },
    }
  }

  private reference(name: string, make: () => Json): Json {
    this.shared[name] ??= make()
    return { $ref: `#/components/responses/${name}` }
  }
}

const notModified = (): Json => ({
  description: "The client's copy is current.",
  headers: headersOf(['ETag', REQUEST_ID]),
})
