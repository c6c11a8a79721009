import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { MailServer } from '../helpers/mail.ts'
import type { Attempt } from './contract/attempt.ts'
import { Attempts } from './contract/attempts.ts'
import type { Operation } from './contract/document.ts'
import { excused } from './contract/excuses.ts'
import { Trial } from './contract/trial.ts'
import { isLong, PATIENCE, SEED, tell } from './seed.ts'

const REQUESTS = isLong ? 100_000 : 2000
const TOLD_EVERY = 10_000

/** What hashes a password takes 20 ms: those operations come less often. */
const weightOf = ({ template, bodies }: Operation) =>
  bodies.length === 0 ? 2 : /users|password/.test(template) ? 3 : 6

/** Sends so many requests to a board with these flags, each held against the document that the board gives of itself. */
async function run(requests: number, ...flags: string[]): Promise<Trial> {
  const trial = await Trial.open(...flags)
  const { contract, tally } = trial
  const attempts = new Attempts(contract)
  const any: fc.Arbitrary<Attempt> = fc.oneof(
    ...contract.operations.map(one => ({ weight: weightOf(one), arbitrary: attempts.of(one) })),
  )
  const begun = performance.now()
  const pace = () =>
    `${tally.total} requests, ${Math.round((tally.total * 1000) / (performance.now() - begun))} a second`
  try {
    const property = fc.asyncProperty(any, async attempt => {
      await trial.make(attempt)
      if (tally.total % TOLD_EVERY === 0) tell(pace())
    })
    const { failed, errorInstance } = await fc.check(property, { seed: SEED, numRuns: requests })
    if (failed) throw new Error(`FUZZ_SEED=${SEED} finds: ${String(errorInstance)}`)
  } finally {
    await trial.close()
    const { allowed, faulty } = trial.verdict.counts
    const judged = `${allowed} that the document allows, ${faulty} with fields that it does not`
    for (const line of [`${pace()}, seed ${SEED}: ${judged}`, ...tally.lines(contract)]) tell(line)
  }
  return trial
}

test(
  'every answer is what the document says, and every request that it allows is taken',
  async () => {
    const { tally, contract } = await run(REQUESTS)
    for (const [why, count] of excused)
      tell(`  refused ${count} times, which the document does not tell: ${why}`)
    if (isLong) expect(tally.missed(contract)).toEqual([])
  },
  PATIENCE,
)

test(
  'and so they are where anybody may register, and mail leaves',
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
