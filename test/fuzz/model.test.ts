import { test } from 'bun:test'
import * as fc from 'fast-check'
import { look } from './model/look.ts'
import { type Act, act } from './model/moves.ts'
import type { Approval } from './model/records.ts'
import { Stage } from './model/stage.ts'
import { isLong, PATIENCE, report, SEED } from './seed.ts'

const SEQUENCES = isLong ? 1000 : 6
const STEPS = 60
const APPROVALS: readonly Approval[] = ['none', 'paid', 'paid', 'all']

/** The number of times that each kind of step ran. */
const done = new Map<string, number>()

interface Real {
  readonly stage: Stage
  steps: number
}

class Step implements fc.AsyncCommand<object, Real> {
  constructor(private readonly one: Act) {}

  check = () => true

  async run(_: object, real: Real): Promise<void> {
    await this.one.run(real.stage)
    await look(real.stage, real.steps++)
    const [what = ''] = this.one.does.replace(/^\S+@\S+( \(.*?\))?: |^nobody: /, '').split(/ ["\d{]/)
    done.set(what, (done.get(what) ?? 0) + 1)
  }

  toString() {
    return `\n    ${this.one.does}`
  }
}

let sequences = 0

async function playThrough(approval: Approval, commands: Iterable<fc.AsyncCommand<object, Real>>) {
  const stage = await Stage.open(approval)
  try {
    await fc.asyncModelRun(() => ({ model: {}, real: { stage, steps: 0 } }), commands)
    const errors = await stage.errors()
    if (errors.length > 0) throw new Error(`The board logged ${errors.join('\n')}`)
    await stage.checkJournal()
  } catch (error) {
    const script = stage.script.join('\n')
    throw new Error(`${String(error)}\nThe requests before it:\n${script}`, { cause: error })
  } finally {
    await stage.close()
  }
  if (++sequences % 100 === 0) report(`${sequences} sequences`)
}

test(
  'any sequence of requests gets the responses that the contract requires',
  async () => {
    const started = performance.now()
    const property = fc.asyncProperty(
      fc.constantFrom(...APPROVALS),
      fc.commands([act.map(one => new Step(one))], { maxCommands: STEPS, size: 'max' }),
      playThrough,
    )
    await fc.assert(property, { seed: SEED, numRuns: SEQUENCES })
    const steps = [...done.values()].reduce((all, count) => all + count, 0)
    report(
      `${sequences} sequences, ${steps} steps, ${Math.round((performance.now() - started) / 1000)} s, seed ${SEED}`,
    )
    for (const [what, count] of [...done].toSorted(([a], [b]) => a.localeCompare(b)))
      report(`  ${what}: ${count}`)
  },
  PATIENCE,
)
