import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Corkboard, corkboard, EXECUTABLE } from '../helpers/process.ts'

/** Folders in which the executable can't unpack its native code, by the reason. */
const MOUNTS = { noexec: 'noexec,size=64m', 'read-only': 'ro,size=64m', full: 'size=1m' } as const

let folder: string
let data: string

const run = (...command: string[]) => Bun.spawnSync(command).exitCode === 0
const mount = (options: string, place: string) =>
  run('mount', '-t', 'tmpfs', '-o', options, 'corkboard-test', place)

const canMount = await (async () => {
  const place = await mkdtemp(join(tmpdir(), 'corkboard-mount-'))
  const can = mount('noexec', place)
  if (can) run('umount', place)
  await rm(place, { recursive: true })
  return can
})()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-temporary-'))
  if (!canMount) return
  for (const [name, options] of Object.entries(MOUNTS)) {
    mkdirSync(join(folder, name))
    mount(options, join(folder, name))
  }
})
afterAll(async () => {
  if (canMount) for (const name of Object.keys(MOUNTS)) run('umount', join(folder, name))
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  data = await mkdtemp(join(folder, 'data-'))
})

const inFolder = (name: string) => ({ program: EXECUTABLE, variables: { TMPDIR: join(folder, name) } })

// the names of tests that require a mount say why they are skipped
const NEEDS = canMount ? '' : ' (needs the right to mount a tmpfs)'

describe.each([
  ['missing', true],
  ['noexec', canMount],
  ['read-only', canMount],
  ['full', canMount],
] as const)(`a TMPDIR that is %s${NEEDS}`, (name, isPossible) => {
  test.if(isPossible)('does not affect commands without native code', async () => {
    for (const args of [['--version'], ['--help'], ['help', 'import']])
      expect(await corkboard(args, inFolder(name))).toMatchObject({ status: 0, err: '' })
  })

  test.if(isPossible)('is skipped by a server and its image process, and no files are left', async () => {
    const flags = ['--sample', '--port', '0', '--data', data]
    const server = new Corkboard(['serve', ...flags], inFolder(name))
    try {
      const [job] = (await (await fetch(`${await server.url()}/jobs.json`)).json()) as Job[] // as the interface says
      const image = await fetch(job?.preview_image_url ?? '')
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    } finally {
      expect(await server.end('SIGTERM')).toBe(0)
    }
    expect(await corkboard(['check', '--data', data], inFolder(name))).toMatchObject({ status: 0, err: '' })
    expect(readdirSync(data).filter(each => each.startsWith('.'))).toEqual([])
  })

  test.if(isPossible)('is skipped by an import from a URL', async () => {
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('[]') })
    try {
      const args = ['import', other.url.href, '--data', data]
      expect(await corkboard(args, inFolder(name))).toEqual({ status: 0, out: 'Imported 0 rows.\n', err: '' })
    } finally {
      await other.stop(true)
    }
  })
})

type Job = { readonly preview_image_url: string }

const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
const canUnshare = canMount && run('unshare', '--mount', 'true') && run(...NOBODY, 'true')

/** Makes all temporary folders unusable, in a separate name space, for a user without rights. */
test.if(canUnshare)('says what to set if no folder can be used (needs root, unshare and setpriv)', () => {
  const places = ['/tmp', '/var/tmp', '/dev/shm']
  const covered = places.map(place => `mount -t tmpfs -o noexec,mode=1777 corkboard-test ${place}`)
  const serve = [...NOBODY, '/mnt/corkboard', 'serve', '--data', '/tmp/data', '--port', '0'].join(' ')
  const script = ['mount --bind "$0" /mnt', ...covered, `exec ${serve}`].join(' && ')
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ['unshare', '--mount', 'sh', '-c', script, dirname(EXECUTABLE)],
    { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } },
  )
  const message = stderr.toString()
  expect([exitCode, stdout.toString(), message.split('\n').length]).toEqual([1, '', 2])
  for (const place of [...places, '/tmp/data']) expect(message).toContain(`${place} (`)
  expect(message).toContain('Set TMPDIR to a folder that exists')
})
