import { afterEach, beforeEach, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withData } from '../helpers/data.ts'
import { Corkboard } from '../helpers/process.ts'
import { isLong, PATIENCE, report } from './duration.ts'
import { AUTHORIZATION, JOB, serve } from './load.ts'
import { fillTables } from './rows.ts'

const CLIENTS = 4
const JOBS = 3900
const WINDOW = 5000
/** The number of attempts, because the machine may be busy. */
const TRIES = 3

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-pace-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** Returns how long creates take, in milliseconds, until `end` resolves. */
async function times(url: string, end: Promise<unknown>): Promise<number[]> {
  const over = { is: false }
  void end.then(() => (over.is = true))
  const taken: number[] = []
  const body = JSON.stringify({ ...JOB, title: 'A job', category_id: 1 })
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const client = async () => {
    while (!over.is) {
      const start = performance.now()
      const response = await fetch(`${url}/jobs.json`, { method: 'POST', body, headers })
      await response.arrayBuffer()
      taken.push(performance.now() - start)
      expect(response.status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return taken.toSorted((a, b) => a - b)
}

const p99 = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN

/** Speeds can be compared only on an idle machine, so the short form skips this. */
test.if(isLong)(
  'a backup of 250 MB at most doubles the p99 of creates',
  async () => {
    await withData(join(folder, 'data'), store => store.write(tables => fillTables(tables, JOBS, 64_000)))
    expect(statSync(join(folder, 'data/data.mdb')).size).toBeGreaterThan(250e6)
    const server = serve(folder)
    const url = await server.url()
    await times(url, Bun.sleep(WINDOW))
    const ratios: number[] = []
    while (ratios.length < TRIES && !(Math.min(...ratios) <= 2)) {
      const without = await times(url, Bun.sleep(WINDOW))
      const backup = new Corkboard(['backup', 'board.tar'], { folder })
      const during = await times(url, backup.end())
      expect(backup.err).toBe('')
      ratios.push(p99(during) / p99(without))
      report(
        `backup of 250 MB: p99 of ${during.length} creates ${p99(during).toFixed(1)} ms, ${p99(without).toFixed(1)} ms without; the longest ${during.at(-1)?.toFixed(0)} and ${without.at(-1)?.toFixed(0)} ms`,
      )
    }
    expect(Math.min(...ratios)).toBeLessThanOrEqual(2)
    await server.end('SIGTERM')
  },
  PATIENCE,
)
