/** A problem that a certificate authority reports (RFC 8555, section 6.7). */
export interface AcmeProblem {
  /** The last part of its URN, such as `rateLimited`. */
  readonly type: string
  /** The authority's own words. */
  readonly detail: string
  /** The domain name that it is about, if it is about one. */
  readonly name?: string
}

/** The authority has refused a request or couldn't validate a name. */
export class AcmeError extends Error {
  /** @param retryAfter in milliseconds, how long the authority asks to wait */
  constructor(
    readonly problems: readonly AcmeProblem[],
    readonly retryAfter?: number,
  ) {
    super(problems.map(({ type, detail }) => `${type}: ${detail}`).join('; '))
    this.name = 'AcmeError'
  }
}

const URN = 'urn:ietf:params:acme:error:'
const MAX_DETAIL = 500
/** The type of a problem that isn't described. */
export const UNKNOWN = 'unknown'

/** Reads the description of a problem. @param name the domain name that it is about */
export function parseProblem(described: unknown, name?: string): AcmeProblem {
  const { type, detail }: { type?: unknown; detail?: unknown } =
    typeof described === 'object' && described !== null ? described : {}
  return {
    type: typeof type === 'string' && type.startsWith(URN) ? type.slice(URN.length) : UNKNOWN,
    detail: typeof detail === 'string' ? detail.replaceAll(/\s+/g, ' ').slice(0, MAX_DETAIL) : '',
    ...(name !== undefined && { name }),
  }
}
