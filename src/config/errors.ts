/** What is wrong with a value, as the end of a sentence that starts with the option's name. */
export class OptionError {
  /** @param isQuotable false if the sentence must not go on to quote what was given */
  constructor(
    readonly sentence: string,
    readonly isQuotable = true,
  ) {}
}

/** The command line or the configuration is wrong. There is a sentence for every mistake. */
export class UsageError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(errors.join('\n'))
    this.name = 'UsageError'
  }
}
