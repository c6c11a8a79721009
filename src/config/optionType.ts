import type * as values from './values.ts'

/** The inputs of defaults that depend on something else. */
export interface DefaultContext {
  /** The text of `registration`. */
  readonly registration: string | undefined
  /** The text of `domain`. */
  readonly domain: string | undefined
  /** Whether the log is written to a terminal. */
  readonly isTerminal: boolean
}

/** The definition of an option. */
export interface Option<T = unknown> {
  /** The placeholder of the value in the help. */
  readonly value: string
  /** The line of help, without the default. */
  readonly help: string
  readonly parse: values.Parse<T>
  /** The default, as text to parse. */
  readonly default?: string | ((context: DefaultContext) => string)
  /** The default in words, if it isn't a fixed text. */
  readonly defaultHelp?: string
  /** The value is the path of a file or folder. */
  readonly isPath?: true
  /** Secrets are never quoted, and can come from the file that `CORKBOARD_…_FILE` names. */
  readonly isSecret?: true
  /** The option has no flag, because everyone on a machine can read its command lines. */
  readonly isVariableOnly?: true
}
