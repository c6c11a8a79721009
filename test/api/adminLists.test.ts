import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { fieldErrors, jsonList, jsonObject } from '../helpers/responses.ts'

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

describe('the number of jobs', () => {
  test.each([
    ['/categories.json', [1, 2]],
    ['/terms.json', [3, 0]],
    ['/plans.json', [2, 1, 0]],
  ])('in %s is shown to administrators only', async (path, counts) => {
    const listed = await jsonList(board.get(path, { as: fixture.admin }))
    expect(listed.map(({ jobs }) => jobs)).toEqual(counts)
    const shared = await jsonList(board.get(path, { as: fixture.owner }))
    expect(shared.some(item => 'jobs' in item)).toBeFalse()
  })

  test.each(['/categories/2.json', '/terms/1.json', '/plans/1.json'])(
    'is part of %s and of its updates, but not of jobs',
    async path => {
      const before = await jsonObject(board.get(path, { as: fixture.admin }))
      expect(before['jobs']).toBeGreaterThan(0)
      expect(await jsonObject(board.put(path, { as: fixture.admin, body: {} }))).toEqual(before)
      expect(await jsonObject(board.get(path, { as: fixture.owner }))).not.toHaveProperty('jobs')
      const { category, plan } = await jsonObject(board.get('/jobs/1.json', { as: fixture.admin }))
      expect([category, plan].some(part => 'jobs' in Object(part))).toBeFalse()
    },
  )

  test('follows each change', async () => {
    const { id } = await jsonObject(
      board.post('/categories.json', { as: fixture.admin, body: { name: 'New' } }),
    )
    const count = async () =>
      (await jsonObject(board.get(`/categories/${Number(id)}.json`, { as: fixture.admin })))['jobs']
    expect(await count()).toBe(0)
    const [job = 0] = await insertJobs(board.board, [{ categoryId: Number(id) }])
    expect(await count()).toBe(1)
    await board.delete(`/jobs/${job}.json`, { as: fixture.admin })
    expect(await count()).toBe(0)
  })
})
