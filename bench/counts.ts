/**
 * `npm run bench:counts`: the disk space that the counts of 50,000 jobs take, and the time to count an impression and a view of
 * each job and to store these counts. In the last row, each job was shown and read on each of 400 days.
 */
import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '../src/base/clock.ts'
import { DATA_FILE } from '../src/store/folder.ts'
import { Store } from '../src/store/store.ts'
import { addDays } from '../src/traffic/jobDays.ts'
import { Traffic } from '../src/traffic/traffic.ts'
import { fillTables } from '../test/faults/rows.ts'
import { seeded } from './random.ts'
import { withFolder } from './servers.ts'
import { printRows } from './table.ts'

const JOBS = 50_000
const PERIODS = [0, 30, 60, 400]
const TODAY = 20_000
const BATCH = 1000
const PER_PAGE = 25
const MB = 2 ** 20
/** In milliseconds, how often it is checked whether other work has to wait. */
const TICK = 1

const random = seeded(5)
const upTo = (maximum: number) => Math.floor(random() * (maximum + 1))

/** The counts of a busy job on a day. */
const busyDay = (day: number) => ({ day, impressions: upTo(400), views: upTo(40), applyClicks: upTo(6) })

const keys = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index): [string, number] => [name(index), upTo(2000)])

async function fill(store: Store, days: number) {
  for (let start = 1; start <= JOBS; start += BATCH)
    await store.write(tables => {
      for (let id = start; id < start + BATCH; id++) {
        const past = Array.from({ length: days - 1 }, (_, at) => busyDay(TODAY - days + 1 + at))
        tables.jobDays.put(addDays(undefined, id, past, TODAY))
        const sources = keys(12, index => `www${index}.example-${id}.net`)
        const countries = keys(10, index => `A country ${index}`)
        const totals = { impressions: 80_000, views: 8000, applyClicks: 1200 }
        tables.views.put({ id, ...totals, latest: busyDay(TODAY - 1), sources, countries })
      }
    })
}

/** Returns the bytes of a store's data file without free pages. */
async function sizeOf(store: Store, folder: string): Promise<number> {
  await mkdir(folder)
  await store.copyTo(folder)
  return statSync(join(folder, DATA_FILE)).size
}

/** Counts an impression and a view of every job, and returns the times in milliseconds and the memory of the counts. */
async function visitAll(store: Store) {
  const reader = {
    isBot: () => false,
    isCrawler: () => false,
    country: () => 'Chile',
    source: () => 'a.example',
  }
  const traffic = new Traffic(
    store,
    () => TODAY * DAY,
    reader,
    error => console.error(error),
  )
  const visit = { hops: '10.0.0.1', userAgent: 'x', referrer: 'https://a.example/', isReported: false }
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  const start = performance.now()
  for (let first = 1; first <= JOBS; first += PER_PAGE) {
    const shown = Array.from({ length: PER_PAGE }, (_, at) => first + at)
    traffic.count({ ...visit, path: '/', jobId: undefined, shown })
    for (const jobId of shown) traffic.count({ ...visit, path: `/jobs/${jobId}`, jobId })
  }
  traffic.countsOf(1)
  const counted = performance.now()
  Bun.gc(true)
  const memory = process.memoryUsage().heapUsed - before
  const longest = longestWait()
  const flushed = performance.now()
  await traffic.flush()
  const stored = performance.now()
  const wait = longest()
  await traffic.close()
  return { counting: counted - start, memory, storing: stored - flushed, wait }
}

/** Measures how long other work has to wait at most, until the returned function is called. */
function longestWait(): () => number {
  let last = performance.now()
  let longest = 0
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, TICK)
  return () => {
    clearInterval(timer)
    look()
    return longest
  }
}

await withFolder(async folder => {
  printRows([
    [
      'days',
      'MB on disk',
      'bytes a job',
      'count a visit of each, ms',
      'MB in memory',
      'store, ms',
      'longest wait, ms',
    ],
    Array.from({ length: 7 }, () => '---'),
  ])
  let empty = 0
  for (const days of PERIODS) {
    const store = await Store.open(join(folder, `${days}`))
    await store.write(tables => fillTables(tables, JOBS, 10))
    if (days > 0) await fill(store, days)
    const size = await sizeOf(store, join(folder, `${days}-copy`))
    if (days === 0) empty = size
    const { counting, memory, storing, wait } = await visitAll(store)
    const [bytes, ...times] = [(size - empty) / JOBS, counting, memory / MB, storing, wait].map(Math.round)
    printRows([[days, Math.round((size - empty) / MB), bytes, ...times]])
    await store.close()
  }
})
