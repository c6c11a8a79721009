import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../../src/base/clock.ts'
import type { JobDaysRow } from '../../src/store/countRows.ts'
import { Store } from '../../src/store/store.ts'
import type { Visit } from '../../src/traffic/dailyCounts.ts'
import { addDays, daysOf, lastDayOf } from '../../src/traffic/jobDays.ts'
import { Traffic } from '../../src/traffic/traffic.ts'
import { fillTables } from '../faults/rows.ts'

const TODAY = 20_000
/** More jobs than are stored in one transaction. */
const JOBS = 1200

let folder: string
let store: Store
let traffic: Traffic
let today: number
let errors: unknown[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-'))
  store = await Store.open(folder)
  await store.write(tables => fillTables(tables, JOBS, 10))
  today = TODAY
  errors = []
  traffic = open()
})
afterEach(async () => {
  await traffic.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

function open(): Traffic {
  const reader = {
    isBot: () => false,
    isCrawler: () => false,
    country: (hops: string) => hops,
    source: (referrer: string) => referrer,
  }
  return new Traffic(
    store,
    () => today * DAY,
    reader,
    error => errors.push(error),
  )
}

const visit = (fields: Partial<Visit> = {}) =>
  traffic.count({
    path: '/',
    jobId: undefined,
    hops: 'Chile',
    userAgent: 'x',
    referrer: '',
    isReported: false,
    ...fields,
  })

const sizeOf = (rows: readonly unknown[]) => JSON.stringify(rows).length

describe('the counts of jobs', () => {
  test('are stored in several transactions, and not again', async () => {
    const ids = Array.from({ length: JOBS }, (_, index) => index + 1)
    const writes: number[] = []
    store.subscribe(changes => writes.push(changes.length))
    visit({ shown: ids })
    visit({ shown: ids })
    await traffic.flush()
    expect(writes).toEqual([1, 250, 250, 250, 250, 200])
    expect(store.read.views.all().every(({ impressions }) => impressions === 2)).toBeTrue()
    visit({ jobId: 7 })
    await traffic.flush()
    expect(writes.slice(6)).toEqual([1, 1])
    expect(traffic.countsOf(7)).toMatchObject({ impressions: 2, views: 1, applyClicks: 0 })
    expect(errors).toEqual([])
  })

  test('are stored early in a flood, once at a time', async () => {
    const flush = traffic.flush.bind(traffic)
    const flushes: Promise<void>[] = []
    traffic.flush = () => {
      const flushing = flush()
      flushes.push(flushing)
      return flushing
    }
    const flood = () => {
      for (let job = 1; job <= 6000; job++) visit({ jobId: job })
    }
    flood()
    expect(flushes).toHaveLength(1)
    await flushes[0]
    expect(store.read.views.count).toBe(JOBS)
    flood()
    expect(flushes).toHaveLength(2)
    expect(traffic.countsOf(7).views).toBe(2)
    await flushes[1]
    store.write = () => Promise.reject(new Error('no space'))
    flood()
    await flushes[2]
    for (let time = 0; time < 100; time++) visit()
    expect([flushes.length, errors.length]).toEqual([3, 1])
    Reflect.deleteProperty(store, 'write')
    await traffic.flush()
    expect(traffic.countsOf(7).views).toBe(3)
  })

  test('are complete while they are being stored', async () => {
    for (let times = 1; times <= 20; times++) {
      visit({ jobId: 7 })
      const storing = traffic.flush()
      visit({ jobId: 7, path: undefined, step: 'apply' })
      expect(traffic.countsOf(7)).toMatchObject({ views: times, applyClicks: times })
      await storing
      today++
    }
    await traffic.flush()
    expect(traffic.countsOf(7)).toMatchObject({ views: 20, applyClicks: 20 })
    const { days } = traffic.trafficOf(7)
    expect([...days.values()]).toHaveLength(20)
    expect([...days.values()].every(({ views, applyClicks }) => views === 1 && applyClicks === 1)).toBeTrue()
  })

  test('stay in memory if they could not be stored', async () => {
    const write = store.write.bind(store)
    let failures = 3
    store.write = (...args) => (failures-- > 0 ? Promise.reject(new Error('no space')) : write(...args))
    for (let day = 0; day < 3; day++) {
      visit({ jobId: 7, referrer: 'a.example' })
      await traffic.flush()
      today++
    }
    expect(errors).toHaveLength(3)
    expect(traffic.countsOf(7)).toMatchObject({ views: 3 })
    await traffic.flush()
    expect(store.read.views.get(7)).toMatchObject({ views: 3, sources: [['a.example', 3]] })
    expect([...traffic.trafficOf(7).days.keys()]).toEqual([TODAY, TODAY + 1, TODAY + 2])
  })

  test('survive a restart, and a clock that was set back', async () => {
    visit({ jobId: 7 })
    await traffic.close()
    traffic = open()
    today = TODAY - 5
    visit({ jobId: 7 })
    await traffic.flush()
    today = TODAY + 1
    visit({ jobId: 7 })
    expect([...traffic.trafficOf(7).days].map(([day, { views }]) => [day, views])).toEqual([
      [TODAY, 2],
      [TODAY + 1, 1],
    ])
  })

  test('of jobs that are gone are not stored', async () => {
    visit({ jobId: 7, shown: [7, 8] })
    await store.write(tables => void tables.jobs.remove(7))
    await traffic.flush()
    expect(store.read.views.all().map(({ id }) => id)).toEqual([8])
    expect(store.findIntegrityErrors()).toEqual([])
  })

  test('stay small in a flood of sources and countries, and keep repeated ones', async () => {
    for (let flood = 0; flood < 20_000; flood++) {
      visit({ jobId: 7, referrer: `${'x'.repeat(flood % 200)}${flood}.example`, hops: `Land ${flood}` })
      if (flood % 10 === 0) visit({ jobId: 7, referrer: 'a.example' })
    }
    await traffic.flush()
    const row = store.read.views.get(7)
    expect(row?.views).toBe(22_000)
    expect(sizeOf([row])).toBeLessThan(2800)
    const [source] = [...traffic.trafficOf(7).sources].sort(([, a], [, b]) => b - a)
    expect(source?.[0]).toBe('a.example')
  })

  test('leave out the sources of views after a flood of them, until they are stored', async () => {
    for (let flood = 0; flood < 100_000; flood++) visit({ jobId: 7, referrer: `${flood}.example` })
    visit({ jobId: 8, referrer: 'a.example' })
    expect(traffic.countsOf(8).views).toBe(1)
    expect(traffic.trafficOf(8).sources).toEqual([])
    await traffic.flush()
    visit({ jobId: 8, referrer: 'a.example' })
    expect(traffic.countsOf(8).views).toBe(2)
    expect(traffic.trafficOf(8).sources).toEqual([['a.example', 1]])
  })

  test('stay small in a flood of different lists', async () => {
    for (let flood = 0; flood < 20_000; flood++) visit({ shown: [1 + (flood % 3), 4] })
    expect([1, 2, 3, 4].map(id => traffic.countsOf(id).impressions)).toEqual([6667, 6667, 6666, 20_000])
    await traffic.flush()
    expect(store.read.views.count).toBe(4)
  })

  test('are kept for four hundred days', async () => {
    for (; today < TODAY + 450; today++) {
      visit({ jobId: 7 })
      if (today === TODAY) visit({ jobId: 8 })
      if (today === TODAY + 1) visit({ jobId: 8 })
      await traffic.flush()
    }
    expect(store.read.jobDays.all().map(({ id }) => id)).toEqual([7])
    const [row] = store.read.jobDays.all()
    expect(row && [row.from, lastDayOf(row)]).toEqual([TODAY + 49, TODAY + 448])
    expect(sizeOf([row])).toBeLessThan(3000)
    expect(traffic.countsOf(7).views).toBe(450)
    expect(traffic.countsOf(8).views).toBe(2)
  })
})

describe('a row of days', () => {
  const counts = (day: number, views: number) => ({ day, impressions: 2 * views, views, applyClicks: 0 })
  const viewsOf = (row: JobDaysRow) => daysOf(row).map(({ day, views }) => [day, views])

  test('has a zero for each day without counts', () => {
    const row = addDays(undefined, 7, [counts(TODAY - 4, 1), counts(TODAY - 1, 2)], TODAY)
    expect(row).toEqual({
      id: 7,
      from: TODAY - 4,
      impressions: [2, 0, 0, 4],
      views: [1, 0, 0, 2],
      applyClicks: [0, 0, 0, 0],
    })
    expect(lastDayOf(row)).toBe(TODAY - 1)
  })

  test.each([
    [
      'a later day',
      counts(TODAY - 1, 3),
      [
        [TODAY - 2, 1],
        [TODAY - 1, 3],
      ],
    ],
    ['the same day again', counts(TODAY - 2, 3), [[TODAY - 2, 3]]],
    ['a day 400 days later', counts(TODAY + 398, 3), [[TODAY + 398, 3]]],
  ])('takes %s', (_, added, expected) => {
    const row = addDays(undefined, 7, [counts(TODAY - 2, 1)], TODAY)
    expect(viewsOf(addDays(row, 7, [added], added.day + 1))).toEqual(expected)
  })

  test('is empty if all of its days are too old', () =>
    expect(viewsOf(addDays(undefined, 7, [counts(TODAY - 500, 1)], TODAY))).toEqual([[TODAY, 0]]))
})
