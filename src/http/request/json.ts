import { Problem } from '../../base/problem.ts'
import { stringEnd, syntaxErrorPosition } from './jsonSyntax.ts'

const MAX_DEPTH = 32

/**
 * Parses a JSON object, and returns its members.
 * @param what names the source of the text in messages, such as `body`
 * @throws Problem 'malformed' if it is not valid JSON, not an object, or nested over 32 levels deep
 */
export function readJson(text: string, what: string): Map<string, unknown> {
  // The depth is checked before parsing, because half a million levels would take long to build and to free.
  if (isDeeper(text, MAX_DEPTH))
    throw new Problem('malformed', `The JSON is nested deeper than ${MAX_DEPTH} levels.`)
  const value = parse(text, what)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('malformed', `The ${what} must be a JSON object: {"field": value, …}.`)
  return new Map(Object.entries(value))
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The original message quotes the text, which may contain a password.
    throw new Problem('malformed', `The ${what} is not valid JSON: ${describeError(text)}.`)
  }
}

/** Whether brackets are nested deeper than this many levels. For invalid JSON, the result can be either. */
function isDeeper(text: string, levels: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = stringEnd(text, at) - 1
    else if (char === '{' || char === '[') {
      if (++depth > levels) return true
    } else if (char === '}' || char === ']') depth--
  }
  return false
}

/** Describes where a text stops being valid JSON, without quoting it. The caller must have checked the depth. */
function describeError(text: string): string {
  const at = syntaxErrorPosition(text)
  if (at >= text.length) return 'it ends too early'
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `look at line ${line}, column ${at - before.lastIndexOf('\n')}`
}
