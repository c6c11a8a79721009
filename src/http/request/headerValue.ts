/** A header such as `text/plain; charset="utf-8"`. */
export interface HeaderValue {
  /** The part before the parameters, in lower case. */
  readonly value: string
  /** The values by name in lower case. If a name is repeated, the first value counts. */
  readonly parameters: ReadonlyMap<string, string>
}

// A quoted string ends at the first quote that isn't escaped. If every quote is escaped, it ends at the first one,
// because browsers don't escape a backslash at the end of a file name.
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^\s";]*))/g

/** Parses a header with parameters. Invalid parts are ignored. */
export function parseHeaderValue(text: string): HeaderValue {
  const value = text.split(';', 1).join('').trim().toLowerCase()
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, raw, token] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? raw ?? token ?? '')
  }
  return { value, parameters }
}
