import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { rows } from '../../src/features/imports/rowCount.ts'
import * as diskSpace from '../../src/store/diskSpace.ts'
import { type Account, BASE_URL, type TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, logosIn, openFixtureBoard } from '../helpers/fixtures.ts'
import { csv, jsonLines, ROW } from '../helpers/importFolder.ts'
import { png } from '../helpers/pictures.ts'
import { until } from '../helpers/process.ts'
import { fieldErrors, jsonList, jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard
let admin: Account
beforeEach(async () => {
  fixture = await openFixtureBoard()
  ;({ test: board, admin } = fixture)
})
afterEach(() => board.close())

const JSON_LINES = { 'content-type': 'application/x-ndjson' }
const NO_DESCRIPTION = { ...ROW, title: 'Shepherd', description: '' }

const send = (body: string | FormData, query = '', headers: Record<string, string> = JSON_LINES) =>
  board.post(`/imports.json${query}`, {
    as: admin,
    body,
    headers: body instanceof FormData ? {} : headers,
  })

const read = (id: number) => jsonObject(board.get(`/imports/${id}.json`, { as: admin }))

/** Waits until the newest import has ended, and returns it. */
async function ended() {
  await until(() => !board.board.tasks.isRunning('import'))
  const [newest] = await jsonList(board.get('/imports.json', { as: admin }))
  return newest ?? {}
}

async function imported(...sending: Parameters<typeof send>) {
  const response = await send(...sending)
  expect(response.status).toBe(202)
  return await ended()
}

const titles = () => board.board.store.read.jobs.all().map(({ title }) => title)
const nothingCreated = { count: 0, names: [] }
const hiddenIn = (folder: string) =>
  readdirSync(join(folder, 'data')).filter(name => name.startsWith('.corkboard'))

describe('an import', () => {
  test('stores every row, and says what it created', async () => {
    const response = await send(jsonLines(ROW, { ...ROW, title: 'Shepherd', term: 'full TIME' }))
    expect(response.status).toBe(202)
    const { id } = await jsonObject(response)
    expect(response.headers.get('location')).toBe(`${BASE_URL}/imports/${Number(id)}.json`)
    await ended()
    expect(await read(Number(id))).toEqual({
      id: 1,
      file: null,
      status: 'done',
      dry_run: false,
      keep_going: false,
      progress: 100,
      rows: 2,
      imported: 2,
      refused: 0,
      skipped: 0,
      errors: [],
      created: {
        categories: { count: 1, names: ['Land & Animals'] },
        terms: { count: 1, names: ['Full-time'] },
        plans: nothingCreated,
        archived_plans: { count: 1, names: ['Imported'] },
        administrators: nothingCreated,
        users: nothingCreated,
        subscribers: nothingCreated,
      },
      message: 'Imported 2 rows.',
      started_at: '2026-01-10T18:21:59+00:00',
      ended_at: '2026-01-10T18:21:59+00:00',
    })
    expect(titles()).toEqual(['Beekeeper', 'Shepherd'])
    expect(await jsonList(board.get('/jobs.json?q=beekeeper'))).toHaveLength(1)
    expect(hiddenIn(board.folder)).toEqual([])
  })

  test.each([
    ['application/json', JSON.stringify([ROW])],
    ['application/x-ndjson; charset=utf-8', jsonLines(ROW)],
    ['text/csv', csv(';', '\r\n', ROW)],
  ])('takes a body of %s', async (type, body) => {
    expect(await imported(body, '?plan=Basic', { 'content-type': type })).toMatchObject({
      status: 'done',
      imported: 1,
      created: { archived_plans: nothingCreated },
    })
    expect(board.board.store.read.jobs.get(1)).toMatchObject({ title: 'Beekeeper', planId: 1 })
  })

  test('takes the file of a form, with the options as other fields', async () => {
    const form = new FormData()
    form.append('dry_run', 'true')
    form.append('file', new File([csv(',', '\n', ROW, NO_DESCRIPTION)], 'Jobs "2026".csv'))
    form.append('plan', 'Basic')
    expect(await imported(form)).toMatchObject({
      file: 'Jobs "2026".csv',
      dry_run: true,
      status: 'done',
      imported: 0,
      refused: 1,
      message: '1 of 2 rows can be imported.',
      errors: [
        {
          row: 'Line 5',
          title: 'Shepherd',
          message: 'description is required.',
          errors: { description: ['is required'] },
        },
      ],
    })
    expect(titles()).toEqual([])
  })

  test('stores nothing if a row has errors, unless it keeps going', async () => {
    const file = `${jsonLines(ROW, NO_DESCRIPTION)}{"title":\n`
    expect(await imported(file)).toMatchObject({
      status: 'failed',
      rows: 3,
      imported: 0,
      refused: 2,
      message: 'Nothing was imported: 2 of 3 rows have errors.',
      errors: [
        { row: 'Line 2', title: 'Shepherd' },
        { row: 'Line 3', title: null, errors: {} },
      ],
    })
    expect(titles()).toEqual([])
    expect(await imported(file, '?keep_going=true')).toMatchObject({
      status: 'done',
      imported: 1,
      refused: 2,
      message: 'Imported 1 of 3 rows.',
    })
    expect(titles()).toEqual(['Beekeeper'])
    expect(await imported(jsonLines(NO_DESCRIPTION), '?keep_going=true')).toMatchObject({
      status: 'failed',
      message: 'Nothing was imported: 1 of 1 row has errors.',
    })
  })

  test('shows at most a hundred errors, and counts the others', async () => {
    const { refused, errors } = await imported('{}\n'.repeat(150), '?keep_going=1')
    expect([refused, (errors as unknown[]).length]).toEqual([150, 100])
  })

  test('leaves out accounts and subscribers, unless it is asked for them, and names new administrators', async () => {
    const since = { created_at: '2026-01-01T00:00:00Z', confirmed: true }
    const file = jsonLines(
      { corkboard: 'user', email: 'boss@example.com', role: 'admin', ...since },
      { corkboard: 'user', email: 'new@example.com', role: 'user', ...since },
      { corkboard: 'subscriber', email: 'reader@example.com', ...since },
      ROW,
    )
    const accounts = () => board.board.store.read.users.count
    expect(await imported(file)).toMatchObject({ rows: 4, imported: 1, skipped: 3 })
    expect(accounts()).toBe(3)
    expect(await imported(file, '?with_accounts=true')).toMatchObject({
      imported: 4,
      created: {
        administrators: { count: 1, names: ['boss@example.com'] },
        users: { count: 1, names: ['new@example.com'] },
        subscribers: { count: 1, names: ['reader@example.com'] },
      },
      message:
        'Imported 4 rows. New administrators: boss@example.com. New accounts have no password: their owners can reset it.',
    })
    expect(accounts()).toBe(5)
  })

  test('of an export restores the jobs of a board with their logos', async () => {
    const logo = `data:image/png;base64,${Buffer.from(png(8, 8)).toString('base64')}`
    await imported(jsonLines({ ...ROW, logo }))
    expect(logosIn(board.folder)).toHaveLength(1)
    const text = await (await board.get('/export.jsonl', { as: admin })).text()
    const other = await openFixtureBoard()
    await other.test.post('/imports.json', { as: other.admin, body: text, headers: JSON_LINES })
    await until(() => !other.test.board.tasks.isRunning('import'))
    const jobs = (from: TestBoard) =>
      from.board.store.read.jobs.all().map(job => ({ ...job, logo: '', categoryId: 0 }))
    expect(jobs(other.test)).toEqual(jobs(board))
    expect(logosIn(other.test.folder)).toHaveLength(1)
    await other.test.close()
  })

  test('that fails or is a dry run leaves no logo behind', async () => {
    const logo = Buffer.from(png(8, 8)).toString('base64')
    await imported(jsonLines({ ...ROW, logo }, NO_DESCRIPTION))
    await imported(jsonLines({ ...ROW, logo }), '?dry_run=true')
    expect(logosIn(board.folder)).toEqual([])
    expect(
      await imported(jsonLines({ ...ROW, logo }, { ...ROW, logo: 'no' }), '?keep_going=true'),
    ).toMatchObject({ imported: 1, refused: 1, errors: [{ row: 'Line 2' }] })
    expect(logosIn(board.folder)).toHaveLength(1)
  })
})

describe('while an import runs', () => {
  const MANY = jsonLines(...Array.from({ length: 3000 }, (_, at) => ({ ...ROW, title: `Job ${at}` })))

  test('no other starts, and its progress can be read', async () => {
    expect((await send(MANY)).status).toBe(202)
    const response = await send(jsonLines(ROW))
    expect([response.status, (await jsonObject(response))['error']]).toEqual([
      409,
      'Another import is running. Please wait until it has ended.',
    ])
    const seen = new Set<unknown>()
    while (board.board.tasks.isRunning('import')) {
      seen.add((await read(1))['status'])
      await Bun.sleep(1)
    }
    expect([...seen].slice(0, 2)).toEqual(['checking', 'storing'])
    expect(await read(1)).toMatchObject({ status: 'done', imported: 3000, progress: 100 })
    expect(await statusOf(send(jsonLines(ROW)))).toBe(202)
    await ended()
  })

  test('others are served, and see more and more jobs', async () => {
    await send(MANY)
    const counts: number[] = []
    while (board.board.tasks.isRunning('import')) {
      counts.push(Number((await board.get('/jobs.json?per_page=1')).headers.get('x-total-count')))
      await Bun.sleep(0)
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(counts).size).toBeGreaterThan(10)
  })

  test('a stop of the server ends it, and the log says so', async () => {
    await send(MANY)
    await until(() => titles().length > 0)
    await board.board.close()
    const log = board.logged.join('\n')
    expect(log).toContain('"import ended","import":1,"status":"failed"')
    board = await board.again()
    const stored = titles().length
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThan(3000)
    expect(log).toContain(`"imported":${stored}`)
  })

  test('it ends if its account loses the role', async () => {
    await send(MANY)
    await until(() => titles().length > 0)
    await board.account('other-admin@example.com', 'admin')
    await board.put(`/users/${admin.id}.json`, { as: admin, body: { role: 'user' } })
    await until(() => !board.board.tasks.isRunning('import'))
    const [last] = await jsonList(
      board.get('/imports.json', { as: await board.account('third@example.com', 'admin') }),
    )
    expect(last).toMatchObject({ status: 'failed', imported: titles().length })
    expect(last?.['message']).toBe(`Your account has changed. Imported ${rows(titles().length)} before that.`)
  })

  test('a row that becomes invalid is left out', async () => {
    const { categories } = board.board.store.read
    await send(jsonLines(...Array.from({ length: 3000 }, () => ({ ...ROW, category: '', category_id: 1 }))))
    await until(() => titles().length > 0)
    await board.delete('/categories/1.json', { as: admin })
    expect(categories.get(1)).toBeUndefined()
    const { imported: count, refused } = await ended()
    expect(Number(count) + Number(refused)).toBe(3000)
    expect(Number(refused)).toBeGreaterThan(0)
    expect(titles()).toEqual([])
  })
})

describe('a file is refused', () => {
  test.each([
    ['of another type', 'x', { 'content-type': 'text/plain' }, 415],
    ['without a type', 'x', { 'content-type': '' }, 415],
    ['that is compressed', 'x', { ...JSON_LINES, 'content-encoding': 'gzip' }, 415],
    ['that says to be too large', 'x', { ...JSON_LINES, 'content-length': String(2 ** 27) }, 413],
    ['of an unknown format', 'Beekeeper, bees', JSON_LINES, 422],
    ['that is empty', '', JSON_LINES, 422],
    ['in a form without an end', '--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
    ['in a form without a boundary', 'x', { 'content-type': 'multipart/form-data' }, 400],
  ])('%s', async (_, body, headers, status) => {
    expect(await statusOf(send(body, '', headers))).toBe(status)
    expect(board.board.tasks.isRunning('import')).toBeFalse()
    expect(hiddenIn(board.folder)).toEqual([])
    expect(await jsonList(board.get('/imports.json', { as: admin }))).toEqual([])
  })

  test('with an unknown option', async () => {
    expect(await fieldErrors(send(jsonLines(ROW), '?dry_run=perhaps'))).toEqual({
      dry_run: ['must be true or false'],
    })
    const form = new FormData()
    form.append('file', new File([jsonLines(ROW)], 'x'))
    form.append('keep_going', 'perhaps')
    expect(await fieldErrors(send(form))).toEqual({ keep_going: ['must be true or false'] })
  })

  test('without a file in its form', async () => {
    const form = new FormData()
    form.append('plan', 'Basic')
    expect(await fieldErrors(send(form))).toEqual({ file: ['is required'] })
  })

  test('that the disk has no space for', async () => {
    const freeSpace = spyOn(diskSpace, 'freeSpace').mockReturnValue(diskSpace.MIN_FREE_SPACE)
    expect(await statusOf(send(jsonLines(ROW)))).toBe(507)
    freeSpace.mockRestore()
    expect(await imported(jsonLines(ROW))).toMatchObject({ status: 'done' })
  })
})

test('the last ten imports are remembered', async () => {
  for (let at = 0; at < 12; at++) await imported(jsonLines(ROW), '?dry_run=true')
  const all = await jsonList(board.get('/imports.json', { as: admin }))
  expect(all.map(({ id }) => id)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  expect(await statusOf(board.get('/imports/2.json', { as: admin }))).toBe(404)
})

test.each([
  ['/imports.json', 'The file'],
  ['/sources/ats/sync.json', 'The set'],
])('a file for %s that finds no place in the data directory is refused', async (path, name) => {
  const { folder } = board.board.store
  renameSync(folder, `${folder}-away`)
  try {
    const response = await board.post(path, { as: admin, body: jsonLines(ROW), headers: JSON_LINES })
    expect(response.status).toBe(507)
    expect(await jsonObject(response)).toMatchObject({
      error: `${name} can't be stored in the data directory. Check its disk space and its permissions.`,
    })
  } finally {
    renameSync(`${folder}-away`, folder)
  }
  expect(titles()).toEqual([])
})
