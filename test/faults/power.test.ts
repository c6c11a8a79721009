import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from '../../src/store/store.ts'
import { PATIENCE, report, rounds } from './duration.ts'
import { type Random, seeded } from './seeded.ts'
import { type Event, readTrace, tracing } from './trace.ts'

const SECTOR = 512

/** Whether strace is installed. Otherwise these tests are skipped. */
const mayTrace =
  Bun.which('strace') !== null &&
  Bun.spawnSync(['strace', '-f', '-qq', '-o', '/dev/null', 'true']).exitCode === 0

/** The disk after a power failure, and the output until then. */
interface Remains {
  readonly image: Buffer
  readonly output: string
}

/** Simulates a power failure at event `end`: unsynced writes are on disk in part, or not at all. */
function replay(events: readonly Event[], end: number, random: Random, believesSyncs: boolean): Remains {
  const disk = new Disk()
  let output = ''
  for (const [number, event] of events.slice(0, end).entries()) {
    if (event.kind === 'output') output += event.text
    else if (event.kind === 'write')
      // the last call may not have finished
      disk.write(event.at, event.bytes, believesSyncs && event.isDurable && number < end - 1)
    else if (believesSyncs) disk.sync()
  }
  return { image: disk.remains(random), output }
}

class Disk {
  private image = Buffer.alloc(0)
  private pending: { at: number; bytes: Buffer }[] = []

  write(at: number, bytes: Buffer, isDurable: boolean) {
    if (isDurable) this.apply(at, bytes)
    else this.pending.push({ at, bytes })
  }

  sync() {
    for (const { at, bytes } of this.pending) this.apply(at, bytes)
    this.pending = []
  }

  /** Writes or loses each unsynced sector. */
  remains(random: Random): Buffer {
    const share = random(101)
    for (const { at, bytes } of this.pending)
      for (let from = 0; from < bytes.length; from += SECTOR)
        if (random(100) < share) this.apply(at + from, bytes.subarray(from, from + SECTOR))
    return this.image
  }

  private apply(at: number, bytes: Buffer) {
    if (at + bytes.length > this.image.length)
      this.image = Buffer.concat([this.image, Buffer.alloc(at + bytes.length - this.image.length)])
    bytes.copy(this.image, at)
  }
}

/** Returns acknowledged writes that are lost, and partial ones. */
async function lossesOf({ image, output }: Remains, data: string): Promise<string[]> {
  mkdirSync(data)
  writeFileSync(join(data, 'data.mdb'), image)
  try {
    const store = await Store.open(data)
    try {
      const torn = store.read.jobs.all().filter(({ description }) => !/^x+$/.test(description))
      return [
        ...store.findIntegrityErrors().map(({ message: what }) => what),
        ...torn.map(({ id }) => `job ${id} is torn`),
        ...lost(store, output),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [String(error)]
  } finally {
    await rm(data, { recursive: true })
  }
}

function* lost({ read }: Store, output: string) {
  const ids = (word: string) =>
    [...output.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, id]) => Number(id))
  const going = new Set(ids('going'))
  for (const id of ids('there')) if (!going.has(id) && !read.jobs.has(id)) yield `job ${id} is lost`
  for (const id of ids('gone')) if (read.jobs.has(id)) yield `job ${id} is back`
}

describe.if(mayTrace)('a power failure (needs strace)', () => {
  let folder: string
  let events: Event[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corkboard-power-'))
    const [trace, data] = [join(folder, 'trace'), join(folder, 'data')]
    const writer = [process.execPath, join(import.meta.dir, 'writer.ts'), data, String(rounds(40, 400))]
    const { exitCode, stderr } = Bun.spawnSync([...tracing(trace), ...writer], { stderr: 'pipe' })
    if (exitCode !== 0) throw new Error(String(stderr))
    events = readTrace(trace, join(data, 'data.mdb'))
  }, PATIENCE)

  afterAll(() => rm(folder, { recursive: true }))

  async function crash(times: number, believesSyncs: boolean) {
    const random = seeded(times)
    const first = events.findIndex(({ kind }) => kind === 'output')
    const losses: string[] = []
    for (let time = 0; time < times; time++) {
      const end = first + 1 + random(events.length - first)
      const found = await lossesOf(replay(events, end, random, believesSyncs), join(folder, `crash-${time}`))
      losses.push(...found.map(loss => `at ${end}: ${loss}`))
    }
    return losses
  }

  test('replaying the whole trace gives the written file', async () => {
    const { image } = replay(events, events.length, seeded(1), true)
    const file = Buffer.from(await Bun.file(join(folder, 'data/data.mdb')).bytes())
    expect(image.equals(file)).toBeTrue()
  })

  test(
    'nothing that was acknowledged is lost, and nothing is torn',
    async () => {
      const times = rounds(60, 2000)
      expect(await crash(times, true)).toEqual([])
      const acknowledged = events.filter(
        event => event.kind === 'output' && event.text.startsWith('there'),
      ).length
      report(`power loss: ${times} times, in a trace of ${acknowledged} acknowledged writes`)
    },
    PATIENCE,
  )

  test(
    'a disk that takes syncs for done would be found out',
    async () => {
      expect(await crash(40, false)).not.toBeEmpty()
    },
    PATIENCE,
  )
})
