/** What reading jobs is like while something else goes on: with it and without it in turns, as the machine changes its speed. */
import { loadApart, type Outcome } from './load.ts'

const ROUNDS = 5
/** In milliseconds. What goes on begins before the reading, and ends after it. */
const DURATION = 2000
const AROUND = 300
/** How jobs are read: by people, who leave most of the machine idle (rests in milliseconds), or for all it is worth. */
const PACES = [
  { name: 'four readers who rest', connections: 4, rest: 5 },
  { name: 'sixteen at full speed', connections: 16, rest: 0 },
]

/** Two paces, each in all the rounds. */
export const TIMES = ROUNDS * PACES.length

/**
 * Prints how long reads take alone, and beside what `others` do for so many milliseconds.
 * @param others is told which time it is, from 0 on
 */
export async function compareReading(
  { port }: { readonly port: number },
  requests: readonly string[],
  what: string,
  others: (duration: number, time: number) => Promise<unknown>,
): Promise<void> {
  let time = 0
  for (const { name, connections, rest } of PACES) {
    const read = () => loadApart({ port, connections, duration: DURATION, requests, rest })
    const alone: Outcome[] = []
    const beside: Outcome[] = []
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await read())
      const done = others(DURATION + 2 * AROUND, time++)
      await Bun.sleep(AROUND)
      beside.push(await read())
      await done
    }
    tell(`Jobs to ${name}, alone`, alone)
    tell(`Jobs to ${name}, beside ${what}`, beside)
    const ratios = beside.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? NaN))
    console.log(`The p99 beside ${what} is ${median(ratios).toFixed(2)} times that without.`)
  }
}

/** Prints what loads came to, the median of each figure. */
export function tell(name: string, outcomes: readonly Outcome[]): void {
  const of = (pick: (outcome: Outcome) => number) => median(outcomes.map(pick))
  const statuses = [...new Set(outcomes.flatMap(outcome => Object.keys(outcome.statuses)))]
  const rate = `${Math.round(of(outcome => outcome.perSecond))} a second`
  const times = `p50 ${of(outcome => outcome.p50).toFixed(2)} ms, p99 ${of(outcome => outcome.p99).toFixed(2)} ms`
  console.log(`${name}: ${rate}, ${times}, answers ${statuses.join(' ')}`)
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
