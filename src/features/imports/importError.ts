/** An import failed. The message says why, in a sentence. */
export class ImportError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'ImportError'
  }
}
