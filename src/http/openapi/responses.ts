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

/** Every header that an answer may have, by its name. */
export const HEADERS: Readonly<Record<string, Json>> = {
  [REQUEST_ID]: header('Names the request, in the log too.', '5f0c1b8e-7a52-4c7e-9c39-0d8f6f3f4c11', {
    format: 'uuid',
  }),
  ETag: header(
    'Of what is answered: send it as `If-None-Match`, and what did not change is 304.',
    'W/"2zq1x5dnv8e3k"',
  ),
  Location: header('The URL of what was made.', 'https://board.example.com/jobs/17.json', { format: 'uri' }),
  Link: header(
    'Where a page was asked for: the URLs of the first, previous, next and last one (RFC 8288).',
    '<https://board.example.com/jobs.json?page=1&per_page=25>; rel="first", <https://board.example.com/jobs.json?page=2&per_page=25>; rel="last"',
  ),
  'X-Total-Count': header('How many there are in all, on whatever page.', 84, {
    type: 'integer',
    format: 'int64',
    minimum: 0,
  }),
  'X-Search': header('With `q`: whether the jobs have all of its words or, as none has, some.', 'all', {
    enum: ['all', 'some'],
  }),
  'X-Search-Corrected': header(
    'With `q`, if it has typing errors: the words that were searched for instead, percent-encoded as UTF-8 where they are not ASCII.',
    'nurse lisbon',
  ),
  'Retry-After': header('Seconds after which to try again.', 2, { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('HTTP Basic, in UTF-8.', 'Basic realm="Corkboard", charset="UTF-8"'),
}

function header(description: string, example: unknown, schema: Json = {}): Json {
  return { description, schema: { type: 'string', ...schema }, example }
}

const headersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const PAGE: Json = { schema: { type: 'string' }, example: '<!doctype html>…' }

/** What operations answer; what many answer alike is gathered, while they refer to it. */
export class ResponseObjects {
  readonly shared: Record<string, Json> = {}

  constructor(private readonly schemas: Schemas) {}

  /** All that an operation may answer, by status. */
  of(
    { responses: answers, errors: refuses = {} }: RouteDescription,
    isRead: boolean,
    kinds: Iterable<ErrorKind>,
  ): Json {
    const told: Json = {}
    for (const [status, answer] of Object.entries(answers))
      told[status] = this.answered(answer, isRead && status === OK)
    if (isRead) told[NOT_MODIFIED] = this.refer('NotModified', notModified)
    const isPage = Object.values(answers).some(({ page }) => page)
    const meanings: Partial<Record<ErrorKind, string>> = refuses
    for (const kind of kinds) told[STATUS[kind]] = this.refused(kind, meanings[kind], isPage)
    return told
  }

  private answered(answer: ResponseDescription, isTagged: boolean): Json {
    const { description, schema, headers = [], type = JSON_TYPE, page = false, example } = answer
    const said = example ?? exampleOf(schema)
    return {
      description,
      headers: headersOf([...headers, ...(isTagged ? ['ETag'] : []), REQUEST_ID]),
      content: {
        [type]: { schema: this.schemas.of(schema), ...(said !== undefined && { example: said }) },
        ...(page && { [PAGE_TYPE]: PAGE }),
      },
    }
  }

  /** A usual refusal by reference; one that means something of its own here in full. */
  private refused(kind: ErrorKind, description: string | undefined, isPage: boolean): Json {
    if (description === undefined && !isPage)
      return this.refer(ERROR_RESPONSES[kind].name, () => this.refusal(kind))
    const { content, ...usual } = this.refusal(kind)
    return {
      ...usual,
      ...(description !== undefined && { description }),
      content: { ...content, ...(isPage && { [PAGE_TYPE]: PAGE }) },
    }
  }

  private refusal(kind: ErrorKind) {
    const { description, error, errors, headers = [] } = ERROR_RESPONSES[kind]
    return {
      description,
      headers: headersOf([...headers, REQUEST_ID]),
      content: {
        [JSON_TYPE]: { schema: this.schemas.of(ErrorBody), example: { error, ...(errors && { errors }) } },
      },
    }
  }

  private refer(name: string, make: () => Json): Json {
    this.shared[name] ??= make()
    return { $ref: `#/components/responses/${name}` }
  }
}

const notModified = (): Json => ({
  description: 'What the client has is what there is.',
  headers: headersOf(['ETag', REQUEST_ID]),
})
