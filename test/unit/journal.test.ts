import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../../src/base/clock.ts'
import { periodEndOf } from '../../src/features/jobs/publication.ts'
import type { Status } from '../../src/store/jobStatus.ts'
import { CLI } from '../../src/store/journal/journalRow.ts'
import { JournalTimer } from '../../src/store/journal/journalTimer.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { Store } from '../../src/store/store.ts'
import { START } from '../helpers/board.ts'
import { insertJob, PLANS } from '../helpers/fixtures.ts'
import { STATES } from '../helpers/jobStates.ts'

let folder: string
let store: Store
const clock = { now: START }

const open = (options = {}) => Store.open(folder, { clock: () => clock.now, ...options })

beforeEach(async () => {
  clock.now = START
  folder = await mkdtemp(join(tmpdir(), 'corkboard-'))
  store = await open()
  await store.write(tables => {
    for (const name of ['Trades', 'Health']) tables.categories.insert({ name })
    tables.terms.insert({ name: 'Full time' })
    for (const plan of Object.values(PLANS)) tables.plans.insert(plan)
  })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** Runs a change, and returns the entries that it added. */
async function entriesOf(change: Parameters<Store['write']>[0]) {
  const last = store.read.journal.count
  await store.write(change)
  return store.read.journal.all().slice(last)
}

const typesOf = (entries: Awaited<ReturnType<typeof entriesOf>>) => ({
  types: entries.map(({ type }) => type),
  publicTypes: entries.flatMap(({ publicType }) => publicType ?? []),
})

const PERSON = { email: 'ada@example.com', confirmed: true, createdAt: START, updatedAt: START }

const MORE_TIME = { expiresAt: START + 60 * DAY, remindedOf: START + 60 * DAY, reminders: 0 }
const PUBLISHED = { publishedAt: START, expiresAt: periodEndOf(START, { ...PLANS.basic, id: 1 }) }
const REOPENED = { filledAt: null, closedAt: null }

/** A change from a status, with the types that it means, and what visitors notice. */
const UPDATES: readonly [from: Status, columns: Partial<JobRow>, types: string[], publicType: string][] = [
  ['draft', { title: 'Another' }, ['updated'], ''],
  ['draft', { submittedAt: START, pending: true }, ['submitted'], ''],
  ['draft', { submittedAt: START, ...PUBLISHED }, ['submitted', 'published'], 'published'],
  ['draft', { submittedAt: START, publishedAt: START + DAY }, ['submitted'], ''],
  ['pending', { pending: false, ...PUBLISHED }, ['published'], 'published'],
  ['pending', { pending: false, publishedAt: START + DAY }, ['updated'], ''],
  ['pending', { pending: false, refusal: 'Incomplete' }, ['refused'], ''],
  ['refused', { refusal: 'Another reason' }, ['refused'], ''],
  ['refused', { refusal: null, pending: true }, ['submitted'], ''],
  ['refused', { refusal: null, ...PUBLISHED }, ['submitted', 'published'], 'published'],
  ['scheduled', { publishAt: START + DAY, publishedAt: START + DAY }, ['updated'], ''],
  ['scheduled', { publishAt: null, ...PUBLISHED }, ['updated', 'published'], 'published'],
  ['scheduled', { closedAt: START }, ['closed'], ''],
  ['active', { title: 'Another', updatedAt: START + 1 }, ['updated'], 'changed'],
  ['active', { userId: null, source: 'feed' }, ['updated'], ''],
  ['active', { title: 'Another', pending: true }, ['updated', 'submitted'], 'closed'],
  ['active', { pending: true, renewing: true }, ['submitted'], 'closed'],
  ['active', MORE_TIME, ['renewed'], ''],
  ['active', { ...MORE_TIME, planId: 2 }, ['updated', 'renewed'], 'changed'],
  ['active', { expiresAt: null }, ['renewed'], ''],
  ['active', { expiresAt: START + DAY }, ['updated'], ''],
  ['active', { expiresAt: START }, ['expired'], 'closed'],
  ['active', { filledAt: START }, ['filled'], 'closed'],
  ['active', { closedAt: START }, ['closed'], 'closed'],
  ['active', { remindedOf: START + 10 * DAY, reminders: 1 }, [], ''],
  ['filled', REOPENED, ['reopened'], 'published'],
  ['filled', { closedAt: START }, ['closed'], ''],
  ['filled', { ...REOPENED, ...MORE_TIME }, ['renewed'], 'published'],
  ['filled', { ...REOPENED, pending: true, renewing: true }, ['submitted'], ''],
  ['closed', REOPENED, ['reopened'], 'published'],
  ['closed', { ...REOPENED, publishedAt: START }, ['reopened', 'published'], 'published'],
  ['closed', { ...REOPENED, publishedAt: START + DAY }, ['reopened'], ''],
  ['expired', { title: 'Another' }, ['updated'], ''],
  ['expired', MORE_TIME, ['renewed'], 'published'],
  ['expired', { pending: true, renewing: true }, ['submitted'], ''],
]

describe('a change of a job is journaled by what it means', () => {
  test.each(UPDATES)('%s: %j is %j, for visitors %j', async (from, columns, types, publicType) => {
    const job = await store.write(tables => insertJob(tables, STATES[from]))
    const entries = await entriesOf(({ jobs }) => void jobs.update(job, columns))
    expect(typesOf(entries)).toEqual({
      types: types.length === 0 ? [undefined] : types.map(type => `job.${type}` as never),
      publicTypes: publicType === '' ? [] : [`job.${publicType}` as never],
    })
  })

  test.each([
    ['draft', ['created'], []],
    ['pending', ['created', 'submitted'], []],
    ['scheduled', ['created'], []],
    ['active', ['created', 'published'], ['published']],
    ['closed', ['created'], []],
  ] as const)('a new job: %s', async (status, types, publicTypes) => {
    const entries = await entriesOf(tables => void insertJob(tables, STATES[status]))
    expect(typesOf(entries)).toEqual({
      types: types.map(type => `job.${type}` as const),
      publicTypes: publicTypes.map(type => `job.${type}` as const),
    })
    expect(entries[0]).toMatchObject({ jobId: 1, after: { title: 'Nurse', description: 'Cares.' } })
    for (const entry of entries.slice(1)) expect(entry).not.toHaveProperty('after')
  })
})

describe('an entry', () => {
  test('has the columns that changed only, and none is written if none did', async () => {
    await store.write(tables => insertJob(tables))
    const [entry, ...others] = await entriesOf(({ jobs, categories }) => {
      const job = jobs.get(1)
      const category = categories.get(1)
      if (job) jobs.update(job, { title: 'Cook', location: 'Oslo', updatedAt: START + 1000 })
      if (category) categories.update(category, { name: 'Trades' })
    })
    expect(others).toEqual([])
    expect(entry).toEqual({
      id: store.read.journal.count,
      at: START,
      actor: { kind: 'system' },
      type: 'job.updated',
      publicType: 'job.changed',
      jobId: 1,
      before: { title: 'Nurse', updatedAt: START },
      after: { title: 'Cook', updatedAt: START + 1000 },
    })
  })

  test('is written for each record of a cascade, with the deleted row', async () => {
    await store.write(tables => [insertJob(tables), insertJob(tables, STATES.draft)])
    const entries = await entriesOf(({ categories }) => void categories.remove(1))
    expect(
      entries.map(({ type, jobId, before }) => [type, jobId, before?.['title'] ?? before?.['name']]),
    ).toEqual([
      ['job.deleted', 1, 'Nurse'],
      ['job.deleted', 2, 'Nurse'],
      ['category.deleted', undefined, 'Trades'],
    ])
  })

  test('names plans that are archived, and those that are changed too', async () => {
    const change = (columns: object) =>
      entriesOf(({ plans }) => {
        const plan = plans.get(1)
        if (plan) plans.update(plan, columns)
      })
    expect(typesOf(await change({ archived: true })).types).toEqual(['plan.archived'])
    expect(typesOf(await change({ archived: false, price: 7 })).types).toEqual([
      'plan.updated',
      'plan.activated',
    ])
    expect(typesOf(await entriesOf(({ plans }) => void plans.remove(1))).types).toEqual(['plan.deleted'])
  })

  test('says who made the change', async () => {
    await store.write(tables => insertJob(tables), { actor: { kind: 'user', id: 7 } })
    expect(store.read.journal.all().at(-1)?.actor).toEqual({ kind: 'user', id: 7 })
  })

  test('is not written by a change that fails, and leaves no gap', async () => {
    const last = store.read.journal.count
    const failed = store.write(tables => {
      insertJob(tables)
      throw new Error('no')
    })
    expect(await failed.catch(String)).toBe('Error: no')
    await store.write(tables => insertJob(tables))
    expect(store.read.journal.all().map(({ id }) => id)).toEqual(
      [...Array(last + 2).keys()].map(id => id + 1),
    )
  })
})

test('two processes write one journal', async () => {
  const command = await open({ shared: true, actor: CLI })
  const write = (one: Store, name: string) => one.write(({ terms }) => void terms.insert({ name }))
  await Promise.all([...Array(20).keys()].map(at => write(at % 2 === 0 ? store : command, `Term ${at}`)))
  await command.close()
  const entries = store.read.journal.all()
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, at) => at + 1))
  expect(entries.filter(({ actor }) => actor.kind === 'cli')).toHaveLength(10)
})

