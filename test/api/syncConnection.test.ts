import { afterEach, beforeEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { type Account, TestBoard } from '../helpers/board.ts'
import { REQUIRED_FIELDS, waitUntil } from '../helpers/fixtures.ts'

let board: TestBoard
let server: Bun.Server<undefined>
let admin: Account
beforeEach(async () => {
  ;({ board, server } = await TestBoard.serve())
  admin = await board.account('admin@example.com', 'admin')
  await board.board.store.write(({ categories, terms, plans }) => {
    categories.insert({ name: 'Health' })
    terms.insert({ name: 'Contract' })
    const plan = { price: 0, period: 30, highlight: false, badge: false, pin: false, archived: false }
    plans.insert({ ...plan, name: 'Basic' })
  })
  const set = postings(1, 8)
  await board.post('/sources/ats/sync.json', { as: admin, body: set })
})
afterEach(async () => {
  await server.stop(true)
  await board.close()
})

const postings = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ ...REQUIRED_FIELDS, external_id: from + at }))
const openJobs = () => board.board.store.read.jobs.all().filter(job => job.closedAt === null)
const runs = () => board.board.store.read.sourceRuns.all()
const isIdle = () => !board.board.tasks.isRunning('sync ats')

/** Begins a request whose body has this many bytes, and sends a part of it. */
async function begin(length: number | 'chunked', part: string): Promise<Socket> {
  const socket = connect(server.port ?? 0, '127.0.0.1')
  const size = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`
  const head = [
    'POST /sources/ats/sync.json HTTP/1.1',
    'host: board',
    `authorization: ${admin.authorization}`,
    'content-type: application/x-ndjson',
    size,
    '\r\n',
  ]
  await new Promise<void>(resolve => socket.write(head.join('\r\n') + part, () => resolve()))
  return socket
}

const lines = (set: readonly object[]) => set.map(row => `${JSON.stringify(row)}\n`).join('')

test.each([
  ['a Content-Length', 100_000, lines(postings(1, 6))],
  ['chunks', 'chunked', `${lines(postings(1, 6)).length.toString(16)}\r\n${lines(postings(1, 6))}\r\n`],
] as const)(
  'a client that hangs up in the middle of a body with %s changes nothing',
  async (_, length, part) => {
    const socket = await begin(length, part)
    await waitUntil(() => !isIdle())
    socket.destroy()
    await waitUntil(() => isIdle() && runs().length === 2)
    expect(openJobs()).toHaveLength(8)
    expect(runs()[1]).toMatchObject({
      failed: true,
      updated: 0,
      closed: 0,
      message: 'The body is incomplete.',
    })
  },
)

test('a client that hangs up while the set is stored closes nothing', async () => {
  const set = lines(postings(1001, 3000))
  const force = { ...postings(1, 1)[0], external_id: 1 }
  const body = set + lines([force])
  const socket = await begin(Buffer.byteLength(body), body)
  await waitUntil(() => openJobs().length > 20)
  socket.destroy()
  await waitUntil(() => isIdle() && runs().length === 2)
  const [, run] = runs()
  expect(run).toMatchObject({ failed: true, closed: 0 })
  expect(run?.message).toMatch(
    /^The connection was closed before the end\. \d+ jobs were changed before that\.$/,
  )
  expect(board.board.store.read.jobs.get(2)?.closedAt).toBeNull()
  expect(board.board.store.findIntegrityErrors()).toEqual([])
})

test('a board that stops in the middle closes nothing, and the next run does the rest', async () => {
  const set = [...postings(1001, 2000), ...postings(5, 8)]
  const sync = board.post('/sources/ats/sync.json', { as: admin, body: set })
  await waitUntil(() => openJobs().length > 20)
  const [stopped] = await Promise.all([sync, board.board.tasks.close()])
  expect(stopped.status).toBe(503)
  expect(runs()[1]).toMatchObject({ failed: true, closed: 0 })
  board = await board.reopen('--base-url', `http://127.0.0.1:${server.port}`)
  const again = await board.post('/sources/ats/sync.json', { as: admin, body: set })
  expect(await again.json()).toMatchObject({ closed: 4, refused: [] })
  expect(openJobs()).toHaveLength(1004)
})
