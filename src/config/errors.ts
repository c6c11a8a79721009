/** An error in a value. Its sentence follows the option's name: `must be on or off`. */
export class OptionError {
  /** @param isQuotable false if the message must not quote the value */
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
