/** A header such as `text/plain; charset="utf-8"`. */
export interface HeaderValue {
  /** What stands before the parameters, in lower case. */
  readonly value: string
  /** By name in lower case; of a repeated one the first. */
  readonly parameters: ReadonlyMap<string, string>
}

// A quoted string ends at the first quote that no backslash precedes; if none is left, at the first
// of all, since browsers send the backslash of a file name as it is.
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^\s";]*))/g

/** Takes a header with parameters apart; what can't be read of it is passed over. */
export function parseHeaderValue(text: string): HeaderValue {
  const value = text.split(';', 1).join('').trim().toLowerCase()
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, raw, token] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? raw ?? token ?? '')
  }
  return { value, parameters }
}
