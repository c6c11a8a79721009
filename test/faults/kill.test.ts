import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from '../../src/store/store.ts'
import { PATIENCE, report, rounds } from './duration.ts'
import { Load, serve } from './load.ts'
import { findingsOf, lossesOf } from './losses.ts'
import { type Random, seeded } from './seeded.ts'

const CLIENTS = 8

let folder: string
let data: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-kill-'))
  data = join(folder, 'data')
})

afterEach(() => rm(folder, { recursive: true }))

/** Starts a server and clients that write, and kills the server after so many milliseconds. */
async function killWhileWriting(random: Random, after: number, preload?: string): Promise<Load> {
  const server = serve(folder, { ...(preload !== undefined && { preload }) })
  const load = new Load(await server.url(), random)
  await load.prepare()
  if (preload !== undefined) server.signal('SIGUSR2')
  const writing = load.run(CLIENTS)
  await Bun.sleep(after)
  await server.end('SIGKILL')
  await writing
  return load
}

test(
  'kill -9 at any moment loses no acknowledged write and leaves no partial one',
  async () => {
    const random = seeded(9)
    const count = rounds(3, 40)
    const ids: number[] = []
    let acknowledged = 0
    for (let round = 0; round < count; round++) {
      const load = await killWhileWriting(random, 300 + random(700))
      expect(await lossesOf(data, load)).toEqual([])
      acknowledged += load.acknowledged
      ids.push(...load.ids)
    }
    expect(new Set(ids).size).toBe(ids.length)
    // the next start sweeps the files of interrupted requests
    const server = serve(folder)
    await server.url()
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await findingsOf(data)).toBe('')
    report(`kill -9: ${count} rounds, ${acknowledged} acknowledged writes`)
  },
  PATIENCE,
)

test('detects a server that responds before it stores', async () => {
  const load = await killWhileWriting(seeded(1), 500, join(import.meta.dir, 'earlyResponse.ts'))
  expect(await lossesOf(data, load)).not.toBeEmpty()
})

test('detects each kind of loss', async () => {
  const load = await killWhileWriting(seeded(1), 300)
  const store = await Store.open(data)
  // Jobs with a request under way when the server was killed can be in more than one state.
  const [one, two] = [...load.jobs]
    .filter(([, { open, category }]) => open.length === 0 && load.categories.get(category) === 'there')
    .flatMap(([id]) => store.read.jobs.get(id) ?? [])
  await store.write(tables => {
    tables.jobs.remove(one?.id ?? 0)
    if (two) tables.jobs.update(two, { title: 'torn', logo: 'none' })
  })
  await store.close()
  load.ids.push(load.ids[0] ?? 0)
  expect(await lossesOf(data, load)).toEqual([
    expect.stringMatching(/^job \d+ is undefined, and should be /),
    expect.stringMatching(/^job \d+ is torn, and should be /),
    expect.stringMatching(/^job \d+ lacks its logo$/),
    'an id was assigned twice',
  ])
})
