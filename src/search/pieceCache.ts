/** The longest piece that is kept, in letters. Longer ones rarely come again. */
const MAX_LENGTH = 24
const MAX_PIECES = 30_000

/** Keeps the numbers of the terms of short pieces of text, as most of them come again in other texts. */
export class PieceCache {
  private readonly numbers = new Map<string, readonly number[]>()

  get(piece: string): readonly number[] | undefined {
    return this.numbers.get(piece)
  }

  set(piece: string, numbers: readonly number[]): void {
    if (piece.length > MAX_LENGTH) return
    if (this.numbers.size >= MAX_PIECES) this.numbers.clear()
    this.numbers.set(piece, numbers)
  }

  clear(): void {
    this.numbers.clear()
  }
}
