import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, timestamp } from '../../src/base/clock.ts'
import { TableReader } from '../../src/store/tableReader.ts'
import { START, type TestBoard } from '../helpers/board.ts'
import { withData } from '../helpers/data.ts'
import { addJob, filledBoard } from '../helpers/filledBoard.ts'
import { idsOf } from '../helpers/responses.ts'

let board: TestBoard
afterEach(() => board.close())

const dataOf = () => join(board.folder, 'data')
const fileOf = () => Bun.file(join(dataOf(), 'jobs.index'))
const find = (q: string) => idsOf(board.get(`/jobs.json?q=${q}`))

/** Opens a board with jobs, and stops it. Returns its administrator. */
async function stopped(jobs = 4) {
  const filled = await filledBoard(jobs)
  board = filled.board
  await find('job')
  await board.board.close()
  return filled.admin
}

/** Reopens the board, and returns the ids of the jobs that are read until the first search is answered, or "all". */
async function readUntilSearch(): Promise<number[] | 'all'> {
  const get = spyOn(TableReader.prototype, 'get')
  const batches = spyOn(TableReader.prototype, 'batches')
  try {
    board = await board.again()
    await board.board.search.search('job')
    const { jobs } = board.board.store.read
    if (batches.mock.contexts.some(table => table === jobs)) return 'all'
    return get.mock.calls.flatMap(([id], at) => (get.mock.contexts[at] === jobs && id !== null ? [id] : []))
  } finally {
    get.mockRestore()
    batches.mockRestore()
  }
}

describe('After an orderly stop', () => {
  test('no job is read, and lists and searches are as before', async () => {
    await stopped()
    const { summaries } = board.board.jobIndex.state
    const before = [...summaries]
    expect(await readUntilSearch()).toEqual([])
    expect(board.board.jobIndex.all).toEqual(before)
    expect(await idsOf(board.get('/jobs.json'))).toEqual([4, 3, 2, 1])
    expect(await find('job')).toEqual([4, 3, 2, 1])
    await board.board.log.flush()
    expect(board.logged.filter(line => line.includes('warn'))).toEqual([])
  })

  test('the indexes follow further changes', async () => {
    const admin = await stopped()
    board = await board.again()
    await addJob(board, admin, 5, false)
    await board.delete('/jobs/2.json', { as: admin })
    await board.put('/jobs/1.json', { as: admin, body: { title: 'Night nurse' } })
    expect(await find('nurse')).toEqual([1])
    board = await board.reopen()
    expect(await find('job')).toEqual([5, 4, 3])
    expect(await find('nurse')).toEqual([1])
    expect(await idsOf(board.get('/jobs.json'))).toEqual([5, 4, 3, 1])
  })

  test('a change immediately before the stop is found', async () => {
    const { board: opened, admin } = await filledBoard(2)
    board = opened
    // A thread that is not ready yet would leave the changes to the next start.
    await find('job')
    await board.put('/jobs/1.json', { as: admin, body: { title: 'Night nurse' } })
    await board.board.close()
    expect(await readUntilSearch()).toEqual([])
    expect(await find('nurse')).toEqual([1])
  })

  test('jobs that were published or expired while the board was stopped are found or not', async () => {
    const { board: opened, admin } = await filledBoard(2)
    board = opened
    const body = { expires_at: timestamp(START + 2 * DAY) }
    expect((await board.put('/jobs/1.json', { as: admin, body })).status).toBe(200)
    await addJob(board, admin, 3, false)
    const { store } = board.board
    await store.write(({ jobs }) => {
      const job = jobs.get(3)
      if (job) jobs.update(job, { publishAt: START + 3 * DAY, publishedAt: START + 3 * DAY })
    })
    expect(await find('job')).toEqual([2, 1])
    await board.board.close()
    board.clock.now = START + 4 * DAY
    board = await board.again()
    expect(new Set(await find('job'))).toEqual(new Set([2, 3]))
    // The index itself has them, too.
    expect((await board.board.search.search('job')).ids.toSorted()).toEqual(Float64Array.of(2, 3))
  })
})

describe('All jobs are read if', () => {
  test('the board was not stopped, but its process was killed', async () => {
    const { board: running } = await filledBoard(3)
    board = running
    await find('job')
    const copy = join(board.folder, 'killed')
    await cp(dataOf(), copy, { recursive: true })
    await withData(copy, store => expect(store.seal).toBeUndefined())
  })

  test('another process has written since', async () => {
    await stopped(3)
    await withData(dataOf(), async store => {
      expect(store.seal).toBeString()
      await store.write(({ jobs }) => {
        const job = jobs.get(2)
        if (job) jobs.update(job, { title: 'Night nurse' })
      })
      expect(store.seal).toBeUndefined()
    })
    expect(await readUntilSearch()).toBe('all')
    expect(await find('nurse')).toEqual([2])
    expect(await find('job')).toEqual([3, 1])
  })

  test('a program wrote that leaves the seal', async () => {
    await stopped(3)
    await withData(dataOf(), async store => {
      const { seal } = store
      await store['databases'].env.childTransaction(() => void store['databases'].meta.put('other', 1))
      expect(store.seal).toBeString()
      expect(store.seal).not.toBe(seal)
    })
    expect(await readUntilSearch()).toBe('all')
    expect(await find('job')).toEqual([3, 2, 1])
  })

  test('the clock was set back', async () => {
    await stopped(3)
    board.clock.now = START - DAY
    expect(await readUntilSearch()).toBe('all')
  })

  test('the file is missing', async () => {
    await stopped(3)
    await fileOf().delete()
    expect(await readUntilSearch()).toBe('all')
    expect(await find('job')).toEqual([3, 2, 1])
  })

  test('the file is damaged, with one warning', async () => {
    await stopped(3)
    const bytes = await fileOf().bytes()
    await Bun.write(fileOf(), bytes.with(bytes.length - 20, 1))
    expect(await readUntilSearch()).toBe('all')
    await board.board.log.flush()
    expect(board.logged.filter(line => line.includes('the job index is being rebuilt'))).toHaveLength(1)
  })

  test("the search index's file is missing, and then they are indexed", async () => {
    await stopped(3)
    await Bun.file(join(dataOf(), 'search.index')).delete()
    expect(await readUntilSearch()).toEqual(expect.arrayContaining([1, 2, 3]))
    expect(await find('job')).toEqual([3, 2, 1])
  })
})

test('A search index that misses a job is compared with all jobs at the next start', async () => {
  const { board: opened } = await filledBoard(3)
  board = opened
  await find('job')
  board.board.search['hasFailed'] = true
  await board.board.search['thread'].request({ put: [], remove: [2] })
  await board.board.close()
  expect(await readUntilSearch()).toEqual([2])
  expect(await find('job')).toEqual([3, 2, 1])
})
