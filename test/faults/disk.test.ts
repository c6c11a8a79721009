import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { closeSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Corkboard } from '../helpers/process.ts'
import { PATIENCE, report, rounds } from './duration.ts'
import { AUTHORIZATION, Load, serve } from './load.ts'
import { findingsOf, lossesOf } from './losses.ts'
import { seeded } from './seeded.ts'

const MEBIBYTE = 2 ** 20
const DISK = 100
const run = (...command: string[]) => Bun.spawnSync(command).exitCode === 0

/** Whether this user can mount a small disk to fill. Otherwise the tests are skipped. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount()

function tryMount(): boolean {
  const place = join(tmpdir(), `corkboard-mount-${process.pid}`)
  const isMounted = run('mkdir', place) && run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place)
  if (isMounted) run('umount', place)
  run('rmdir', place)
  return isMounted
}

let folder: string
let disk: string
let server: Corkboard

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-disk-'))
  disk = join(folder, 'disk')
  run('mkdir', disk)
  if (mayMount) run('mount', '-t', 'tmpfs', '-o', `size=${DISK}m`, 'tmpfs', disk)
})

afterEach(async () => {
  await server.end('SIGKILL')
  if (mayMount) run('umount', disk)
  await rm(folder, { recursive: true })
})

const free = () => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

/** Fills the disk until so many bytes are free. */
function fill(left: number) {
  const file = openSync(join(disk, 'ballast'), 'a')
  try {
    while (free() > left) writeSync(file, Buffer.alloc(Math.min(MEBIBYTE, free() - left), 1))
  } finally {
    closeSync(file)
  }
}

const empty = () => unlinkSync(join(disk, 'ballast'))

const post = (url: string) =>
  fetch(`${url}/categories.json`, {
    method: 'POST',
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Another ${crypto.randomUUID()}` }),
  })

describe.if(mayMount)('a full disk (needs the right to mount)', () => {
  test(
    'refuses what would be stored, goes on reading, and takes it again when there is space',
    async () => {
      server = serve(disk)
      const url = await server.url()
      const load = new Load(url, seeded(5))
      await load.prepare()
      expect((await post(url)).status).toBe(201)
      const count = rounds(2, 20)
      for (let round = 0; round < count; round++) {
        fill(round % 2 === 0 ? 60 * MEBIBYTE : 0)
        const refused = await post(url)
        expect(refused.status).toBe(507)
        expect(await refused.json()).toEqual({
          error: expect.stringContaining('The disk is full: nothing was stored.'),
        })
        expect((await fetch(`${url}/jobs.json`)).status).toBe(200)
        empty()
        expect((await post(url)).status).toBe(201)
      }
      expect(await server.end('SIGTERM')).toBe(0)
      expect(await findingsOf(join(disk, 'data'))).toBe('')
      report(`disk full: ${count} rounds`)
    },
    PATIENCE,
  )

  test(
    'that fills while many write ends no process and loses nothing',
    async () => {
      server = serve(disk)
      const url = await server.url()
      const load = new Load(url, seeded(6))
      await load.prepare()
      const writing = load.run(8)
      const count = rounds(2, 20)
      for (let round = 0; round < count; round++) {
        await Bun.sleep(150)
        fill(0)
        await Bun.sleep(100)
        empty()
      }
      load.stop()
      await writing
      expect((await post(url)).status).toBe(201)
      expect(await server.end('SIGTERM')).toBe(0)
      expect(await lossesOf(join(disk, 'data'), load)).toEqual([])
      report(`disk full under load: ${count} times, ${load.acknowledged} acknowledged writes`)
    },
    PATIENCE,
  )

  test('would be written to the last byte without the check of free space', async () => {
    server = serve(disk, { preload: join(import.meta.dir, 'fakeDiskSpace.ts') })
    const url = await server.url()
    await new Load(url, seeded(5)).prepare()
    fill(30 * MEBIBYTE)
    expect((await post(url)).status).toBe(201)
  })
})
