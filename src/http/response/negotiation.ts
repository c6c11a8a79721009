import type { Encoding } from './encodedBody.ts'

/** The encodings that we offer. If a client has no preference, the first one is used. */
const OFFERED: readonly Encoding[] = ['zstd', 'gzip']

/**
 * Returns the encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3); undefined for no compression.
 * @param offered the encodings to choose from, best first
 */
export function preferredEncoding(
  header: string | null,
  offered: readonly Encoding[] = OFFERED,
): Encoding | undefined {
  if (header === null || header === '') return undefined
  const weights = new Map(header.toLowerCase().split(',').map(parseWeight))
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  let best: Encoding | undefined
  for (const encoding of offered) {
    const weight = weightOf(encoding)
    if (weight > 0 && weight >= plain && weight > (best ? weightOf(best) : 0)) best = encoding
  }
  return best
}

/** Parses an element of an Accept header, such as `gzip;q=0.5`, into its value and its weight. */
function parseWeight(part: string): [string, number] {
  const [coding = '', ...parameters] = part.split(';').map(text => text.trim())
  const q = parameters.find(parameter => parameter.startsWith('q='))
  return [coding, q === undefined ? 1 : Number(q.slice(2)) || 0]
}

/**
 * Whether an `Accept` header prefers HTML to JSON, as a browser's does.
 * @param otherwise the result if it has no preference
 */
export function prefersHtml(header: string | null, otherwise: boolean): boolean {
  const weights = new Map((header ?? '').toLowerCase().split(',').map(parseWeight))
  const weightOf = (type: string) => weights.get(type) ?? weights.get('*/*') ?? 0
  const [page, json] = [weightOf('text/html'), weightOf('application/json')]
  return page === json ? otherwise : page > json
}

/** Whether an `If-None-Match` header contains this ETag. Weak and strong ones are compared alike (RFC 9110, 13.1.2). */
export function matchesETag(header: string | null, etag: string): boolean {
  if (header === null) return false
  if (header === etag || header.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some(tag => opaque(tag) === opaque(etag))
}
