import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { DAY, HOUR, SECOND } from '../../src/base/clock.ts'
import { Problem } from '../../src/base/problem.ts'
import { planPutBack } from '../../src/features/admin/putBackPlan.ts'
import { statusOf } from '../../src/store/jobStatus.ts'
import type { JournalRow } from '../../src/store/journal/journalRow.ts'
import type { JobRow, Row } from '../../src/store/rows.ts'
import { Store } from '../../src/store/store.ts'
import type { Table } from '../../src/store/table.ts'
import type { Tables } from '../../src/store/tables.ts'
import { START } from '../helpers/board.ts'
import { insertJob, PLANS } from '../helpers/fixtures.ts'
import { journaledRows, replayed } from '../helpers/replay.ts'
import { isLong, PATIENCE, report, SEED } from './seed.ts'

const SEQUENCES = isLong ? 1000 : 100

/** A step: it changes records in one transaction, lets time pass, or restarts. */
type Step =
  | { readonly kind: 'write'; readonly name: string; readonly pick: number; readonly job: Partial<JobRow> }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'restart' }

/** Changes by name. `pick` chooses the record. */
const WRITES: Record<string, (tables: Tables, pick: number, job: Partial<JobRow>) => unknown> = {
  create: (tables, pick, job) =>
    insertJob(tables, { ...job, categoryId: idIn(tables, 'categories', pick), userId: null }),
  createTwo: (tables, _, job) => [job, {}].map(one => insertJob(tables, { ...one, categoryId: null })),
  change: ({ jobs }, pick, job) => {
    const row = jobs.get(nth(jobs.all(), pick)?.id ?? null)
    if (row) jobs.update(row, job)
  },
  own: ({ jobs, users }, pick) => {
    const row = jobs.get(nth(jobs.all(), pick)?.id ?? null)
    if (row) jobs.update(row, { userId: nth(users.all(), pick)?.id ?? null })
  },
  remind: ({ jobs }, pick) => {
    const row = jobs.get(nth(jobs.all(), pick)?.id ?? null)
    if (row) jobs.update(row, { reminders: row.reminders + 1 })
  },
  remove: ({ jobs }, pick) => jobs.remove(nth(jobs.all(), pick)?.id ?? 0),
  addLabels: ({ categories, terms }, pick) => {
    categories.insert({ name: `Category ${pick} ${categories.count}` })
    terms.insert({ name: `Term ${pick} ${terms.count}` })
  },
  removeCategory: ({ categories }, pick) => categories.remove(nth(categories.all(), pick)?.id ?? 0),
  changePlan: ({ plans }, pick) => {
    const plan = nth(plans.all(), pick)
    if (plan) plans.update(plan, { archived: !plan.archived, price: pick % 3 })
  },
  addPeople: ({ users, subscribers }, pick) => {
    const person = { email: `${pick}@example.com`, confirmed: true, createdAt: pick, updatedAt: pick }
    if ([users, subscribers].some(table => table.findIdBy('email', person.email) !== undefined)) return
    users.insert({ ...person, passwordHash: 'secret', role: 'user', epoch: 1 })
    subscribers.insert({ ...person, digestedUntil: 0 })
  },
  changePeople: ({ users, subscribers }, pick) => {
    const [user, subscriber] = [nth(users.all(), pick), nth(subscribers.all(), pick)]
    if (user)
      users.update(user, { passwordHash: 'another', epoch: user.epoch + 1, email: `${user.id}@x.example` })
    if (subscriber) subscribers.update(subscriber, { digestedUntil: subscriber.digestedUntil + 1 })
  },
  removePeople: ({ users, subscribers }, pick) => {
    const user = nth(users.all(), pick)
    if (!user) return
    users.remove(user.id)
    subscribers.remove(user.id)
  },
  putBack: (tables, pick) => {
    const entry = nth(
      tables.journal.all().filter(({ before }) => before),
      pick,
    )
    try {
      const { rows } = planPutBack(tables, entry?.id ?? 0, entry?.at ?? 0)
      // The rows are those of their tables.
      for (const { table, row } of rows) (tables[table] as unknown as Table<Row>).put(row)
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
    }
  },
  fail: (tables, pick, job) => {
    insertJob(tables, job)
    tables.categories.remove(nth(tables.categories.all(), pick)?.id ?? 0)
    throw new Error('rolled back')
  },
}

