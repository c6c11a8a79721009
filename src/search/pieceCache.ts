/** The maximum length of a cached piece. Longer ones rarely occur again. */
const MAX_LENGTH = 24
const MAX_PIECES = 30_000

/** Caches the numbers of the terms in short pieces of text, because most pieces occur in many texts. */
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
