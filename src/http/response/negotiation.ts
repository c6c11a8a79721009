import type { Encoding } from './encodedBody.ts'

/** Best first, where a client takes both as gladly. */
const OFFERED: readonly Encoding[] = ['zstd', 'gzip']

/** The encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3); undefined is the body as it is. */
export function preferredEncoding(header: string | null): Encoding | undefined {
  if (header === null || header === '') return undefined
  const weights = new Map(header.toLowerCase().split(',').map(weighed))
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  let best: Encoding | undefined
  for (const encoding of OFFERED) {
    const weight = weightOf(encoding)
    if (weight > 0 && weight >= plain && weight > (best ? weightOf(best) : 0)) best = encoding
  }
  return best
}

function weighed(part: string): [string, number] {
  const [coding = '', ...parameters] = part.split(';').map(word => word.trim())
  const q = parameters.find(parameter => parameter.startsWith('q='))
  return [coding, q === undefined ? 1 : Number(q.slice(2)) || 0]
}

/**
 * Whether an `Accept` header would rather have a page than JSON, as a browser's does.
 * @param otherwise where it has no preference
 */
export function prefersHtml(header: string | null, otherwise: boolean): boolean {
  const weights = new Map((header ?? '').toLowerCase().split(',').map(weighed))
  const weightOf = (type: string) => weights.get(type) ?? weights.get('*/*') ?? 0
  const [page, json] = [weightOf('text/html'), weightOf('application/json')]
  return page === json ? otherwise : page > json
}

/** Whether an `If-None-Match` header names this tag; weak and strong are the same here (RFC 9110, 13.1.2). */
export function matchesETag(header: string | null, etag: string): boolean {
  if (header === null) return false
  if (header === etag || header.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some(tag => opaque(tag) === opaque(etag))
}
