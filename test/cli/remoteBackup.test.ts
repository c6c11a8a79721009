import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { TestBoard } from '../helpers/board.ts'
import { TestHost } from '../helpers/host.ts'
import { S3Server } from '../helpers/s3Server.ts'

let folder: string
let server: S3Server
let board: TestBoard

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-remote-'))
  server = new S3Server(join(folder, 's3'))
  board = await TestBoard.open()
  await board.account('ada@example.com', 'admin')
  writeFileSync(join(folder, 'key'), 'AKTEST\ntest-secret\n')
  writeFileSync(join(folder, 'secret'), 'b2'.repeat(32))
})
afterAll(async () => {
  await board.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command with the options of the server as variables. */
async function command(...args: string[]) {
  const host = new TestHost({
    variables: { CORKBOARD_S3_ENDPOINT: server.endpoint, CORKBOARD_S3_KEY_FILE: join(folder, 'key') },
  })
  const status = await run(COMMANDS, args, host)
  return { status, text: host.out + host.err }
}
const data = () => join(board.folder, 'data')
const encryption = () => ['--backup-key-file', join(folder, 'secret')]

test('a board is backed up to a bucket, also encrypted and under a name, listed, and restored', async () => {
  const first = await command('backup', 's3://backups/manual', '--data', data())
  expect(first).toEqual({
    status: 0,
    text: expect.stringMatching(
      /^Backed up the board to s3:\/\/backups\/manual\/corkboard-2026-01-10T18-21-59Z.tar \(logos: 0, bytes: \d+\).\n$/,
    ),
  })
  const named = await command(
    'backup',
    's3://backups/manual/before-move.tar',
    '--data',
    data(),
    ...encryption(),
  )
  expect([named.status, named.text]).toEqual([
    0,
    expect.stringContaining('s3://backups/manual/before-move.tar.enc ('),
  ])
  expect(server.objects).toEqual(['manual/before-move.tar.enc', 'manual/corkboard-2026-01-10T18-21-59Z.tar'])

  expect(await command('backups', 's3://backups/manual')).toEqual({
    status: 0,
    text: expect.stringMatching(
      /^2026-01-10T18:21:59\+00:00\t\d+\ts3:\/\/backups\/manual\/corkboard-2026-01-10T18-21-59Z.tar\n$/,
    ),
  })
  const message = (place: string) => ({
    status: 0,
    text: `Restored the board of 2026-01-10T18:21:59+00:00 to ${place}.\n`,
  })
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  expect(await command('restore', 's3://backups/manual', '--data', one)).toEqual(message(one))
  const source = 's3://backups/manual/before-move.tar.enc'
  expect(await command('restore', source, '--data', other, ...encryption())).toEqual(message(other))
  for (const place of [one, other])
    expect((await command('user', 'list', '--data', place)).text).toContain('ada@example.com')
})

test('an encrypted file is restored too', async () => {
  const file = join(folder, 'board.tar.enc')
  await Bun.write(file, Bun.file(server.pathOf('manual/before-move.tar.enc')))
  const target = join(folder, 'fromFile')
  expect(await command('restore', file, '--data', target)).toEqual({
    status: 1,
    text: `${file} is encrypted: name its key with --backup-key-file.\n`,
  })
  expect(readdirSync(target)).toEqual([])
  expect((await command('restore', file, '--data', target, ...encryption())).status).toBe(0)
})

test('what is wrong is told in a sentence, and changes nothing', async () => {
  const refused = async (...args: string[]) => (await command(...args)).text
  expect(await refused('restore', 's3://backups/manual', '--data', data())).toContain(`${data()} is in use`)
  const target = join(folder, 'none')
  expect(await refused('restore', 's3://backups/nothing', '--data', target)).toBe(
    'There is no backup at s3://backups/nothing/.\n',
  )
  expect(await refused('backup', 's3://backups/a b', '--data', data())).toStartWith(
    's3://backups/a b must be a bucket',
  )
  const local = join(folder, 'local.tar')
  for (const name of ['s3://backups/x.tar.enc', `${local}.enc`])
    expect((await command('backup', name, '--data', data())).status).toBe(2)
  expect(await refused('backup', local, '--data', data(), ...encryption())).toEndWith(
    `${local} is not encrypted: --backup-key-file is only for backups in a bucket.\n`,
  )
  expect(await refused('backups')).toBe('Name where the backups are: --backup-dir or --backup-s3.\n')
  expect(await refused('backups', 'here')).toBe('here must start with s3://.\n')
  server.keys['AKTEST'] = 'changed'
  const failed = `The S3 server ${new URL(server.endpoint).host} failed: the secret in --s3-key-file is wrong.\n`
  expect(await command('backup', 's3://backups/manual', '--data', data())).toEqual({
    status: 1,
    text: failed,
  })
  expect(readdirSync(data()).filter(name => name.startsWith('.'))).toEqual([])
  server.keys['AKTEST'] = 'test-secret'
})
