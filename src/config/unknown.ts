import type { CommandLine } from './commandLine.ts'
import type { Environment } from './environment.ts'
import { fileVariableOf, flagOf, VARIABLE_PREFIX, variableOf } from './names.ts'
import { OPTION_KEYS, optionOf } from './options.ts'
import { suggestion } from './suggestion.ts'

const VARIABLES = OPTION_KEYS.flatMap(key =>
  optionOf(key).isSecret ? [variableOf(key), fileVariableOf(key)] : [variableOf(key)],
)

/** By the flags that they would have. */
const VARIABLE_ONLY = new Map(
  OPTION_KEYS.filter(key => optionOf(key).isVariableOnly).map(key => [`--${flagOf(key)}`, variableOf(key)]),
)

/** A sentence for each variable that begins as ours do and is none of them. */
export const unknownVariables = (variables: Environment) =>
  Object.keys(variables)
    .filter(name => name.startsWith(VARIABLE_PREFIX) && !VARIABLES.includes(name))
    .map(name => `There is no variable ${name}${suggestion(name, VARIABLES, VARIABLE_PREFIX)}`)

/** A sentence for each flag that a command does not know. */
export function unknownFlags({ unknown, known }: CommandLine): string[] {
  const names = [...known.valueFlags, ...known.switches].map(name => `--${name}`)
  return unknown.map(flag => {
    const variable = VARIABLE_ONLY.get(flag)
    const hint =
      variable === undefined
        ? suggestion(flag, names, '--')
        : `, where others could read it; set ${variable}.`
    return `There is no option ${flag}${hint}`
  })
}
