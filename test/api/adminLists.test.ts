import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { fieldErrors, jsonList } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
  await insertJobs(board.board, [
    {},
    { categoryId: 2, pending: true },
    { categoryId: 2, expiresAt: 0, planId: 2 },
    { categoryId: null, termId: null, planId: null, submittedAt: null },
  ])
  for (const email of ['Zoë@Example.org', 'anna@harbour.example', 'hanna@example.com'])
    await board.post('/subscribers.json', { body: { email } })
})
afterAll(() => board.close())

describe.each(['/users.json', '/subscribers.json'])('the list %s', path => {
  const emails = async (query: string) =>
    (await jsonList(board.get(path + query, { as: fixture.admin }))).map(({ email }) => email)

  test('finds a part of an address, in any case', async () => {
    const all = await emails('')
    const part = String(all[1]).slice(1, 5)
    const expected = all.filter(email => String(email).includes(part))
    expect(await emails(`?q=${part.toUpperCase()}`)).toEqual(expected)
    expect(expected.length).toBeLessThan(all.length)
    expect(await emails('?q=+')).toEqual(all)
    expect(await emails('?q=nobody')).toEqual([])
  })

  test('has pages of what it finds, whose links repeat the search', async () => {
    const response = await board.get(`${path}?q=example&per_page=1&page=2`, { as: fixture.admin })
    expect(response.headers.get('x-total-count')).toBe('3')
    expect(response.headers.get('link')).toContain(`${path}?q=example&per_page=1&page=3>; rel="next"`)
    expect(await jsonList(response)).toHaveLength(1)
  })

  test('refuses a search that is longer than any address', async () =>
    expect(await fieldErrors(board.get(`${path}?q=${'x'.repeat(255)}`, { as: fixture.admin }))).toEqual({
      q: ['is too long: at most 254 characters, and it has 255'],
    }))
})

test('subscribers are found by letters of any language', async () => {
  const found = await jsonList(board.get('/subscribers.json?q=ZO%C3%8B', { as: fixture.admin }))
  expect(found.map(({ email }) => email)).toEqual(['zoë@example.org'])
})

test('accounts and subscribers can be filtered by whether their address is confirmed', async () => {
  const count = async (path: string) => (await jsonList(board.get(path, { as: fixture.admin }))).length
  expect(await count('/subscribers.json?email_confirmed=true')).toBe(0)
  await board.put('/subscribers/1.json', { as: fixture.admin, body: { email_confirmed: true } })
  expect(await count('/subscribers.json?email_confirmed=true')).toBe(1)
  expect(await count('/subscribers.json?email_confirmed=false')).toBe(2)
  expect(await count('/users.json?email_confirmed=false')).toBe(0)
})

test('the jobs of a category, term or plan can be counted, whatever their status', async () => {
  const count = async (query: string) =>
    (await board.get(`/jobs.json?status=all&per_page=1&${query}`, { as: fixture.admin })).headers.get(
      'x-total-count',
    )
  expect([await count('category=2'), await count('term=1')]).toEqual(['2', '3'])
})
