/** How much a fault test does: little with all the others, much with `npm run test:faults`. */
export const isLong = Bun.env['FAULTS'] === 'long'

export const rounds = (short: number, long: number) => (isLong ? long : short)

/** Milliseconds that the long form of a test may take. */
export const PATIENCE = 20 * 60_000

/** Tells what a test did, for the table of the README; the short form is silent. */
export function tell(what: string): void {
  if (isLong) console.log(what)
}
