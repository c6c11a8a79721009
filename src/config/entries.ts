import { readFileSync } from 'node:fs'
import { Problem } from '../base/problem.ts'
import { decodeUtf8 } from '../base/text.ts'
import type { Environment } from './environment.ts'
import { OptionError } from './errors.ts'
import { unreadable } from './fileValues.ts'
import { fileVariableOf, flagOf, variableOf } from './names.ts'
import { type OptionKey, optionOf } from './options.ts'

/** An option as it was given. */
export interface Entry {
  /** The flag or variable it comes from. */
  readonly name: string
  readonly text: string
  /** The error if its text can't be read. */
  readonly error?: OptionError
}

/** Finds the options that are set by a flag, by a variable or, for secrets, by a variable that names a file. */
export function findEntries(
  keys: readonly OptionKey[],
  flags: ReadonlyMap<string, string>,
  variables: Environment,
): Map<OptionKey, Entry> {
  const entries = new Map<OptionKey, Entry>()
  for (const key of keys) {
    const text = optionOf(key).isVariableOnly ? undefined : flags.get(flagOf(key))
    const entry = text === undefined ? findVariable(key, variables) : { name: `--${flagOf(key)}`, text }
    if (entry) entries.set(key, entry)
  }
  return entries
}

function findVariable(key: OptionKey, variables: Environment): Entry | undefined {
  const name = variableOf(key)
  const text = variables[name]
  const fileName = fileVariableOf(key)
  const path = optionOf(key).isSecret ? variables[fileName] : undefined
  if (path === undefined) return text === undefined ? undefined : { name, text }
  if (text !== undefined)
    return { name, text, error: new OptionError(`and ${fileName} are both set: leave one out`, false) }
  return readSecret(fileName, path)
}

/** Reads a file's text, without the newline at its end. */
function readSecret(name: string, path: string): Entry {
  try {
    return { name, text: decodeUtf8(readFileSync(path), name).replace(/\r?\n$/, '') }
  } catch (error) {
    return {
      name,
      text: path,
      error:
        error instanceof Problem ? new OptionError("names a file that isn't valid UTF-8") : unreadable(error),
    }
  }
}

const MAX_QUOTED_LENGTH = 80

/** Formats the error of an option as a sentence, without quoting a secret or the path of a secret's file. */
export function entryError(key: OptionKey, { name, text }: Entry, error: OptionError): string {
  const isQuotable = error.isQuotable && !optionOf(key).isSecret
  return `${name} ${error.sentence}${isQuotable ? ` (given: ${quote(text)})` : ''}.`
}

const quote = (text: string) =>
  JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text)
