import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { LOCK_FILE } from '../../src/store/folder.ts'
import { statusOf } from '../../src/store/jobStatus.ts'
import { takeLock } from '../../src/store/lock.ts'
import { SCHEMA_VERSION } from '../../src/store/migrations.ts'
import { Store } from '../../src/store/store.ts'
import { newJob } from '../faults/rows.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Finds errors, except that the tests made rows older without the journal. */
const integrityErrors = (store: Store) =>
  store.findIntegrityErrors().filter(({ message }) => !message.endsWith('differs from the journal.'))

/** More rows than a migration reads at a time. */
const JOBS = 600

/** The columns of jobs that version 3 added. */
const LATER_COLUMNS = new Set([
  'renewing',
  'refusal',
  'submittedAt',
  'publishAt',
  'filledAt',
  'closedAt',
  'remindedOf',
  'reminders',
  'renewedAt',
  'warnedAt',
  'source',
  'externalId',
])

/** A job as version 1 stored it. */
function firstJob(id: number) {
  const { applicationUrl, applicationEmail: _, publishedAt, ...job } = newJob(`Job ${id}`, 10)
  const isEmail = id % 2 === 0
  const application = isEmail ? `jobs${id}@acme.example` : applicationUrl
  const row = { ...job, id, applicationType: isEmail ? 'email' : 'url', application, appearedAt: publishedAt }
  return Object.fromEntries(Object.entries(row).filter(([column]) => !LATER_COLUMNS.has(column)))
}

/** A queued mail as version 1 stored it. */
const FIRST_MAIL = {
  id: 1,
  letter: { kind: 'reset', email: 'ada@example.com' } as const,
  createdAt: 1000,
  attempts: 1,
  triedSince: 1000,
  dueAt: 2000,
  failed: false,
  fault: 'the mail server is down',
}

/** The counts that versions before 3 don't have. */
const NO_OTHER_COUNTS = { impressions: 0, applyClicks: 0, latest: null, sources: [], countries: [] }

/** Creates a store with jobs of version 1. */
async function makeFirst() {
  const store = await Store.open(folder)
  await store.write(({ jobs, categories, terms, plans, mails, views }) => {
    const { id: _, letter, fault, ...mail } = FIRST_MAIL
    mails.insert({ ...mail, content: letter, lastError: fault })
    categories.insert({ name: 'Care' })
    terms.insert({ name: 'Permanent' })
    const plan = { price: 0, period: 0, highlight: false, badge: false, pin: false, archived: false }
    plans.insert({ ...plan, name: 'Plain' })
    for (let id = 1; id <= JOBS; id++) jobs.insert(newJob(`Job ${id}`, 10))
    views.put({ id: 7, ...NO_OTHER_COUNTS, views: 41 })
  })
  await store.close()
  const env = open({ path: folder, noSubdir: false, maxDbs: 32, encoding: 'json', overlappingSync: false })
  const jobs = env.openDB<object, number>({ name: 'jobs', encoding: 'json' })
  const mails = env.openDB<object, number>({ name: 'mails', encoding: 'json' })
  const views = env.openDB<object, number>({ name: 'views', encoding: 'json' })
  await env.childTransaction(() => {
    void views.put(7, { id: 7, views: 41 })
    for (let id = 1; id <= JOBS; id++) void jobs.put(id, firstJob(id))
    void mails.put(1, FIRST_MAIL)
    void env.openDB({ name: 'meta' }).put('version', 1)
  })
  await env.close()
}

describe('a store of version 1', () => {
  test('keeps the views of each job', async () => {
    await makeFirst()
    const store = await Store.open(folder)
    try {
      expect(store.read.views.all()).toEqual([{ id: 7, ...NO_OTHER_COUNTS, views: 41 }])
    } finally {
      await store.close()
    }
  })

  test('keeps the application address of each job, by its type', async () => {
    await makeFirst()
    const store = await Store.open(folder)
    try {
      const jobs = store.read.jobs.all()
      expect(jobs).toHaveLength(JOBS)
      for (const job of jobs) {
        const isEmail = job.id % 2 === 0
        const address = String(firstJob(job.id)['application'])
        const [applicationUrl, applicationEmail] = isEmail ? ['', address] : [address, '']
        const applicationType = isEmail ? 'email' : 'url'
        const columns = { ...newJob(`Job ${job.id}`, 10), applicationType, applicationUrl, applicationEmail }
        expect(job as object).toEqual({ id: job.id, ...columns })
      }
      const { letter, fault, ...mail } = FIRST_MAIL
      expect(store.read.mails.all() as object[]).toEqual([{ ...mail, content: letter, lastError: fault }])
      expect(integrityErrors(store)).toEqual([])
    } finally {
      await store.close()
    }
    // the migration runs only once
    const again = await Store.open(folder)
    expect(again.read.jobs.get(2)?.applicationEmail).toBe('jobs2@acme.example')
    await again.close()
    expect(SCHEMA_VERSION).toBeGreaterThan(1)
  })

  test('is not migrated by a command while a server runs', async () => {
    await makeFirst()
    const server = takeLock(join(folder, LOCK_FILE), folder)
    try {
      const refused = await Store.open(folder, { shared: true }).catch((error: unknown) => String(error))
      expect(refused).toContain('is in use by another Corkboard')
    } finally {
      server.release()
    }
    const store = await Store.open(folder, { shared: true })
    expect(store.read.jobs.get(2)?.applicationEmail).toBe('jobs2@acme.example')
    await store.close()
  })
})

const DAY = 86_400_000

