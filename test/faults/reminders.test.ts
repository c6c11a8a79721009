import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../../src/base/clock.ts'
import { Store } from '../../src/store/store.ts'
import { isLong, PATIENCE, report, rounds } from './duration.ts'
import { fillTables, newJob } from './rows.ts'
import { seeded } from './seeded.ts'

const JOBS = 800
const END = 1000 * DAY

/** Creates a store with jobs that expire at END, and as many old drafts. */
async function prepare(folder: string) {
  const store = await Store.open(folder)
  await store.write(tables => {
    fillTables(tables, 0, 0)
    const account = { passwordHash: '', role: 'user', confirmed: true, epoch: 1 } as const
    tables.users.insert({ ...account, email: 'ada@example.com', createdAt: 0, updatedAt: 0 })
    const draft = { submittedAt: null, publishedAt: null, updatedAt: END - 84 * DAY }
    for (let number = 0; number < JOBS; number++) {
      tables.jobs.insert({ ...newJob(`Job ${number}`, 100), userId: 1, expiresAt: END })
      tables.jobs.insert({ ...newJob(`Draft ${number}`, 100), userId: 1, ...draft })
    }
  })
  await store.close()
}

/** Queues what is due at a time, and ends the process so many milliseconds after it starts to. Returns whether it was done. */
async function remind(folder: string, time: number, after?: number): Promise<boolean> {
  const script = join(import.meta.dir, 'remind.ts')
  const child = Bun.spawn([process.execPath, script, folder, String(time)], { stdout: 'pipe' })
  let out = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    const isFirst = out === ''
    out += decoder.decode(chunk)
    if (isFirst && after !== undefined) setTimeout(() => child.kill('SIGKILL'), after)
  }
  await child.exited
  return out.includes('done')
}

/** Returns how many jobs have each number of queued mails. */
async function mailsPerJob(folder: string) {
  const store = await Store.open(folder)
  const counts = new Map<number, number>()
  for (const { content } of store.read.mails.all())
    if ('jobId' in content) counts.set(content.jobId, (counts.get(content.jobId) ?? 0) + 1)
  const jobs = store.read.jobs.count
  await store.close()
  const numbers = [...counts.values()]
  return {
    jobs,
    once: numbers.filter(count => count === 1).length,
    more: numbers.filter(count => count > 1).length,
  }
}

test(
  'kill -9 at any moment neither loses a reminder nor queues one twice',
  async () => {
    const random = seeded(4)
    let kills = 0
    for (let round = 0; round < rounds(1, 20); round++) {
      const folder = await mkdtemp(join(tmpdir(), 'corkboard-remind-'))
      try {
        await prepare(folder)
        for (let time = 0; time < 4; time++) if (!(await remind(folder, END, random(60)))) kills++
        expect((await mailsPerJob(folder)).more).toBe(0)
        expect(await remind(folder, END)).toBeTrue()
        expect(await mailsPerJob(folder)).toEqual({ jobs: 2 * JOBS, once: 2 * JOBS, more: 0 })
        // A week later, the drafts are deleted.
        await remind(folder, END + 7 * DAY - 1, random(60))
        await remind(folder, END + 7 * DAY - 1)
        expect(await mailsPerJob(folder)).toEqual({ jobs: 2 * JOBS, once: 2 * JOBS, more: 0 })
        await remind(folder, END + 7 * DAY, random(60))
        await remind(folder, END + 7 * DAY)
        expect((await mailsPerJob(folder)).jobs).toBe(JOBS)
      } finally {
        await rm(folder, { recursive: true })
      }
    }
    if (isLong) expect(kills).toBeGreaterThan(0)
    report(`reminders: ${kills} kills`)
  },
  PATIENCE,
)
