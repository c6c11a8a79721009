import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withData } from '../helpers/data.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { PATIENCE, report, rounds } from './duration.ts'
import { AUTHORIZATION, JOB, Load, serve } from './load.ts'
import { seeded } from './seeded.ts'

const REQUESTS = 24
const PICTURE = Uint8Array.from(png(2000, 2000))

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-stop-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** Sends many slow requests, ends the server while they run, and returns the responses. */
async function endUnderLoad(signal: NodeJS.Signals, after: number) {
  const server = serve(folder)
  const url = await server.url()
  await new Load(url, seeded(1)).prepare()
  let open = REQUESTS
  const responses = Array.from({ length: REQUESTS }, () => send(url).finally(() => open--))
  await Bun.sleep(after)
  const underWay = open
  const ended = server.end(signal)
  const statuses = await Promise.all(responses)
  return {
    status: await ended,
    statuses,
    underWay,
    stored: await withData(join(folder, 'data'), store => store.read.jobs.count),
  }
}

/** Returns the status of a complete response. */
async function send(url: string): Promise<number | 'broken'> {
  const form = formOf({ ...JOB, title: 'A job', category_id: '1', logo: logoFile(PICTURE) })
  try {
    const response = await fetch(`${url}/jobs.json`, {
      method: 'POST',
      body: form,
      headers: { authorization: AUTHORIZATION },
    })
    const body: unknown = await response.json()
    return body === null ? 'broken' : response.status
  } catch {
    return 'broken'
  }
}

test(
  'SIGTERM under load: every request that was accepted gets its complete response, and every acknowledged write is stored',
  async () => {
    const count = rounds(2, 20)
    let underWayCount = 0
    for (let round = 0; round < count; round++) {
      await rm(join(folder, 'data'), { recursive: true, force: true })
      // now all are accepted, and none of the last ones is done
      const { status, statuses, underWay, stored } = await endUnderLoad('SIGTERM', 60 + 5 * round)
      expect(status).toBe(0)
      expect(statuses.filter(each => each !== 201 && each !== 503)).toEqual([])
      expect(underWay).toBeGreaterThan(0)
      const created = statuses.filter(each => each === 201).length
      expect(created).toBeGreaterThan(0)
      expect(stored).toBe(created)
      underWayCount += underWay
    }
    report(`SIGTERM: ${count} rounds, ${underWayCount} requests under way, all with responses`)
  },
  PATIENCE,
)

test('detects a server that does not wait for running requests', async () => {
  const { statuses } = await endUnderLoad('SIGKILL', 60)
  expect(statuses).toContain('broken')
})

test('SIGTERM answers everybody who waits for changes', async () => {
  const server = serve(folder)
  const url = await server.url()
  await new Load(url, seeded(1)).prepare()
  const headers = { authorization: AUTHORIZATION }
  const list = await fetch(`${url}/categories.json`, { headers })
  const after = list.headers.get('x-change-seq') ?? ''
  let open = 0
  const waiting = Array.from({ length: 100 }, async () => {
    open++
    const response = await fetch(`${url}/changes.json?after=${after}&wait=30`, { headers })
    const { items, next } = (await response.json()) as { items: unknown[]; next: number } // as the interface says
    return [response.status, items.length, String(next)]
  })
  while (open < waiting.length) await Bun.sleep(1)
  // The last requests arrive.
  await fetch(`${url}/health.json`)
  await Bun.sleep(200)
  expect(await server.end('SIGTERM')).toBe(0)
  for (const answer of await Promise.all(waiting)) expect(answer).toEqual([200, 0, after])
})
