import { Problem } from '../../base/problem.ts'
import { stringEnd, syntaxErrorPosition } from './jsonSyntax.ts'

const MAX_DEPTH = 32

/**
 * The members of a JSON object.
 * @param what holds the text, such as `body`
 * @throws Problem 'malformed' if it is no JSON, no object, or nested over 32 levels deep
 */
export function readJson(text: string, what: string): Map<string, unknown> {
  // Told from the text: half a million levels would take long to build and to throw away
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
    // Its own message quotes the text, which may hold a password
    throw new Problem('malformed', `The ${what} is not valid JSON: ${describeFault(text)}.`)
  }
}

/** Whether brackets nest deeper than so many levels; a text that is no JSON may get either answer. */
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

/** Says where a text stops being JSON, without a word of it. Nesting must be bounded. */
function describeFault(text: string): string {
  const at = syntaxErrorPosition(text)
  if (at >= text.length) return 'it ends too early'
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `look at line ${line}, column ${at - before.lastIndexOf('\n')}`
}
