import type { CommandLine } from './commandLine.ts'
import type { Environment } from './environment.ts'
import { fileVariableOf, flagOf, VARIABLE_PREFIX, variableOf } from './names.ts'
import { OPTION_KEYS, optionOf } from './options.ts'

/** A word with more than one typing error in this many letters gets no suggestion. */
const LETTERS_PER_EDIT = 3

const VARIABLES = OPTION_KEYS.flatMap(key =>
  optionOf(key).isSecret ? [variableOf(key), fileVariableOf(key)] : [variableOf(key)],
)

/** The options without a flag, by the flags that people may try. */
const VARIABLE_ONLY = new Map(
  OPTION_KEYS.filter(key => optionOf(key).isVariableOnly).map(key => [`--${flagOf(key)}`, variableOf(key)]),
)

/** Returns an error for each variable that has our prefix and is unknown. */
export const unknownVariables = (variables: Environment) =>
  Object.keys(variables)
    .filter(name => name.startsWith(VARIABLE_PREFIX) && !VARIABLES.includes(name))
    .map(name => `Unknown variable ${name}.${suggestion(name, VARIABLES, VARIABLE_PREFIX)}`)

/** Returns an error for each flag that a command doesn't know. */
export function unknownFlags({ unknown, known }: CommandLine): string[] {
  const names = [...known.valueFlags, ...known.switches].map(name => `--${name}`)
  return unknown.map(flag => {
    const variable = VARIABLE_ONLY.get(flag)
    return variable === undefined
      ? `Unknown option ${flag}.${suggestion(flag, names, '--')}`
      : `Unknown option ${flag}: others could read it on the command line. Set ${variable} instead.`
  })
}

/**
 * Returns ` Did you mean …?`, or nothing if no known word is similar.
 * @param prefix the beginning of all known words, which is not compared
 */
export function suggestion(word: string, known: readonly string[], prefix = ''): string {
  const withoutPrefix = (text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)
  const nearest = nearestOf(withoutPrefix(word), known.map(withoutPrefix))
  return nearest === undefined ? '' : ` Did you mean ${prefix}${nearest}?`
}

/** Returns the known word with the fewest edits, or else one that starts with `word`. */
function nearestOf(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Math.floor(word.length / LETTERS_PER_EDIT) + 1
  for (const candidate of known) {
    const edits = editDistance(word, candidate)
    if (edits >= least) continue
    nearest = candidate
    least = edits
  }
  return nearest ?? known.find(candidate => word.length >= LETTERS_PER_EDIT && candidate.startsWith(word))
}

/** Counts wrong, missing, extra and swapped letters (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const wrong = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const missing = Math.min(current[column - 1] ?? 0, above[column] ?? 0) + 1
      const isSwap = column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? (before[column - 2] ?? 0) + 1 : Infinity
      current.push(Math.min(wrong, missing, swapped))
    }
    before = above
    above = current
  }
  return above[b.length] ?? 0
}
