import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { START, type TestBoard } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  logosIn,
  openFixtureBoard,
  REQUIRED_FIELDS,
  waitUntil,
} from '../helpers/fixtures.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { idsOf, jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeEach(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
})
afterEach(() => board.close())

async function postWithLogo(fields: object): Promise<number> {
  const body = formOf({ ...REQUIRED_FIELDS, ...fields, logo: logoFile() })
  const { id } = await jsonObject(board.post('/jobs.json', { as: fixture.owner, body }))
  return Number(id)
}

const COLUMNS = [
  ['categories', 'category', 'category_id', 'categoryId'],
  ['terms', 'term', 'term_id', 'termId'],
] as const

describe.each(COLUMNS)('when one of the %s is deleted', (path, noun, field, column) => {
  test('all its jobs are deleted, whatever their state, with their logos, and others stay', async () => {
    const withLogo = await postWithLogo({ [field]: 2 })
    const keptJob = await postWithLogo({ [field]: 1 })
    const ids = await insertJobs(board.board, [
      { [column]: 2, expiresAt: START },
      { [column]: 2, pending: true },
      { [column]: 2, userId: fixture.other.id },
      { [column]: 1, pending: true },
    ])
    const waiting = Number(ids.at(-1))
    const logo = String((await jsonObject(board.get(`/jobs/${keptJob}.json`)))['logo'])
    expect(logosIn(board.folder)).toHaveLength(2)

    const response = await board.delete(`/${path}/2.json`, { as: fixture.admin })
    expect(response.status).toBe(200)
    const { message } = await jsonObject(response)
    expect(message).toContain(noun)
    expect(message).toContain('4 jobs')

    for (const id of [withLogo, ...ids.slice(0, -1)])
      expect(await statusOf(board.get(`/jobs/${id}.json`, { as: fixture.admin }))).toBe(404)
    const all = await idsOf(board.get('/jobs.json?status=all', { as: fixture.admin }))
    expect(new Set(all)).toEqual(new Set([keptJob, waiting]))
    expect(await idsOf(board.get('/jobs.json'))).toEqual([keptJob])
    expect(await idsOf(board.get('/jobs.json?q=nurse'))).toEqual([keptJob])
    expect(await idsOf(board.get(`/jobs.json?${noun}=2`))).toEqual([])
    expect(await idsOf(board.get(`/${path}.json`, { as: fixture.admin }))).toEqual([1])
    await waitUntil(() => logosIn(board.folder).length === 1)
    expect(await statusOf(board.get(new URL(logo).pathname))).toBe(200)
  })

  test.each([
    [0, '0 jobs'],
    [1, '1 job '],
    [2, '2 jobs'],
  ])('the message for %i jobs is %j', async (count, words) => {
    await insertJobs(
      board.board,
      Array.from({ length: count }, () => ({ [column]: 2 })),
    )
    const { message } = await jsonObject(board.delete(`/${path}/2.json`, { as: fixture.admin }))
    expect(message).toContain(words)
  })

  test('nothing comes back after a restart, and no id is reused', async () => {
    const { id: lost } = await jsonObject(
      board.post('/jobs.json', { as: fixture.owner, body: { ...REQUIRED_FIELDS, [field]: 2 } }),
    )
    await board.delete(`/${path}/2.json`, { as: fixture.admin })
    const before = dump(board)
    board = await board.reopen()
    expect(dump(board)).toEqual(before)
    const label = await jsonObject(
      board.post(`/${path}.json`, { as: fixture.admin, body: { name: 'Later' } }),
    )
    expect(label['id']).toBe(3)
    const job = await jsonObject(
      board.post('/jobs.json', { as: fixture.owner, body: { ...REQUIRED_FIELDS, [field]: 3 } }),
    )
    expect(job['id']).toBe(Number(lost) + 1)
  })

  test('a job that was moved away before stays', async () => {
    const [id] = await insertJobs(board.board, [{ [column]: 2, userId: fixture.owner.id }])
    await board.put(`/jobs/${id}.json`, { as: fixture.owner, body: { [field]: 1 } })
    const { message } = await jsonObject(board.delete(`/${path}/2.json`, { as: fixture.admin }))
    expect(message).toContain('0 jobs')
    expect(await statusOf(board.get(`/jobs/${id}.json`))).toBe(200)
  })
})

test('an account’s jobs stay without an owner when it is deleted', async () => {
  const [id] = await insertJobs(board.board, [{ userId: fixture.owner.id }])
  const hidden = await insertJobs(board.board, [{ userId: fixture.owner.id, pending: true }])
  const before = await jsonObject(board.get(`/jobs/${id}.json`))
  const response = await board.delete(`/users/${fixture.owner.id}.json`, { as: fixture.admin })
  expect(await jsonObject(response)).toEqual({ message: expect.stringContaining(fixture.owner.email) })
  expect(await jsonObject(board.get(`/jobs/${id}.json`))).toEqual(before)
  for (const job of [id, ...hidden])
    expect(await jsonObject(board.get(`/jobs/${job}.json`, { as: fixture.admin }))).toMatchObject({
      user: null,
    })
  // a new account with the old address is a different account
  await board.account(fixture.owner.email)
  expect(await statusOf(board.put(`/jobs/${id}.json`, { as: fixture.owner, body: { title: 'x' } }))).toBe(403)
  expect(await idsOf(board.get('/jobs.json?mine=1', { as: fixture.owner }))).toEqual([])
})

test('no id is ever reused, even if the last one was deleted and the board reopened', async () => {
  const NEW = {
    categories: { name: 'x' },
    terms: { name: 'x' },
    plans: { name: 'x' },
    users: USER,
    jobs: REQUIRED_FIELDS,
  }
  for (const [path, body] of Object.entries(NEW)) {
    const add = async () =>
      Number((await jsonObject(board.post(`/${path}.json`, { as: fixture.admin, body })))['id'])
    const first = await add()
    await board.delete(`/${path}/${first}.json`, { as: fixture.admin })
    const second = await add()
    await board.delete(`/${path}/${second}.json`, { as: fixture.admin })
    board = await board.reopen()
    expect([second, await add()]).toEqual([first + 1, first + 2])
  }
})

const USER = { email: 'x@example.com', password: 'long enough' }

test('deleting a job deletes its logo', async () => {
  const id = await postWithLogo({})
  const { message } = await jsonObject(board.delete(`/jobs/${id}.json`, { as: fixture.owner }))
  expect(message).toContain('deleted')
  await waitUntil(() => logosIn(board.folder).length === 0)
  expect(await statusOf(board.delete(`/jobs/${id}.json`, { as: fixture.owner }))).toBe(404)
})

test('a logo that a crash left without a job is deleted at the next start; others stay', async () => {
  await postWithLogo({})
  await board.board.images.logos.write({ bytes: new Uint8Array([1]) })
  expect(logosIn(board.folder)).toHaveLength(2)
  board = await board.reopen()
  expect(logosIn(board.folder)).toHaveLength(1)
})
