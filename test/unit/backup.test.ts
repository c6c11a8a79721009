import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts'
import { createBackup } from '../../src/features/backups/actions.ts'
import { BackupFolder } from '../../src/features/backups/folder.ts'
import { restore } from '../../src/features/backups/restore.ts'
import { BackupSchedule } from '../../src/features/backups/schedule.ts'
import type { LogoFiles } from '../../src/images/logoFiles.ts'
import { Store } from '../../src/store/store.ts'
import { TlsFolder } from '../../src/tls/tlsFolder.ts'
import { type Account, type TestBoard } from '../helpers/board.ts'
import { addJob, allResponses, filledBoard } from '../helpers/filledBoard.ts'
import { BARE, formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

let board: TestBoard
let admin: Account
let folder: string
let file: string

beforeEach(async () => {
  ;({ board, admin } = await filledBoard())
  folder = await mkdtemp(join(tmpdir(), 'corkboard-backup-'))
  file = join(folder, 'board.tar')
})

afterEach(async () => {
  await board.close()
  await rm(folder, { recursive: true })
})

/** Where Linux lists the files that a process has open. */
const OPEN_FILES = '/proc/self/fd'

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const failureOf = async (work: Promise<unknown>) => String(await work.catch((error: unknown) => error))

/** Replaces the board by its restored backup. */
async function reopenRestored(): Promise<void> {
  await board.board.close()
  await rm(join(board.folder, 'data'), { recursive: true })
  await restore(file, join(board.folder, 'data'))
  board = await board.again()
}

describe('a backup', () => {
  test('contains the whole board: its restored copy responds byte for byte like the original', async () => {
    const before = await allResponses(board, admin)
    expect(await createBackup(board.board, file)).toEqual({
      size: statSync(file).size,
      logos: 2,
      hasDeletedData: false,
    })
    await addJob(board, admin, 9, true)
    await reopenRestored()
    expect(await allResponses(board, admin)).toEqual(before)
  })

  test('contains the logo of the board', async () => {
    await board.put('/settings.json', { as: admin, body: formOf({ logo: logoFile(png(3, 3)) }, BARE) })
    const { logo } = board.board.config
    await createBackup(board.board, file)
    await reopenRestored()
    expect([logo, (await board.get(`/logos/${logo}`)).status]).toEqual([board.board.config.logo, 200])
    expect(logo).not.toBe('')
  })

  test('contains the account and the certificate only on request', async () => {
    const tls = new TlsFolder(join(board.folder, 'data'))
    await tls.writeAccountKey(PRIVATE_KEY)
    await tls.writeCertificate({ cert: CERTIFICATE, key: PRIVATE_KEY }, 'https://ca.example/dir')
    await createBackup(board.board, file)
    expect(readFileSync(file).includes(PRIVATE_KEY)).toBeFalse()
    await createBackup({ ...board.board, tls }, file)
    await reopenRestored()
    const restored = join(board.folder, 'data', 'tls')
    expect(await tls.files()).toEqual([
      { name: 'tls/account.pem', text: PRIVATE_KEY },
      { name: 'tls/certificate.pem', text: expect.stringContaining(CERTIFICATE) },
    ])
    const paths = [restored, ...['account.pem', 'certificate.pem'].map(name => join(restored, name))]
    expect(paths.map(path => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o600])
  })

  test('is private, leaves no other files, and is recorded', async () => {
    await createBackup(board.board, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['board.tar'])
    const health = await board.get('/health.json', { as: admin })
    expect(await health.json()).toMatchObject({ status: 'ok', last_backup: '2026-01-10T18:21:59+00:00' })
    expect(await (await board.get('/health.json')).json()).not.toHaveProperty('last_backup')
  })

  // an open file that is deleted takes its space until the process ends
  test.if(existsSync(OPEN_FILES))('leaves no file open', async () => {
    const filesIn = (place: string) =>
      readdirSync(OPEN_FILES)
        .map(name => attempt(() => readlinkSync(join(OPEN_FILES, name))))
        .filter(path => path?.startsWith(place))
    await createBackup(board.board, file)
    expect(filesIn(folder)).toEqual([])
    expect(filesIn(board.folder)).not.toEqual([])
  })

  test('is a tar archive that other programs can read and verify', async () => {
    await createBackup(board.board, file)
    const run = (...command: string[]) => Bun.spawnSync(command, { cwd: folder }).exitCode
    expect(run('tar', 'xf', file)).toBe(0)
    expect(run('sha256sum', '--check', '--strict', '--quiet', 'SHA256SUMS')).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual([
      'SHA256SUMS',
      'backup.json',
      'board.tar',
      'data.mdb',
      'logos',
    ])
  })

  test('replaces an older backup, and nothing else', async () => {
    await createBackup(board.board, file)
    const { size } = statSync(file)
    await addJob(board, admin, 8, true)
    await createBackup(board.board, file)
    expect(statSync(file).size).toBeGreaterThan(size)
    const notes = join(folder, 'notes.txt')
    writeFileSync(notes, 'mine')
    mkdirSync(join(folder, 'sub'))
    expect(await failureOf(createBackup(board.board, notes))).toContain("isn't a backup. It was not changed.")
    expect(await failureOf(createBackup(board.board, join(folder, 'sub')))).toContain(
      "isn't a backup. It was not changed.",
    )
    expect(await failureOf(createBackup(board.board, join(board.folder, 'data/data.mdb')))).toContain(
      "isn't a backup.",
    )
    expect(readFileSync(notes, 'utf8')).toBe('mine')
  })

  test('leaves the old file if it is stopped or fails', async () => {
    await createBackup(board.board, file)
    const before = readFileSync(file)
    const gaveUp = AbortSignal.abort(new Error('enough'))
    expect(await failureOf(createBackup(board.board, file, gaveUp))).toContain('enough')
    expect(await failureOf(createBackup(board.board, join(folder, 'none/board.tar')))).toContain(
      'no such file or directory',
    )
    expect(readFileSync(file).equals(before)).toBeTrue()
    expect(readdirSync(folder)).toEqual(['board.tar'])
  })
})

describe('a logo that is removed during a backup', () => {
  /** Creates a backup, and deletes a job as soon as the records are copied. */
  async function backUpWhileDeleting(logos: LogoFiles) {
    const { store, clock } = board.board
    const copying = spyOn(store, 'copyTo').mockImplementationOnce(async into => {
      const isCompact = await Store.prototype.copyTo.call(store, into)
      expect((await board.delete('/jobs/2.json', { as: admin })).status).toBe(200)
      await Bun.sleep(20)
      return isCompact
    })
    await createBackup({ store, images: { logos }, clock }, file)
    copying.mockRestore()
  }

  const logoOf = (id: number) => board.board.store.read.jobs.get(id)?.logo ?? ''
  const isThere = (name: string) => existsSync(join(board.folder, 'data/logos', name))

  test('is in the backup, and is deleted after it', async () => {
    const name = logoOf(2)
    const before = await allResponses(board, admin)
    await backUpWhileDeleting(board.board.images.logos)
    expect(isThere(name)).toBeTrue()
    await board.board.images.logos.remove(name)
    expect(isThere(name)).toBeFalse()
    await reopenRestored()
    expect(await allResponses(board, admin)).toEqual(before)
  })

  test('would be lost without the lock', async () => {
    const name = logoOf(2)
    const unlocked = Object.create(board.board.images.logos, {
      preventRemoval: { value: async () => ({ release: () => {} }) },
    })
    await backUpWhileDeleting(unlocked)
    expect(isThere(name)).toBeFalse()
    await reopenRestored()
    expect(logoOf(2)).toBe(name)
    expect(isThere(name)).toBeFalse()
  })
})

describe('a restore', () => {
  const target = () => join(folder, 'data')

  beforeEach(async () => void (await createBackup(board.board, file)))

  test('detects any changed byte, and writes nothing', async () => {
    const whole = readFileSync(file)
    const places = Array.from({ length: 60 }, (_, step) => Math.floor((whole.length / 60) * step))
    const undetected: number[] = []
    for (const place of [...places, 0, 100, 600, whole.length - 1500]) {
      const broken = Buffer.from(whole)
      broken.writeUInt8(broken.readUInt8(place) ^ 1, place)
      writeFileSync(file, broken)
      const failure = await failureOf(restore(file, target()))
      if (!failure.startsWith('StoreError: ')) undetected.push(place)
    }
    expect(undetected).toEqual([])
    expect(existsSync(target())).toBeFalse()
  })

  test('detects a file that is cut off or too long', async () => {
    const { size } = statSync(file)
    for (const length of [0, 1, 512, 1024, 5000, size - 513, size - 1, size + 1, size + 1024]) {
      truncateSync(file, length)
      expect(await failureOf(restore(file, target()))).toContain("isn't a Corkboard backup, or it is damaged")
    }
    expect(existsSync(target())).toBeFalse()
  })

  test('refuses a directory that is not empty or in use, and does not change it', async () => {
    mkdirSync(target())
    writeFileSync(join(target(), 'notes.txt'), 'mine')
    expect(await failureOf(restore(file, target()))).toContain('is not empty: it contains notes.txt.')
    expect(readdirSync(target())).toEqual(['notes.txt'])
    const used = join(board.folder, 'data')
    expect(await failureOf(restore(file, used))).toContain('is in use by another Corkboard')
  })

  test('accepts a directory with only a .gitignore or lost+found', async () => {
    mkdirSync(join(target(), 'lost+found'), { recursive: true })
    writeFileSync(join(target(), '.gitignore'), '*')
    await restore(file, target())
    expect(readdirSync(join(target(), 'logos'))).toHaveLength(2)
    expect(statSync(join(target(), 'data.mdb')).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['that is not a backup', 'text', "isn't a Corkboard backup, or it is damaged"],
    ['that does not exist', undefined, 'no such file or directory'],
  ])('refuses a file %s', async (_, text, sentence) => {
    await rm(file)
    if (text !== undefined) writeFileSync(file, text.repeat(1000))
    expect(await failureOf(restore(file, target()))).toContain(sentence)
    expect(existsSync(target())).toBeFalse()
  })

  test('writes only into the data directory, whatever the file names in the archive', async () => {
    const evil = join(folder, 'evil')
    mkdirSync(join(evil, 'logos'), { recursive: true })
    Bun.spawnSync(['tar', 'xf', file], { cwd: evil })
    writeFileSync(join(folder, 'outside'), 'x')
    symlinkSync(join(folder, 'outside'), join(evil, 'logos/link'))
    Bun.spawnSync(
      ['tar', 'cf', file, '--format=ustar', 'backup.json', 'data.mdb', 'logos/link', 'SHA256SUMS'],
      { cwd: evil },
    )
    expect(await failureOf(restore(file, target()))).toContain("isn't a Corkboard backup")
    expect(existsSync(target())).toBeFalse()
  })
})

describe('the schedule', () => {
  const at = 3 * 60
  let schedule: BackupSchedule

  beforeEach(() => {
    schedule = new BackupSchedule(board.board, { folder: new BackupFolder(folder, 3) }, at)
  })

  afterEach(() => schedule.close())

  const files = () => readdirSync(folder).toSorted()

  test('creates a backup at once if there is none, then one a day, and keeps the newest', async () => {
    await schedule.runIfDue()
    expect(files()).toEqual(['corkboard-2026-01-10T18-21-59Z.tar'])
    board.clock.now = Date.UTC(2026, 0, 11, 2, 59, 59)
    await schedule.runIfDue()
    expect(files()).toHaveLength(1)
    for (let day = 11; day < 15; day++) {
      board.clock.now = Date.UTC(2026, 0, day, 3)
      await schedule.runIfDue()
      board.clock.now += HOUR
      await schedule.runIfDue()
    }
    expect(files()).toEqual([12, 13, 14].map(day => `corkboard-2026-01-${day}T03-00-00Z.tar`))
    await restore(join(folder, String(files()[2])), join(folder, 'data'))
  })

  test('leaves other files alone', async () => {
    const others = [
      'corkboard-2020-13-41T03-00-00Z.tar',
      'corkboard.tar',
      'notes.txt',
      'x-corkboard-2020-01-01T03-00-00Z.tar',
    ]
    for (const name of others) writeFileSync(join(folder, name), '')
    for (let day = 0; day < 5; day++) {
      await schedule.runIfDue()
      board.clock.now += DAY
    }
    expect(files()).toHaveLength(others.length + 3)
    expect(files()).toEqual(expect.arrayContaining(others))
  })

  test('logs a failure, keeps the old backups, and tries again', async () => {
    await schedule.runIfDue()
    board.clock.now += DAY
    const copying = spyOn(board.board.store, 'copyTo').mockRejectedValueOnce(new Error('no space'))
    await schedule.runIfDue()
    copying.mockRestore()
    await board.board.log.flush()
    expect(board.logged.join('\n')).toContain('no space')
    expect(files()).toHaveLength(1)
    board.clock.now += MINUTE
    await schedule.runIfDue()
    expect(files()).toHaveLength(2)
  })

  test('starts with the server, and stops', async () => {
    const into = join(folder, 'new')
    const own = new BackupSchedule(board.board, { folder: new BackupFolder(into, 3) }, at)
    own.makeFolder()
    own.start()
    await own.close()
    expect(readdirSync(into).filter(name => name.startsWith('.'))).toEqual([])
  })
})
