import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/clock.ts'
import { RUN_DELAY } from '../../src/search/jobIndex.ts'
import { inOrder } from '../../src/search/jobSummary.ts'
import { STATUSES, statusOf } from '../../src/store/jobStatus.ts'
import type { TestBoard } from '../helpers/board.ts'
import { insertJob, openFixtureBoard } from '../helpers/fixtures.ts'
import { statesAt } from '../helpers/jobStates.ts'

let board: TestBoard
beforeEach(async () => {
  board = (await openFixtureBoard()).test
})
afterEach(() => board.close())

const SOURCE = { kind: 'source', id: 1 } as const

/** A generator of numbers below a limit, the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
}

describe('The lists of jobs', () => {
  test('are right after any changes, and as time changes statuses', async () => {
    const { jobIndex, store } = board.board
    const next = numbers(7)
    for (let step = 0; step < 400; step++) {
      // The system's clock goes back now and then.
      const now = (board.clock.now += (next(10) === 0 ? -1 : next(3)) * 30 * MINUTE)
      const status = STATUSES[next(STATUSES.length)] ?? 'active'
      const shift = next(20) * DAY
      const facts = { ...statesAt(now)[status], createdAt: now - shift, submittedAt: now - shift }
      const columns = { ...facts, planId: 1 + next(3), expiresAt: now + (next(40) - 4) * 20 * MINUTE }
      await store.write(tables => {
        const jobs = tables.jobs.all()
        const job = jobs[next(jobs.length * 2)]
        if (!job) insertJob(tables, columns)
        else if (next(5) === 0) tables.jobs.remove(job.id)
        else tables.jobs.update(job, columns)
        const plan = tables.plans.get(1)
        if (plan && next(20) === 0) tables.plans.update(plan, { pin: !plan.pin })
      })
      if (next(3) === 0) continue
      const active = [...jobIndex.active]
      const rows = store.read.jobs.all()
      expect(jobIndex.all.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(rows.map(({ id }) => id))
      expect([...jobIndex.all]).toEqual(jobIndex.all.toSorted(inOrder))
      expect(active).toEqual(jobIndex.all.filter(job => statusOf(job, now) === 'active'))
    }
  })

  test('have a new version after each write', async () => {
    const { jobIndex, store } = board.board
    const before = jobIndex.version
    expect(jobIndex.version).toBe(before)
    await store.write(tables => insertJob(tables))
    expect(jobIndex.version).not.toBe(before)
  })

  test('have a new version a while after the writes of a run', async () => {
    const { jobIndex, store } = board.board
    const before = jobIndex.version
    for (const elapsed of [0, RUN_DELAY - 1]) {
      board.clock.now += elapsed
      await store.write(tables => insertJob(tables), { actor: SOURCE })
      expect(jobIndex.version).toBe(before)
    }
    board.clock.now += 1
    const after = jobIndex.version
    expect(after).not.toBe(before)
    expect(jobIndex.version).toBe(after)
  })

  test('have a new version at once after a write of somebody else during a run', async () => {
    const { jobIndex, store } = board.board
    const before = jobIndex.version
    await store.write(tables => insertJob(tables), { actor: SOURCE })
    await store.write(tables => insertJob(tables))
    const after = jobIndex.version
    expect(after).not.toBe(before)
    board.clock.now += RUN_DELAY
    expect(jobIndex.version).toBe(after)
  })
})
