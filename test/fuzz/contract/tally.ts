import type { Contract, Operation } from './document.ts'

/** Documented statuses that these requests can't cause, with the reason. */
const BEYOND: readonly (readonly [responses: RegExp, why: string])[] = [
  [/ 500$/, 'a fault of ours'],
  [
    / 503$/,
    'the board starts or stops, or too many sign in at once; these requests come one after the other',
  ],
  [/ 507$/, 'the disk is full: test/faults fills one'],
  [/^POST \/jobs.json 403$/, 'an account that is not confirmed yet; those that ask here are'],
]

/** Counts the responses of each operation by status. */
export class Tally {
  private readonly counts = new Map<string, Map<number, number>>()
  total = 0

  /** @param status undefined if the response was not the board's, or not that operation's */
  count(operation: Operation, status: number | undefined): void {
    this.total++
    if (status === undefined) return
    const statuses = this.counts.get(operation.name) ?? new Map<number, number>()
    this.counts.set(operation.name, statuses.set(status, (statuses.get(status) ?? 0) + 1))
  }

  /** Returns a line for each operation. */
  lines({ operations }: Contract): string[] {
    return operations.map(({ name }) => {
      const statuses = [...(this.counts.get(name) ?? [])].toSorted(([a], [b]) => a - b)
      return `  ${name.padEnd(42)} ${statuses.map(([status, count]) => `${status}: ${count}`).join('  ')}`
    })
  }

  /** Returns the documented statuses that never occurred, although they could. */
  missed({ operations }: Contract): string[] {
    const seen = (name: string, status: number) => this.counts.get(name)?.has(status) ?? false
    return operations
      .flatMap(({ name, responses }) =>
        [...responses.keys()].filter(status => !seen(name, status)).map(status => `${name} ${status}`),
      )
      .filter(response => !BEYOND.some(([responses]) => responses.test(response)))
  }
}
