import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Account, START, type TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard, PLAN_ID } from '../helpers/fixtures.ts'
import { fieldErrors, idsOf, jsonList, statusOf } from '../helpers/responses.ts'

const HOUR = 3_600_000

let fixture: FixtureBoard
let board: TestBoard

/** The jobs; their ids are their places in this list, from 1. */
beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
  const { owner, other } = fixture
  await insertJobs(board.board, [
    { createdAt: START - 3 * HOUR, userId: owner.id }, // 1
    { createdAt: START - 1 * HOUR, userId: owner.id, categoryId: 2 }, // 2
    { createdAt: START - 2 * HOUR, userId: other.id, arrangement: 'hybrid' }, // 3
    { createdAt: START - 2 * HOUR, termId: 2 }, // 4, as old as 3
    { createdAt: START - 9 * HOUR, planId: PLAN_ID.pinned, termId: 2, categoryId: 2 }, // 5
    { createdAt: START - 8 * HOUR, planId: PLAN_ID.pinned, arrangement: 'hybrid', categoryId: 2 }, // 6
    { createdAt: START - 1 * HOUR, userId: owner.id, expiresAt: START }, // 7, expired
    { createdAt: START - 1 * HOUR, userId: other.id, expiresAt: START - HOUR, termId: 2 }, // 8, expired
    { createdAt: START - 1 * HOUR, userId: owner.id, pending: true }, // 9, pending
    { createdAt: START - 5 * HOUR, userId: other.id, pending: true }, // 10, pending
  ])
})
afterAll(() => board.close())

const ACTIVE = [6, 5, 2, 4, 3, 1]

type Who = 'nobody' | 'owner' | 'other' | 'admin'
const accountOf = (who: Who): { as?: Account } => (who === 'nobody' ? {} : { as: fixture[who] })
const send = (query: string, who: Who = 'nobody') => board.get(`/jobs.json${query}`, accountOf(who))

test.each(['nobody', 'owner', 'admin'] as const)(
  'the list has pinned jobs first, then the newest, then the higher id, for %s',
  async who => {
    const response = await send('', who)
    expect(await idsOf(response)).toEqual(ACTIVE)
    expect(response.headers.get('x-total-count')).toBe('6')
    expect(response.headers.has('link')).toBeFalse()
  },
)

const FILTERS: readonly (readonly [string, readonly number[]])[] = [
  ['?term=2', [5, 4]],
  ['?category=2', [6, 5, 2]],
  ['?term=2&category=2', [5]],
  ['?term=1&category=2', [6, 2]],
  ['?arrangement=hybrid', [6, 3]],
  ['?arrangement=hybrid&category=1', [3]],
  ['?arrangement=onsite', []],
  ['?term=999', []],
  [`?term=${'9'.repeat(400)}`, []],
  ['?category=999', []],
  ['?term=0', []],
  ['?term=-1', []],
  ['?term=9007199254740991', []],
  ['?term=9007199254740993', []],
  ['?category=123456789012345678901234567890', []],
  ['?term=%2B2', [5, 4]],
  ['?term=%202%20', [5, 4]],
  ['?term=1&term=2', [5, 4]],
  ['?term=', ACTIVE],
  ['?term=%20&category=+&arrangement=&q=&status=&mine=&page=&per_page=%09', ACTIVE],
  ['?unknown=1&__proto__=2&constructor=3', ACTIVE],
  ['?', ACTIVE],
  ['?&&=&a', ACTIVE],
  ['?mine=false', ACTIVE],
]

