import { BASE_URL } from '../../helpers/board.ts'
import type { Outcome } from './records.ts'

export interface ActualResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Returns the difference between a response and the expected one, or undefined. */
export function differenceOf(
  { status, headers, text }: ActualResponse,
  expected: Outcome,
): string | undefined {
  if (status !== expected.status) return `${status}, and not ${expected.status}: ${text}`
  if (headers.get('location') !== (expected.location ?? null) && status !== 201)
    return `Location: ${headers.get('location')}`
  if (!/^[{[]/.test(text)) return expected.body === undefined ? undefined : `it is not JSON: ${text}`
  const body = withoutNames(JSON.parse(text))
  const total = headers.get('x-total-count')
  if (expected.total !== undefined && total !== String(expected.total))
    return `${total} in all, and not ${expected.total}`
  const isSo = matches(body, expected)
  if (!isSo) return `\n  ${JSON.stringify(body)}\nand not\n  ${JSON.stringify(comparable(expected))}`
  if (status === 201 && !placesOf(body).includes(headers.get('location')))
    return `Location: ${headers.get('location')}`
  return undefined
}

const comparable = ({ body, ...rest }: Outcome) => ({ ...rest, body: body instanceof Set ? [...body] : body })

function matches(body: unknown, { body: expected, faults, says, status }: Outcome): boolean {
  if (expected instanceof Set)
    return Array.isArray(body) && Bun.deepEquals(new Set(body.map(({ id }) => id)), expected)
  if (expected !== undefined) return Bun.deepEquals(body, expected)
  const { error, errors, message } = body as Record<string, unknown> // not a list, which is compared completely
  if (faults && !Bun.deepEquals(Object.keys(errors ?? {}).toSorted(), faults)) return false
  if (status >= 400) return typeof error === 'string' && error !== ''
  return says === undefined || String(message).includes(says)
}

/** Removes what the contract doesn't determine: names of images, countries, the 11th path. */
function withoutNames(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutNames)
  if (typeof body !== 'object' || body === null) return body
  const {
    preview_image_url: preview,
    top_countries: _,
    top_sources: __,
    ...rest
  } = body as Record<string, unknown> // JSON objects have string keys
  if ('url' in rest && !String(preview).startsWith(String(rest['url']).replace(/json$/, 'png?v=')))
    throw new Error(`a job's preview is called ${preview}`)
  const { top_paths: paths } = rest
  if (typeof paths === 'object' && paths !== null && Object.keys(paths).length > 9) delete rest['top_paths']
  return rest
}

function placesOf(body: unknown): (string | null)[] {
  const { id } = body as { id: number } // of the record just created
  return ['jobs', 'categories', 'terms', 'plans', 'users'].map(name => `${BASE_URL}/${name}/${id}.json`)
}
