import type { Contract, DocumentedResponse, Operation } from './document.ts'
import type { Sent } from './sent.ts'
import { SECRET } from './texts.ts'
import type { ReceivedResponse } from './transport.ts'

/** Headers of every response from the board itself. */
const ALWAYS = [
  'x-request-id',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'vary',
]

/** Headers that may be missing: Link without paging, X-Search without a search, ETag on pages. */
const isOptional = (name: string, response: ReceivedResponse) =>
  ['link', 'x-search', 'x-search-corrected', 'x-unchanged'].includes(name) ||
  (name === 'etag' && mediaOf(response) === 'text/html')

/** Checks that hold for every response: it must match the description of its operation. */
export function* faultsOf(contract: Contract, { raw }: Sent, response: ReceivedResponse): Generator<string> {
  const { status, headers, body } = response
  if (status >= 500) yield 'it is an internal error'
  const responseText = `${[...headers].join('\n')}\n${body.toString()}`
  if (responseText.includes(SECRET)) yield 'it contains a password that was sent'
  for (const name of ALWAYS) if (!headers.has(name)) yield `it lacks ${name}`
  // needless escapes may be decoded or not
  const readings = readingsOf(pathOf(raw.target)).map(path => [
    ...routed(contract, path, raw.method, response),
  ])
  if (readings.every(faults => faults.length > 0)) yield* readings[0] ?? []
}

function* routed(
  contract: Contract,
  path: string,
  method: string,
  response: ReceivedResponse,
): Generator<string> {
  const known = contract.at(path)
  const operation = known.find(one => one.method === (method === 'HEAD' ? 'GET' : method))
  if (isPageOfRefusal(path, response)) return
  if (operation) yield* described(contract, operation, method, response)
  else if (known.length > 0) yield* beyondVerbs(contract, known, method, response)
  else if (!PAGE.test(path)) yield* beyondPaths(contract, response)
}

/** Paths of pages, which the API description leaves out. */
const PAGE = /^\/(?:jobs\/[^/.]*|subscribe|pages\/[^/]*|feed\.(?:xml|json)|sitemap\.xml|robots\.txt|docs)?$/

/** Normalizes a path like URL: `/a/../b` is `/b`. */
function pathOf(target: string): string {
  try {
    return new URL(`http://board${target}`).pathname
  } catch {
    return target.split('?', 1).join('')
  }
}

/** On paths without a suffix, browsers get errors as pages. */
const isPageOfRefusal = (path: string, response: ReceivedResponse) =>
  response.status >= 400 && mediaOf(response) === 'text/html' && !/\.\w+$/.test(path)

function readingsOf(path: string): string[] {
  try {
    return [...new Set([path, decodeURIComponent(path)])]
  } catch {
    return [path]
  }
}

function* described(
  contract: Contract,
  { responses }: Operation,
  method: string,
  response: ReceivedResponse,
): Generator<string> {
  const { status } = response
  const documented = responses.get(status)
  if (documented) yield* comparedWith(contract, documented, method, response)
  else yield `its status is not among ${[...responses.keys()].join(', ')}`
}

function* comparedWith(
  contract: Contract,
  documented: DocumentedResponse,
  method: string,
  response: ReceivedResponse,
): Generator<string> {
  const { headers, body } = response
  for (const { name, pointer } of documented.headers) {
    const value = headers.get(name)
    if (value === undefined && !isOptional(name, response)) yield `it lacks the header ${name}`
    if (value !== undefined) yield* headerFaults(contract, name, value, pointer)
  }
  const media = mediaOf(response)
  const content = documented.contents.find(one => one.media === media)
  if (documented.contents.length > 0 && !content) yield `its content type ${media} is not described`
  if (body.length > 0 && (!content || method === 'HEAD')) yield 'it has a body, but must not have one'
  else if (content && method !== 'HEAD' && isJson(media)) yield* bodyFaults(contract, body, content.pointer)
}

function* headerFaults(contract: Contract, name: string, value: string, pointer: string): Generator<string> {
  const readings = [value, ...(/^\d+$/.test(value) ? [Number(value)] : [])]
  const faults = readings.map(reading => contract.errorsOf(pointer, reading))
  if (faults.every(errors => errors.length > 0))
    yield `its header ${name}: ${value} is not as described: ${faults[0]?.[0]?.message}`
}

function* bodyFaults(contract: Contract, body: Buffer, pointer: string): Generator<string> {
  try {
    for (const { instancePath, message, params } of contract.errorsOf(pointer, JSON.parse(body.toString())))
      yield `its body${instancePath} ${message} ${JSON.stringify(params)}`
  } catch (error) {
    yield `its body is not JSON: ${String(error)}`
  }
}

/** Checks a known path with an unsupported method. */
function* beyondVerbs(
  contract: Contract,
  known: readonly Operation[],
  method: string,
  response: ReceivedResponse,
): Generator<string> {
  const { status, headers } = response
  yield* refusal(contract, response)
  if (isBeforeRoutes(status)) return
  const expected = method === 'OPTIONS' ? 204 : 405
  if (status !== expected) yield `it is not ${expected}`
  const verbs = known
    .flatMap(one => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]))
    .concat('OPTIONS')
  const allowed = headers.get('allow')?.split(', ') ?? []
  if (!Bun.deepEquals(allowed.toSorted(), verbs.toSorted())) yield `Allow is ${allowed.join(', ')}`
}

function* beyondPaths(contract: Contract, response: ReceivedResponse): Generator<string> {
  if (response.status !== 404 && !isBeforeRoutes(response.status)) yield 'it is not 404'
  yield* refusal(contract, response)
}

/** Wrong credentials, and those sent by another site's page, are refused first. */
const isBeforeRoutes = (status: number) => status === 401 || status === 403 || status === 429

function* refusal(contract: Contract, response: ReceivedResponse): Generator<string> {
  if (response.body.length === 0) return
  if (mediaOf(response) !== 'application/json') yield `a refusal of type ${mediaOf(response)}`
  else yield* bodyFaults(contract, response.body, contract.refusal)
}

const mediaOf = ({ headers }: ReceivedResponse) => headers.get('content-type')?.split(';', 1)[0]?.trim() ?? ''
const isJson = (media: string) => /[/+]json$/.test(media)