describe.each(['nobody', 'admin'] as const)('a list for %s', who => {
  test.each(FILTERS)('%s gives %j', async (query, expected) => {
    const response = await send(query, who)
    expect(await idsOf(response)).toEqual([...expected])
    expect(response.headers.get('x-total-count')).toBe(String(expected.length))
  })

  test.each([
    ['?term=x', 'term'],
    ['?term=1.5', 'term'],
    ['?term=1e3', 'term'],
    ['?term=0x1', 'term'],
    ['?category=1,2', 'category'],
    ['?category=%00', 'category'],
    ['?arrangement=moon', 'arrangement'],
    ['?arrangement=Remote', 'arrangement'],
    ['?page=0', 'page'],
    ['?page=-1', 'page'],
    ['?page=1.5', 'page'],
    ['?page=x', 'page'],
    ['?per_page=0', 'per_page'],
    ['?per_page=101', 'per_page'],
    ['?term=x&page=0&per_page=x&category=y&arrangement=z', 'term category arrangement page per_page'],
  ])('%s is refused for %s', async (query, fields) =>
    expect(Object.keys(Object(await fieldErrors(send(query, who))))).toEqual(fields.split(' ')),
  )

  test.each(['?term=%ff', '?%c3=1', '?q=%ed%a0%80'])('refuses %s, which is not UTF-8', async query =>
    expect(await statusOf(send(query, who))).toBe(400),
  )
})

test.each(['/jobs/1.json', '/health.json', '/categories/1.json'])(
  '%s refuses a query that is not UTF-8, although it reads none',
  async path => {
    const response = await fixture.test.get(`${path}?x=%ff`, { as: fixture.admin })
    expect(response.status).toBe(400)
  },
)

test.each(['?status=old', '?mine=maybe', '?status=old&page=0'])(
  '%s is 401 without credentials, before its query is checked',
  async query => {
    expect(await statusOf(send(query, 'nobody'))).toBe(401)
    expect(await statusOf(send(query, 'owner'))).toBe(422)
  },
)

/** The ids that each caller sees for a query, or a status. */
const STATUSES: readonly (readonly [string, Record<Who, readonly number[] | number>])[] = [
  ['?status=active', { nobody: 401, owner: ACTIVE, other: ACTIVE, admin: ACTIVE }],
  ['?status=expired', { nobody: 401, owner: [7], other: [8], admin: [8, 7] }],
  ['?status=pending', { nobody: 401, owner: [9], other: [10], admin: [9, 10] }],
  [
    '?status=all',
    {
      nobody: 401,
      owner: [6, 5, 9, 7, 2, 4, 3, 1],
      other: [6, 5, 8, 2, 4, 3, 1, 10],
      admin: [6, 5, 9, 8, 7, 2, 4, 3, 1, 10],
    },
  ],
  ['?mine=true', { nobody: 401, owner: [2, 1], other: [3], admin: [] }],
  ['?mine=1&category=2', { nobody: 401, owner: [2], other: [], admin: [] }],
  ['?mine=on&status=all', { nobody: 401, owner: [9, 7, 2, 1], other: [8, 3, 10], admin: [] }],
  ['?status=all&mine=false&term=2', { nobody: 401, owner: [5, 4], other: [5, 8, 4], admin: [5, 8, 4] }],
]

test.each(STATUSES)('%s', async (query, expected) => {
  for (const who of ['nobody', 'owner', 'other', 'admin'] as const) {
    const response = await send(query, who)
    const expectedIds = expected[who]
    const got: unknown = typeof expectedIds === 'number' ? response.status : await idsOf(response)
    expect([who, got]).toEqual([who, expectedIds])
    if (response.status === 200)
      expect(response.headers.get('x-total-count')).toBe(String(Object(expectedIds).length))
  }
})

test('the order is the same after a restart, and after deleting one of two jobs of the same age', async () => {
  const ids = await insertJobs(
    board.board,
    Array.from({ length: 5 }, () => ({ createdAt: START - 2 * HOUR })),
  )
  const expected = [...ids.toReversed(), 4, 3]
  const sameAgeIds = async () => (await idsOf(send('?category=1'))).filter(id => expected.includes(id))
  expect(await sameAgeIds()).toEqual(expected)
  board = await board.reopen()
  expect(await sameAgeIds()).toEqual(expected)
  for (const id of ids.toSorted((a, b) => (a % 3) - (b % 3))) {
    await board.delete(`/jobs/${id}.json`, { as: fixture.admin })
    expected.splice(expected.indexOf(id), 1)
    expect(await sameAgeIds()).toEqual(expected)
  }
})