/** Jobs of version 2 by the status that they had. */
const SECOND_JOBS = {
  active: { pending: false, appearedAt: 5 * DAY, expiresAt: 50 * DAY },
  expired: { pending: false, appearedAt: 5 * DAY, expiresAt: 30 * DAY },
  pending: { pending: true, appearedAt: null, expiresAt: null },
}
const OLD_TOKEN = {
  id: 1,
  hash: 'x',
  purpose: 'reset',
  subscriberId: null,
  userId: 1,
  createdAt: 0,
  expiresAt: 9,
}

/** Replaces the rows of a new store by those of version 2. */
async function makeSecond() {
  const store = await Store.open(folder)
  const mail = { createdAt: 0, attempts: 0, triedSince: null, dueAt: 0, failed: false, lastError: '' }
  await store.write(({ jobs, categories, terms, plans, mails, tokens, users }) => {
    for (const table of [categories, terms]) table.insert({ name: 'one' })
    const plan = { price: 0, period: 0, highlight: false, badge: false, pin: false, archived: false }
    plans.insert({ ...plan, name: 'Plain' })
    const account = { passwordHash: '', role: 'user', confirmed: true, epoch: 1 } as const
    users.insert({ ...account, email: 'ada@example.com', createdAt: 0, updatedAt: 0 })
    for (const _ of Object.keys(SECOND_JOBS)) jobs.insert(newJob('Old', 10))
    mails.insert({ ...mail, content: { kind: 'approved', userId: 1, jobId: 1 } })
    const { id: _, ...token } = OLD_TOKEN
    tokens.insert({ ...token, purpose: 'reset', jobId: null })
  })
  await store.close()
  const env = open({ path: folder, noSubdir: false, maxDbs: 32, encoding: 'json', overlappingSync: false })
  const table = (name: string) => env.openDB<object, number>({ name, encoding: 'json' })
  await env.childTransaction(() => {
    for (const [at, columns] of Object.values(SECOND_JOBS).entries()) {
      const { publishedAt: _, ...job } = newJob('Old', 10)
      const row = { ...job, ...columns, id: at + 1, createdAt: 4 * DAY, updatedAt: 6 * DAY }
      const old = Object.entries(row).filter(([column]) => !LATER_COLUMNS.has(column))
      void table('jobs').put(at + 1, Object.fromEntries(old))
    }
    const content = { kind: 'refused', userId: 1, title: 'Old' }
    void table('mails').put(1, { ...mail, id: 1, content })
    void table('tokens').put(1, OLD_TOKEN)
    void env.openDB({ name: 'meta' }).put('version', 2)
  })
  await env.close()
}

test('a store of version 2 keeps its jobs with their status, its tokens and its mails', async () => {
  await makeSecond()
  const store = await Store.open(folder)
  try {
    const jobs = store.read.jobs.all()
    expect(jobs.map(job => statusOf(job, 40 * DAY))).toEqual(['active', 'expired', 'pending'])
    for (const [at, { appearedAt, ...columns }] of Object.values(SECOND_JOBS).entries())
      expect(jobs[at]).toEqual({
        ...newJob('Old', 10),
        ...columns,
        id: at + 1,
        createdAt: 4 * DAY,
        updatedAt: 6 * DAY,
        submittedAt: 4 * DAY,
        publishedAt: appearedAt,
      })
    expect(store.read.tokens.all() as object[]).toEqual([{ ...OLD_TOKEN, jobId: null }])
    expect(store.read.mails.all()[0]?.content).toEqual({ kind: 'deleted', userId: 1, title: 'Old' })
    expect(integrityErrors(store)).toEqual([])
  } finally {
    await store.close()
  }
})

test('a store of version 3 keeps the sources of its jobs, of which each external id is that of one job', async () => {
  const origins = [
    { source: 'ats', externalId: 'A 1' },
    { source: null, externalId: null },
    { source: 'ats', externalId: 'A 1' },
    { source: 'ats.2', externalId: 'A 1' },
    { source: 'No name', externalId: '7' },
    { source: 'ats', externalId: null },
  ]
  const store = await Store.open(folder)
  await store.write(({ jobs, categories, terms, plans }) => {
    for (const table of [categories, terms]) table.insert({ name: 'one' })
    const plan = { price: 0, period: 0, highlight: false, badge: false, pin: false, archived: false }
    plans.insert({ ...plan, name: 'Plain' })
    for (const _ of origins) jobs.insert(newJob('Old', 10))
  })
  await store.close()
  const env = open({ path: folder, noSubdir: false, maxDbs: 32, encoding: 'json', overlappingSync: false })
  await env.childTransaction(() => {
    const jobs = env.openDB<object, number>({ name: 'jobs', encoding: 'json' })
    for (const [at, origin] of origins.entries())
      void jobs.put(at + 1, { id: at + 1, ...newJob('Old', 10), ...origin })
    void env.openDB({ name: 'meta' }).put('version', 3)
  })
  await env.close()
  const migrated = await Store.open(folder)
  const { jobs } = migrated.read
  const none = { source: null, externalId: null }
  const [first, posted, , third] = origins
  expect(jobs.all().map(({ source, externalId }) => ({ source, externalId }))).toEqual(
    [first, posted, none, third, none, none].map(origin => ({ ...none, ...origin })),
  )
  const changed = jobs.all().filter(({ id, source }) => source !== (origins[id - 1]?.source ?? null))
  expect(migrated.read.journal.all().filter(({ type }) => !type)).toMatchObject(
    changed.map(({ id }) => ({
      jobId: id,
      before: { source: origins[id - 1]?.source },
      after: { source: null },
    })),
  )
  expect(jobs.findIdBy('externalId', 'A 1', 'ats')).toBe(1)
  expect(jobs.findIdBy('externalId', 'A 1', 'ats.2')).toBe(4)
  expect(integrityErrors(migrated)).toEqual([])
  await migrated.close()
})
