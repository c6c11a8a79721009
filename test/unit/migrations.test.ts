import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { LOCK_FILE } from '../../src/store/folder.ts'
import { takeLock } from '../../src/store/lock.ts'
import { SCHEMA_VERSION } from '../../src/store/migrations.ts'
import { Store } from '../../src/store/store.ts'
import { newJob } from '../faults/rows.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

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
      expect(store.findIntegrityErrors()).toEqual([])
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
