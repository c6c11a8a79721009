import type { Contract, Operation } from './document.ts'

/** Documented statuses that no request of ours can bring about, and why. */
const BEYOND: readonly (readonly [status: number, why: string])[] = [
  [500, 'a fault of ours'],
  [503, 'the board starts or stops, or more sign in at once than are sent one after the other'],
  [507, 'the disk is full: test/faults fills one'],
]

/** Counts what each operation was answered. */
export class Tally {
  private readonly counts = new Map<string, Map<number, number>>()
  total = 0

  /** @param status undefined where it was not the board that answered, or not as that operation */
  count(operation: Operation, status: number | undefined): void {
    this.total++
    if (status === undefined) return
    const statuses = this.counts.get(operation.name) ?? new Map<number, number>()
    this.counts.set(operation.name, statuses.set(status, (statuses.get(status) ?? 0) + 1))
  }

  /** A line for each operation. */
  lines({ operations }: Contract): string[] {
    return operations.map(({ name }) => {
      const statuses = [...(this.counts.get(name) ?? [])].toSorted(([a], [b]) => a - b)
      return `  ${name.padEnd(42)} ${statuses.map(([status, count]) => `${status}: ${count}`).join('  ')}`
    })
  }

  /** What is documented and was never seen, though it could be. */
  missed({ operations }: Contract): string[] {
    const beyond = new Set(BEYOND.map(([status]) => status))
    return operations.flatMap(({ name, answers }) =>
      [...answers.keys()]
        .filter(status => !beyond.has(status) && !this.counts.get(name)?.has(status))
        .map(status => `${name} ${status}`),
    )
  }
}