test('the address of a deleted account or subscriber leaves the journal at once, and password hashes are never in it', async () => {
  await store.write(({ users, subscribers }) => {
    const user = users.insert({ ...PERSON, passwordHash: '$argon2id$1', role: 'user', epoch: 1 })
    subscribers.insert({ ...PERSON, digestedUntil: 0 })
    users.update(user, { email: 'ada@another.example', passwordHash: '$argon2id$2', epoch: 2 })
  })
  const text = () => JSON.stringify(store.read.journal.all())
  expect(text()).toContain('ada@another.example')
  const entries = await entriesOf(({ users, subscribers }) => {
    users.remove(1)
    subscribers.remove(1)
  })
  expect(typesOf(entries).types).toEqual(['user.deleted', 'subscriber.deleted'])
  expect(text()).not.toMatch(/ada@|argon2id/)
  expect(entries[0]?.before).toMatchObject({ role: 'user', createdAt: START })
  expect(store.findIntegrityErrors()).toEqual([])
})

test('the address that can claim a draft leaves the journal when it is claimed or deleted', async () => {
  const claimEmail = 'ada@example.com'
  const [claimed, deleted] = await store.write(tables => [
    insertJob(tables, { ...STATES.draft, claimEmail }),
    insertJob(tables, { ...STATES.draft, claimEmail }),
  ])
  const text = () => JSON.stringify(store.read.journal.all())
  expect(text()).toContain(claimEmail)
  await store.write(({ jobs }) => {
    jobs.update(claimed, { claimEmail: null, title: 'Cook' })
    jobs.remove(deleted.id)
  })
  expect(text()).not.toContain(claimEmail)
  expect(store.findIntegrityErrors()).toEqual([])
})

