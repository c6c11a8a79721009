/** Whether this is the long run of `npm run test:fuzz`. */
export const isLong = Bun.env['FUZZ'] === 'long'

/** The random seed: fixed in `npm test`, random in long runs. `FUZZ_SEED` repeats a run. */
export const SEED = Number(Bun.env['FUZZ_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 1))

/** The time limit of a long run in milliseconds. */
export const PATIENCE = 30 * 60_000

/** Reports the progress of a long run. */
export function report(what: string): void {
  if (isLong) console.log(what)
}
