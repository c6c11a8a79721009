/** What is wrong with a value, as the end of a sentence that begins with the option's name. */
export class Fault {
  /** @param quotable false if the sentence must not go on to quote what was given */
  constructor(
    readonly sentence: string,
    readonly quotable = true,
  ) {}
}

/** Wrong usage: a sentence for every mistake. */
export class WrongUsage extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.name = 'WrongUsage'
  }
}
