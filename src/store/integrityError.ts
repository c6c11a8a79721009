/** An error in the stored data. */
export interface IntegrityError {
  /** A sentence that describes the error. */
  readonly message: string
  /** Fixes the error; undefined if only a person can. Call it inside a transaction. */
  readonly repair: (() => unknown) | undefined
}
