import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '../../src/base/clock.ts'
import { restore } from '../../src/features/backups/restore.ts'
import { writeExport } from '../../src/features/exports/lines.ts'
import * as diskSpace from '../../src/store/diskSpace.ts'
import type { Account, TestBoard } from '../helpers/board.ts'
import { addJob, allResponses, filledBoard } from '../helpers/filledBoard.ts'
import { insertJobs } from '../helpers/fixtures.ts'
import { until } from '../helpers/process.ts'
import { jsonObject } from '../helpers/responses.ts'

let board: TestBoard
let admin: Account

const openBoard = async () => {
  ;({ board, admin } = await filledBoard())
}
beforeEach(openBoard)
afterEach(() => board.close())

const get = (path: string) => board.get(path, { as: admin })
const settings = (body: object) => board.put('/settings.json', { as: admin, body })

/** Waits until no download is in progress. */
const ended = () =>
  until(() => ['export', 'backup download'].every(kind => !board.board.tasks.isRunning(kind)))

const exported = async () => {
  const { store, images } = board.board
  let text = ''
  await writeExport({ store, logos: images.logos }, async part => (text += part))
  return text
}

describe('an export', () => {
  test('is what the command writes', async () => {
    const response = await get('/export.jsonl')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const text = await response.text()
    expect(text).toBe(await exported())
    expect(text.split('\n')).toHaveLength(4 + 1 + 4 + 1)
  })

  test('is of one moment, whatever changes meanwhile', async () => {
    const { store, images } = board.board
    await insertJobs(
      board.board,
      Array.from({ length: 300 }, () => ({ description: 'x'.repeat(1000) })),
    )
    const before = await exported()
    let text = ''
    await writeExport({ store, logos: images.logos }, async part => {
      if (text === '')
        await store.write(({ jobs, categories }) => {
          for (const { id } of jobs.all()) jobs.remove(id)
          categories.insert({ name: 'Later' })
        })
      text += part
    })
    expect(text).toBe(before)
    expect(await exported()).not.toBe(before)
  })
})

test.each([
  ['/export.jsonl', 'cafe-jobs-2026-01-10.jsonl'],
  ['/backup.tar', 'cafe-jobs-2026-01-10.tar'],
])('%s is named after the board and the day, also for HEAD', async (path, name) => {
  await settings({ name: 'Café & Jobs!' })
  const head = await board.request('HEAD', path, { as: admin })
  expect(await head.text()).toBe('')
  const response = await get(path)
  for (const header of ['content-disposition', 'content-type', 'cache-control', 'x-content-type-options'])
    expect(head.headers.get(header)).toBe(response.headers.get(header))
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  await settings({ name: '求人' })
  expect((await board.request('HEAD', path, { as: admin })).headers.get('content-disposition')).toContain(
    '"corkboard-2026-01-10.',
  )
})

describe.each(['/export.jsonl', '/backup.tar'])('one client at a time can download %s', path => {
  const expectOthersRefused = async () => {
    const refused = await get(path)
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }

  test('until it has read everything', async () => {
    const first = await get(path)
    await expectOthersRefused()
    await first.bytes()
    await ended()
    expect((await get(path)).status).toBe(200)
  })

  test('until it disconnects', async () => {
    const first = await get(path)
    await first.body?.cancel()
    await ended()
    expect((await get(path)).status).toBe(200)
  })

  test('until the board closes, which ends the download', async () => {
    const response = await get(path)
    await board.board.close()
    expect(await response.bytes().catch(String)).toContain('The board is stopping.')
    board = await board.again()
  })

  test('and leaves no file behind', async () => {
    const names = () => readdirSync(join(board.folder, 'data')).filter(name => name.startsWith('.'))
    const response = await get(path)
    expect(names()).toEqual([])
    await response.bytes()
  })

  test('if the disk has space for it', async () => {
    const freeSpace = spyOn(diskSpace, 'freeSpace').mockReturnValue(diskSpace.MIN_FREE_SPACE)
    try {
      const response = await get(path)
      expect(response.status).toBe(507)
    } finally {
      freeSpace.mockRestore()
    }
    expect((await get(path)).status).toBe(200)
  })
})

test('a backup that was downloaded restores the board, and counts as the last one once it was read', async () => {
  const before = await allResponses(board, admin)
  const file = join(board.folder, 'board.tar')
  const response = await get('/backup.tar')
  const lastBackup = async () => (await jsonObject(get('/backups.json')))['last_backup']
  expect(await lastBackup()).toBeNull()
  writeFileSync(file, await response.bytes())
  await ended()
  expect(await lastBackup()).toBe('2026-01-10T18:21:59+00:00')
  await addJob(board, admin, 9, true)
  await board.board.close()
  rmSync(join(board.folder, 'data'), { recursive: true })
  await restore(file, join(board.folder, 'data'))
  board = await board.again()
  expect(await allResponses(board, admin)).toEqual(before)
})

describe('the list of backups', () => {
  const make = () => board.post('/backups.json', { as: admin })
  const folder = () => join(board.folder, 'backups')

  test('is empty on a board without a folder, which makes none', async () => {
    expect(await jsonObject(get('/backups.json'))).toEqual({
      schedule: null,
      upload: null,
      last_backup: null,
      backups: [],
    })
    const response = await make()
    expect(response.status).toBe(409)
    expect((await jsonObject(response))['error']).toContain('--backup-dir')
  })

  test('has each with its size, and the schedule', async () => {
    mkdirSync(folder())
    board = await board.reopen('--backup-dir', folder(), '--backup-at', '20:30', '--backup-keep', '2')
    expect(await jsonObject(get('/backups.json'))).toMatchObject({
      schedule: { folder: folder(), at: '20:30', keep: 2, next_at: '2026-01-10T20:30:00+00:00' },
      backups: [],
    })
    for (let at = 0; at < 3; at++) {
      const response = await make()
      expect(response.status).toBe(201)
      expect(await jsonObject(response)).toEqual({
        file: `corkboard-2026-01-10T18-2${at + 1}-59Z.tar`,
        size: expect.any(Number),
        created_at: `2026-01-10T18:2${at + 1}:59+00:00`,
      })
      board.clock.now += MINUTE
    }
    const { backups, last_backup: last } = await jsonObject(get('/backups.json'))
    expect(backups).toMatchObject([
      { created_at: '2026-01-10T18:23:59+00:00' },
      { created_at: '2026-01-10T18:22:59+00:00' },
    ])
    expect(last).toBe('2026-01-10T18:23:59+00:00')
    expect(readdirSync(folder())).toHaveLength(2)
  })

  test('says why a backup fails, and what to wait for', async () => {
    mkdirSync(folder())
    board = await board.reopen('--backup-dir', folder())
    const [first, second] = await Promise.all([make(), make()])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([201, 503])
    rmSync(folder(), { recursive: true })
    const response = await make()
    expect([response.status, (await jsonObject(response))['error']]).toEqual([
      409,
      expect.stringContaining('no such file or directory'),
    ])
    expect(existsSync(folder())).toBeFalse()
    expect(await jsonObject(get('/backups.json'))).toMatchObject({ backups: [] })
  })
})