test('a list shows all fields of a job only to its owner and to administrators', async () => {
  const fieldsShownTo = async (who: Who) =>
    (await jsonList(send('', who))).filter(job => 'user' in job && 'status' in job).map(({ id }) => id)
  expect(await fieldsShownTo('nobody')).toEqual([])
  expect(await fieldsShownTo('owner')).toEqual([2, 1])
  expect(await fieldsShownTo('other')).toEqual([3])
  expect(await fieldsShownTo('admin')).toEqual(ACTIVE)
})

test('a job is the same in the list and by its id', async () => {
  for (const who of ['nobody', 'owner', 'admin'] as const)
    for (const job of await jsonList(send('', who)))
      expect(await (await board.get(`/jobs/${Number(job['id'])}.json`, accountOf(who))).json()).toEqual(job)
})

/** The query of a page, its ids, and the pages that its links name. */
const PAGES: readonly (readonly [string, readonly number[], Record<string, number>])[] = [
  ['?per_page=2', [6, 5], { first: 1, next: 2, last: 3 }],
  ['?per_page=2&page=1', [6, 5], { first: 1, next: 2, last: 3 }],
  ['?per_page=2&page=2', [2, 4], { first: 1, prev: 1, next: 3, last: 3 }],
  ['?per_page=2&page=3', [3, 1], { first: 1, prev: 2, last: 3 }],
  ['?per_page=2&page=4', [], { first: 1, prev: 3, last: 3 }],
  ['?per_page=2&page=9007199254740991', [], { first: 1, prev: 3, last: 3 }],
  ['?per_page=4&page=2', [3, 1], { first: 1, prev: 1, last: 2 }],
  ['?per_page=100', ACTIVE, { first: 1, last: 1 }],
  ['?page=1', ACTIVE, { first: 1, last: 1 }],
  ['?page=2', [], { first: 1, prev: 1, last: 1 }],
]

test.each(PAGES)('%s is a page', async (query, ids, pages) => {
  const response = await send(query)
  expect(await idsOf(response)).toEqual([...ids])
  expect(response.headers.get('x-total-count')).toBe('6')
  expect(
    Object.fromEntries(linksOf(response).map(([rel, url]) => [rel, Number(url.searchParams.get('page'))])),
  ).toEqual(pages)
})

const linksOf = (response: Response) =>
  [...(response.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(
    ([, url = '', rel = '']) => [rel, new URL(url)] as const,
  )

test('the links of a page keep the rest of the query, and start with the base URL', async () => {
  const query = '?category=2&arrangement=&x=%C3%A9%26%3E%22&per_page=1&page=2'
  const response = await board.get(`/jobs.json${query}`, { headers: { host: 'evil.example' } })
  for (const [, url] of linksOf(response)) {
    expect(`${url.origin}${url.pathname}`).toBe('https://board.example.com/jobs.json')
    expect(url.searchParams.get('category')).toBe('2')
    expect(url.searchParams.get('x')).toBe('é&>"')
    expect(url.searchParams.get('per_page')).toBe('1')
  }
  expect(linksOf(response)).toHaveLength(4)
})

test('the links lead through every job once', async () => {
  const ids: number[] = []
  let next: string | undefined = '?per_page=2'
  while (next !== undefined && ids.length < 20) {
    const response: Response = await send(next)
    ids.push(...(await idsOf(response)))
    next = linksOf(response).find(([rel]) => rel === 'next')?.[1].search
  }
  expect(ids).toEqual(ACTIVE)
})

test('a page has 25 jobs by default', async () => {
  const many = await openFixtureBoard()
  await insertJobs(
    many.test.board,
    Array.from({ length: 30 }, () => ({})),
  )
  expect(await idsOf(many.test.get('/jobs.json?page=1'))).toHaveLength(25)
  expect(await idsOf(many.test.get('/jobs.json?page=2'))).toHaveLength(5)
  expect(await idsOf(many.test.get('/jobs.json'))).toHaveLength(30)
  await many.test.close()
})

test('an empty board has an empty list with one page', async () => {
  const empty = await openFixtureBoard()
  const response = await empty.test.get('/jobs.json?page=1')
  expect([await idsOf(response), response.headers.get('x-total-count')]).toEqual([[], '0'])
  expect(linksOf(response).map(([rel, url]) => [rel, url.searchParams.get('page')])).toEqual([
    ['first', '1'],
    ['last', '1'],
  ])
  await empty.test.close()
})
