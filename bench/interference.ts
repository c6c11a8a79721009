/** Measures reads with and without other work on the server, in turns, because the speed of a machine changes. */
import { median, type Outcome, runLoadProcess } from './load.ts'

const ROUNDS = 5
/** The duration of the reads in milliseconds. */
const DURATION = 2000
/** The milliseconds that the other work starts before the reads and ends after them. */
const MARGIN = 300
/** Readers with pauses between requests (`rest`, in milliseconds), which leave most of the machine idle, and without. */
const PACES = [
  { name: 'four readers with pauses', connections: 4, rest: 5 },
  { name: 'sixteen at full speed', connections: 16, rest: 0 },
]

/** The number of rounds with other work. */
export const TIMES = ROUNDS * PACES.length

/**
 * Prints how long reads take alone, and during other work.
 * @param others does the other work for a duration in milliseconds; `time` counts the calls from 0
 */
export async function compareReading(
  { port }: { readonly port: number },
  requests: readonly string[],
  what: string,
  others: (duration: number, time: number) => Promise<unknown>,
): Promise<void> {
  let time = 0
  for (const { name, connections, rest } of PACES) {
    const read = () => runLoadProcess({ port, connections, duration: DURATION, requests, rest })
    const alone: Outcome[] = []
    const during: Outcome[] = []
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await read())
      const done = others(DURATION + 2 * MARGIN, time++)
      await Bun.sleep(MARGIN)
      during.push(await read())
      await done
    }
    report(`Jobs to ${name}, alone`, alone)
    report(`Jobs to ${name}, during ${what}`, during)
    const ratios = during.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? NaN))
    console.log(`The p99 during ${what} is ${median(ratios).toFixed(2)} times the p99 without.`)
  }
}

/** Prints the medians of several outcomes. */
export function report(name: string, outcomes: readonly Outcome[]): void {
  const of = (pick: (outcome: Outcome) => number) => median(outcomes.map(pick))
  const statuses = [...new Set(outcomes.flatMap(outcome => Object.keys(outcome.statuses)))]
  const rate = `${Math.round(of(outcome => outcome.perSecond))} a second`
  const times = `p50 ${of(outcome => outcome.p50).toFixed(2)} ms, p99 ${of(outcome => outcome.p99).toFixed(2)} ms`
  console.log(`${name}: ${rate}, ${times}, statuses ${statuses.join(' ')}`)
}
