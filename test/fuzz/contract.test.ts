import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { MailServer } from '../helpers/mail.ts'
import type { Attempt } from './contract/attempt.ts'
import { Attempts } from './contract/attempts.ts'
import type { Operation } from './contract/document.ts'
import { excused } from './contract/excuses.ts'
import { Trial } from './contract/trial.ts'
import { isLong, PATIENCE, report, SEED } from './seed.ts'

const REQUESTS = isLong ? 100_000 : 700
const REPORT_EVERY = 10_000

/** Hashing a password takes 20 ms, so operations that do are less frequent. */
const weightOf = ({ template, bodies }: Operation) =>
  bodies.length === 0 ? 2 : /users|password/.test(template) ? 3 : 6

/** Sends requests to a board with these flags, and checks each response against the board's API description. */
async function run(requests: number, ...flags: string[]): Promise<Trial> {
  const trial = await Trial.open(...flags)
  const { contract, tally } = trial
  const attempts = new Attempts(contract)
  const any: fc.Arbitrary<Attempt> = fc.oneof(
    ...contract.operations.map(one => ({ weight: weightOf(one), arbitrary: attempts.of(one) })),
  )
  const started = performance.now()
  const pace = () =>
    `${tally.total} requests, ${Math.round((tally.total * 1000) / (performance.now() - started))} a second`
  try {
    const property = fc.asyncProperty(any, async attempt => {
      await trial.make(attempt)
      if (tally.total % REPORT_EVERY === 0) report(pace())
    })
    const { failed, errorInstance } = await fc.check(property, { seed: SEED, numRuns: requests })
    if (failed) throw new Error(`FUZZ_SEED=${SEED} finds: ${String(errorInstance)}`)
  } finally {
    await trial.close()
    const { allowed, faulty } = trial.verdict.counts
    const summary = `${allowed} that the description allows, ${faulty} with invalid fields`
    for (const line of [`${pace()}, seed ${SEED}: ${summary}`, ...tally.lines(contract)]) report(line)
  }
  return trial
}

test(
  'every response matches the API description, and every request that it allows is accepted',
  async () => {
    const { tally, contract } = await run(REQUESTS)
    for (const [why, count] of excused)
      report(`  refused ${count} times, which the API description can't express: ${why}`)
    if (isLong) expect(tally.missed(contract)).toEqual([])
  },
  PATIENCE,
)

test(
  'responses match the API description with open registration and mail',
  async () => {
    const server = await MailServer.start()
    try {
      await run(REQUESTS / 10, '--registration', 'open', ...server.flags)
    } finally {
      await server.stop()
    }
  },
  PATIENCE,
)
