import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../helpers/process.ts'

const EXECUTABLE = join(import.meta.dir, '../../dist/corkboard')
const SECRET = 'correct horse battery'
const PNG = Buffer.from('\x89PNG\r\n', 'latin1')

let folder: string
let server: Bun.Subprocess<'ignore', Bun.BunFile, Bun.BunFile>

const written = (name: string) => Bun.file(join(folder, name)).text()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-executable-'))
  server = Bun.spawn([EXECUTABLE, 'serve', '--sample', '--port', '0'], {
    cwd: folder,
    env: { CORKBOARD_ADMIN_EMAIL: 'ada@example.com', CORKBOARD_ADMIN_PASSWORD: SECRET, OTHER: SECRET },
    stdout: Bun.file(join(folder, 'out')),
    stderr: Bun.file(join(folder, 'err')),
  })
})
afterEach(async () => {
  server.kill('SIGKILL')
  await server.exited
  await rm(folder, { recursive: true })
})

async function url(): Promise<string> {
  let out = ''
  await until(() => {
    void written('out').then(text => (out = text))
    return /listens on \S+/.test(out) || server.exitCode !== null
  })
  return /listens on (\S+)/.exec(out)?.[1] ?? `none: ${await written('err')}`
}

test('draws the preview image of every sample job, alone in an empty folder', async () => {
  const jobs = (await (await fetch(`${await url()}/jobs.json`)).json()) as { preview_image_url: string }[] // as the interface says
  expect(jobs.length).toBeGreaterThan(20)
  const images = await Promise.all(
    jobs.map(async job => Buffer.from(await (await fetch(job.preview_image_url)).bytes())),
  )
  for (const image of images) expect(image.subarray(0, PNG.length)).toEqual(PNG)
  expect(new Set(images.map(image => Bun.hash(image))).size).toBe(jobs.length)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await written('err')).not.toContain('"error"')
  expect((await readdir(folder)).sort()).toEqual(['data', 'err', 'out'])
})

/** Returns the child processes of a process on Linux. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

test.if(existsSync(`/proc/self/task/${process.pid}/children`))(
  'The process that draws images has nothing of the environment of the server, where its secrets are',
  async () => {
    const jobs = (await (await fetch(`${await url()}/jobs.json`)).json()) as { preview_image_url: string }[] // as the interface says
    expect((await fetch(jobs[0]?.preview_image_url ?? '')).status).toBe(200)
    const children = childrenOf(server.pid)
    expect(children).toHaveLength(1)
    expect(readFileSync(`/proc/${children[0]}/cmdline`, 'utf8')).toContain('paint-cards')
    const environment = readFileSync(`/proc/${children[0]}/environ`, 'utf8').split('\0').filter(Boolean)
    const names = environment.map(variable => variable.split('=')[0] ?? '')
    // Bun sets some variables for the connection of the two processes
    expect(names.filter(name => !name.startsWith('NODE_CHANNEL_'))).toEqual(['TMPDIR'])
    expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).toContain(SECRET)
  },
)
