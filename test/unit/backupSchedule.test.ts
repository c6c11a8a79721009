import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, HOUR } from '../../src/base/clock.ts'
import { backupFolderOf } from '../../src/features/backups/folder.ts'
import { RemoteBackups } from '../../src/features/backups/remote.ts'
import { restoreFromS3 } from '../../src/features/backups/restoreSource.ts'
import { BackupSchedule } from '../../src/features/backups/schedule.ts'
import { TestBoard } from '../helpers/board.ts'
import { MailServer } from '../helpers/mail.ts'
import { parseMetrics } from '../helpers/metrics.ts'
import { S3Server } from '../helpers/s3Server.ts'

let folder: string
let server: S3Server
let mail: MailServer
let board: TestBoard
let schedule: BackupSchedule

/** Opens a board that uploads its backups. */
async function open(...flags: string[]) {
  const place = ['--backup-s3', 's3://backups/daily', '--s3-endpoint', server.endpoint]
  board = await TestBoard.open(...place, '--s3-key-file', join(folder, 'key'), ...mail.flags, ...flags)
  const { config } = board.board
  const location = config.backupS3
  if (!location) throw new Error('the option is missing')
  const remote = new RemoteBackups(location, config, 1)
  schedule = new BackupSchedule(board.board, { folder: backupFolderOf(config), remote }, 3 * 60)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-schedule-'))
  writeFileSync(join(folder, 'key'), 'AKTEST\ntest-secret\n')
  server = new S3Server(join(folder, 's3'))
  mail = await MailServer.start()
})
afterEach(async () => {
  await schedule.close()
  await board.close()
  await mail.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function health() {
  const admin = await board.account(`${crypto.randomUUID()}@example.com`, 'admin')
  return (await (await board.get('/health.json', { as: admin })).json()) as Record<string, unknown>
}

test('a board uploads a backup every day, once, without a folder of its own', async () => {
  await open()
  await schedule.runIfDue()
  await schedule.runIfDue()
  expect(server.objects).toEqual(['daily/corkboard-2026-01-10T18-21-59Z.tar'])
  expect(await health()).toMatchObject({
    status: 'ok',
    last_backup: '2026-01-10T18:21:59+00:00',
    last_upload: '2026-01-10T18:21:59+00:00',
    backup_problem: null,
  })
  board.clock.now += DAY
  await schedule.runIfDue()
  expect(server.objects).toHaveLength(2)
  expect(readdirSync(join(board.folder, 'data')).filter(name => name.startsWith('.'))).toEqual([])
})

test('the backup in the folder is the one that is uploaded, encrypted, and can be restored', async () => {
  writeFileSync(join(folder, 'secret'), 'a1'.repeat(32))
  await open('--backup-dir', join(folder, 'local'), '--backup-key-file', join(folder, 'secret'))
  schedule.makeFolder()
  await board.account('ada@example.com', 'admin')
  await schedule.runIfDue()
  expect(readdirSync(join(folder, 'local'))).toEqual(['corkboard-2026-01-10T18-21-59Z.tar'])
  expect(server.objects).toEqual(['daily/corkboard-2026-01-10T18-21-59Z.tar.enc'])
  const { config } = board.board
  const location = config.backupS3 ?? { bucket: '', prefix: '', file: '' }
  await restoreFromS3(location, join(folder, 'restored/data'), config)
  const restored = await TestBoard.at(join(folder, 'restored'))
  expect(restored.board.store.read.users.all().map(({ email }) => email)).toEqual(['ada@example.com'])
  await restored.board.close()
})

test('a failure is logged, shown, counted, mailed once a day, and tried again', async () => {
  await open()
  await board.account('ada@example.com', 'admin')
  await board.account('bob@example.com')
  server.bucket = undefined
  const reason = `The S3 server ${new URL(server.endpoint).host} failed: the bucket "backups" doesn't exist.`
  for (let hours = 0; hours < 23; hours++) {
    await schedule.runIfDue()
    board.clock.now += HOUR
  }
  await board.board.mail.whenIdle()
  const failed = () => mail.mails.filter(({ text }) => text.includes(reason.slice(0, 30)))
  expect(failed().map(({ envelope }) => envelope.to)).toEqual([['ada@example.com']])
  expect(failed()[0]?.header('Subject')).toBe('The backup of Corkboard failed')
  expect((await health())['backup_problem']).toBe(reason)
  const admin = await board.account('eve@example.com', 'admin')
  expect(await (await board.get('/backups.json', { as: admin })).json()).toMatchObject({
    schedule: null,
    upload: { to: 's3://backups/daily/', encrypted: false, last_upload: null, problem: reason },
  })
  const metrics = parseMetrics(await (await board.get('/metrics')).text())
  expect(metrics.get('corkboard_backup_failures_total')?.samples.get('corkboard_backup_failures_total')).toBe(
    23,
  )
  await board.board.log.flush()
  expect(board.logged.filter(line => line.includes('"backup failed"'))).toHaveLength(23)
  expect(board.logged.join('')).not.toContain('test-secret')

  board.clock.now += 2 * HOUR
  await schedule.runIfDue()
  await board.board.mail.whenIdle()
  expect(failed().filter(({ envelope }) => envelope.to.includes('ada@example.com'))).toHaveLength(2)
  server.bucket = 'backups'
  await schedule.runIfDue()
  expect(server.objects).toHaveLength(1)
  expect((await health())['backup_problem']).toBeNull()
})

test('backups from the future, when the clock was wrong, neither stop the daily one nor remove it', async () => {
  const local = join(folder, 'local')
  await open('--backup-dir', local, '--backup-keep', '1')
  schedule.makeFolder()
  const now = board.clock.now
  board.clock.now = Date.UTC(2030, 0, 1)
  await schedule.runIfDue()
  board.clock.now = now
  await schedule.runIfDue()
  await schedule.runIfDue()
  const name = 'corkboard-2026-01-10T18-21-59Z.tar'
  expect(readdirSync(local)).toEqual([name])
  expect(server.objects).toEqual([`daily/${name}`, 'daily/corkboard-2030-01-01T00-00-00Z.tar'])
})

test('a folder that fails does not keep a backup from the bucket, nor old files in it', async () => {
  const local = join(folder, 'local')
  await open('--backup-dir', local)
  schedule.makeFolder()
  await schedule.runIfDue()
  await rm(local, { recursive: true })
  writeFileSync(local, 'not a folder')
  board.clock.now += DAY
  await schedule.runIfDue()
  expect(server.objects).toHaveLength(2)
  expect((await health())['backup_problem']).toContain(local)
  const admin = await board.account('ada@example.com', 'admin')
  const listed = await board.get('/backups.json', { as: admin })
  expect([listed.status, await listed.text()]).toEqual([
    409,
    expect.stringContaining(`${local} can't be used`),
  ])
})

test('an upload that could not be read back is made again', async () => {
  await open()
  server.fault = ({ method, headers }) => (method === 'GET' && headers.has('range') ? 'SlowDown' : undefined)
  await schedule.runIfDue()
  expect(server.objects).toEqual([])
  // The server can't even remove it.
  server.fault = ({ method, headers }) =>
    (method === 'GET' && headers.has('range')) || method === 'DELETE' ? 'SlowDown' : undefined
  await schedule.runIfDue()
  expect(server.objects).toHaveLength(1)
  server.fault = () => undefined
  board.clock.now += HOUR
  await schedule.runIfDue()
  await schedule.runIfDue()
  // Of a day's backups, the newest is kept.
  expect(server.objects).toEqual(['daily/corkboard-2026-01-10T19-21-59Z.tar'])
  expect((await health())['backup_problem']).toBeNull()
})

test('closing stops an upload, without a failure', async () => {
  await open()
  const reached = Promise.withResolvers<void>()
  server.fault = request => {
    if (request.method === 'PUT') reached.resolve()
    return request.method === 'PUT' ? 'SlowDown' : undefined
  }
  schedule.start()
  await reached.promise
  await schedule.close()
  await board.board.log.flush()
  expect(board.logged.join('')).not.toContain('backup failed')
  expect(server.objects).toEqual([])
})
