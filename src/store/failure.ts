/** The data directory can't be used as it is: a sentence for the one who runs the board. */
export class StoreError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreError'
  }
}