describe('the timer', () => {
  const run = async (days: number) => {
    const failures: string[] = []
    const timer = new JournalTimer(
      store,
      () => clock.now,
      days,
      message => failures.push(message),
    )
    await timer.run()
    await timer.close()
    expect(failures).toEqual([])
  }

  test('journals what happens without a request', async () => {
    await store.write(tables => insertJob(tables, STATES.scheduled))
    clock.now = START + 10 * DAY
    await run(90)
    expect(store.read.journal.all().at(-1)).toMatchObject({ type: 'job.published', jobId: 1, at: clock.now })
  })

  test('removes entries of any number that are too old, and never uses a seq again', async () => {
    for (const _ of Array(3)) await store.write(tables => Array.from({ length: 70 }, () => insertJob(tables)))
    clock.now = START + 5 * DAY
    await store.write(tables => insertJob(tables))
    const last = store.read.journal.all().at(-1)?.id ?? 0
    expect(last).toBeGreaterThan(400)
    clock.now = START + 7 * DAY
    await run(7)
    expect(store.read.journal.count).toBe(last)
    clock.now++
    await run(7)
    expect(store.read.journal.all().map(({ id }) => id)).toEqual([last - 1, last])
    clock.now += 30 * DAY
    await run(7)
    expect(store.read.journal.count).toBe(0)
    await store.write(({ terms }) => terms.insert({ name: 'Seasonal' }))
    expect(store.read.journal.all().map(({ id }) => id)).toEqual([last + 1])
    expect(store.findIntegrityErrors()).toEqual([])
  })
})

describe('what happens without a request', () => {
  const timed = () =>
    store.read.journal
      .all()
      .filter(({ jobId, type }) => jobId === 1 && type !== 'job.created')
      .map(({ type, publicType, at, actor }) => [type, publicType, (at - START) / DAY, actor.kind])

  test('is journaled in its order, once, by the next transaction of anybody', async () => {
    await store.write(tables => insertJob(tables, STATES.scheduled))
    clock.now = START + 10 * DAY
    await store.write(() => {}, { actor: { kind: 'user', id: 1 } })
    expect(timed()).toEqual([['job.published', 'job.published', 10, 'system']])
    await store.close()
    clock.now = START + 50 * DAY
    store = await open()
    for (let time = 0; time < 2; time++) await store.write(() => {})
    expect(timed().slice(1)).toEqual([
      ['job.expiring', undefined, 50, 'system'],
      ['job.expired', 'job.closed', 50, 'system'],
    ])
  })

  test('comes before a change in the same transaction', async () => {
    const job = await store.write(tables => insertJob(tables, STATES.scheduled))
    clock.now = START + 10 * DAY
    await store.write(({ jobs }) => jobs.update(job, { closedAt: clock.now }))
    expect(timed().map(([type]) => type)).toEqual(['job.published', 'job.closed'])
    clock.now = START + 90 * DAY
    await store.write(() => {})
    expect(timed()).toHaveLength(2)
  })
})