const nth = <T>(rows: readonly T[], pick: number): T | undefined => rows[pick % Math.max(1, rows.length)]

const idIn = (tables: Tables, table: 'categories', pick: number) => nth(tables[table].all(), pick)?.id ?? null

const moment = fc.integer({ min: -40, max: 40 }).map(days => START + days * DAY)
const facts = fc.record(
  {
    title: fc.constantFrom('Nurse', 'Cook', 'Pilot'),
    pending: fc.boolean(),
    refusal: fc.constantFrom(null, null, 'Incomplete'),
    submittedAt: fc.constantFrom(null, START, START, START),
    publishedAt: fc.oneof(fc.constant(null), moment, moment),
    expiresAt: fc.oneof(fc.constant(null), moment, moment),
    filledAt: fc.constantFrom(null, null, null, START),
    closedAt: fc.constantFrom(null, null, null, START),
  },
  { requiredKeys: [] },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      name: fc.constantFrom(
        ...Object.keys(WRITES),
        'create',
        'create',
        'change',
        'change',
        'change',
        'putBack',
        'putBack',
      ),
      pick: fc.nat(20),
      job: facts,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.oneof(
        fc.integer({ min: 1, max: 40 }).map(days => days * DAY),
        fc.constantFrom(SECOND, HOUR),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
)

/** Runs a sequence in a new store, and returns it with its time. */
async function run(folder: string, steps: readonly Step[]): Promise<{ store: Store; now: number }> {
  const clock = { now: START }
  const open = () => Store.open(join(folder, 'board'), { clock: () => clock.now })
  let store = await open()
  await store.write(tables => {
    for (const plan of Object.values(PLANS)) tables.plans.insert(plan)
    tables.terms.insert({ name: 'Full time' })
    tables.categories.insert({ name: 'Trades' })
  })
  const writes: Promise<unknown>[] = []
  for (const one of steps) {
    if (one.kind === 'write') {
      const write = store.write(tables => void WRITES[one.name]?.(tables, one.pick, one.job))
      writes.push(write.catch((error: unknown) => expect(String(error)).toContain('rolled back')))
      continue
    }
    // One commit has all writes until here.
    await Promise.all(writes.splice(0))
    if (one.kind === 'pass') clock.now += one.ms
    else {
      await store.close()
      store = await open()
    }
  }
  await Promise.all(writes)
  // Everything that time has done is journaled by the next transaction.
  await store.write(() => {})
  return { store, now: clock.now }
}

/** Returns whether each job is public by the journal alone. Throws if it appears or disappears twice. */
function publicJobs(entries: readonly JournalRow[]): Set<number> {
  const jobs = new Set<number>()
  for (const { jobId = 0, publicType, id } of entries) {
    if (publicType === undefined) continue
    const isPublic = jobs.has(jobId)
    if ((publicType === 'job.published') === isPublic) throw new Error(`entry ${id}: ${publicType} again`)
    if (publicType === 'job.published') jobs.add(jobId)
    if (publicType === 'job.closed') jobs.delete(jobId)
  }
  return jobs
}

async function check(folder: string, { store, now }: { store: Store; now: number }) {
  const entries = store.read.journal.all()
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, at) => at + 1))
  expect(await replayed(join(folder, 'replayed'), entries)).toEqual(journaledRows(store))
  expect(store.findIntegrityErrors()).toEqual([])
  expect(JSON.stringify(entries)).not.toMatch(/passwordHash|secret|another/)
  const { jobs, users } = store.read
  const active = jobs.all().filter(job => statusOf(job, now) === 'active')
  expect([...publicJobs(entries)].toSorted((a, b) => a - b)).toEqual(active.map(({ id }) => id))
  for (const { userId, before, after } of entries)
    if (userId !== undefined && !users.has(userId))
      expect({ ...before, ...after }).not.toHaveProperty('email')
}

let sequences = 0

test(
  'the journal of any sequence, replayed into an empty store, gives the same rows',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async steps => {
        const folder = await mkdtemp(join(tmpdir(), 'corkboard-journal-'))
        try {
          const result = await run(folder, steps)
          try {
            await check(folder, result)
          } finally {
            await result.store.close()
          }
        } finally {
          await rm(folder, { recursive: true })
        }
        if (++sequences % 100 === 0) report(`${sequences} sequences`)
      }),
      { seed: SEED, numRuns: SEQUENCES },
    )
  },
  PATIENCE,
)
