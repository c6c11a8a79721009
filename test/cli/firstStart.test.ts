import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basic } from '../helpers/board.ts'
import { Corkboard, corkboard } from '../helpers/process.ts'

let folder: string
let taken: Bun.Server<undefined>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-first-'))
  taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  mkdirSync(join(folder, 'pages'))
  writeFileSync(join(folder, 'pages/list.liquid'), '{% if %}')
  mkdirSync(join(folder, 'folders/card.liquid'), { recursive: true })
  writeFileSync(join(folder, 'file'), '')
})
afterEach(async () => {
  await taken.stop(true)
  await rm(folder, { recursive: true })
})

const passwordIn = (out: string) => /^ {2}admin@localhost\n {2}([a-z2-9]{20})$/m.exec(out)?.[1]

test.each<[string, () => string[], string]>([
  ['a template is broken', () => ['--pages-dir', 'pages'], 'list.liquid'],
  [
    'a template is a folder',
    () => ['--pages-dir', 'folders'],
    'Something went wrong while running the server: EISDIR',
  ],
  ['the folder of backups is below a file', () => ['--backup-dir', 'file/backups'], 'file/backups'],
  ['the port is taken', () => ['--port', String(taken.port)], 'the port is in use'],
])('shows a password that works after a first start that failed because %s', async (_, flags, sentence) => {
  const failed = await corkboard(['--port', '0', ...flags()], { folder })
  expect(failed).toMatchObject({ status: 1, out: '', err: expect.stringContaining(sentence) })
  const server = new Corkboard(['--port', '0'], { folder })
  try {
    const url = await server.url()
    const authorization = basic('admin@localhost', passwordIn(server.out) ?? '')
    const users = await fetch(`${url}/users.json`, { headers: { authorization } })
    expect(await users.json()).toMatchObject([{ id: 1, email: 'admin@localhost', role: 'admin' }])
  } finally {
    await server.end('SIGKILL')
  }
})

test('the help explains the default administrator', async () => {
  const { out } = await corkboard(['help', 'serve'])
  expect(out).toContain('CORKBOARD_ADMIN_EMAIL')
  expect(out).toContain('(if both are unset: admin@localhost)')
  expect(out).toContain('(if both are unset: generated and shown once)')
  // one of the two alone is an error
  const variables = { CORKBOARD_ADMIN_EMAIL: 'ada@example.com' }
  expect(await corkboard(['--port', '0'], { folder, variables })).toMatchObject({ status: 2, out: '' })
})
