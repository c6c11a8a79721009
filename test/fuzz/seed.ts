/** How much is tried: a little with all the other tests, much with `npm run test:fuzz`. */
export const isLong = Bun.env['FUZZ'] === 'long'

/** What a run depends on: always the same among the other tests; `FUZZ_SEED` of the environment repeats another. */
export const SEED = Number(Bun.env['FUZZ_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 1))

/** Milliseconds that the long form may take. */
export const PATIENCE = 30 * 60_000

/** Tells how far the long form is; the short one is silent. */
export function tell(what: string): void {
  if (isLong) console.log(what)
}
