/** Returns how much a fault test does: little in `npm test`, much in `npm run test:faults`. */
export const isLong = Bun.env['FAULTS'] === 'long'

export const rounds = (short: number, long: number) => (isLong ? long : short)

/** The time limit of the long form of a test, in milliseconds. */
export const PATIENCE = 20 * 60_000

/** Prints what a long test did, for the table of the README. */
export function report(line: string): void {
  if (isLong) console.log(line)
}
