/** The terms that match a word, with their weights. */
export class WeightedTerms {
  private readonly byNumber = new Map<number, number>()

  /** @param idf returns the inverse document frequency of a term */
  constructor(private readonly idf: (number: number) => number) {}

  get numbers(): number[] {
    return [...this.byNumber.keys()]
  }

  get weights(): number[] {
    return [...this.byNumber.values()]
  }

  get size(): number {
    return this.byNumber.size
  }

  /** Adds terms with a share of their idf, or of `maxIdf` if that is lower. A term keeps its highest weight. */
  add(numbers: Iterable<number>, share: number, maxIdf = Infinity): void {
    for (const number of numbers) {
      const weight = share * Math.min(maxIdf, this.idf(number))
      if (weight > (this.byNumber.get(number) ?? 0)) this.byNumber.set(number, weight)
    }
  }

  /** Adds terms as `add` does, where none counts as rarer than the most common one, which is the likeliest. */
  addLikeliest(numbers: readonly number[], share: number): void {
    this.add(numbers, share, Math.min(...numbers.map(this.idf)))
  }
}
