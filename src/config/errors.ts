/** What is wrong with a value, as the end of a sentence that begins with the option's name. */
export class OptionError {
  /** @param isQuotable false if the sentence must not go on to quote what was given */
  constructor(
    readonly sentence: string,
    readonly isQuotable = true,
  ) {}
}

/** Wrong usage: a sentence for every mistake. */
export class UsageError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(errors.join('\n'))
    this.name = 'WrongUsage'
  }
}
