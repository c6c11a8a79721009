import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/clock.ts'
import type { Account, TestBoard } from '../helpers/board.ts'
import { dump, insertJobs, openFixtureBoard, REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'

let board: TestBoard
let admin: Account
let owner: Account
let other: Account
beforeEach(async () => {
  ;({ test: board, admin, owner, other } = await openFixtureBoard())
})
afterEach(() => board.close())

interface Options {
  readonly as?: Account
  readonly key?: string
  readonly query?: string
}

const send = (operations: unknown, { as = admin, key, query = '' }: Options = {}) =>
  board.post(`/jobs/batch.json${query}`, {
    as,
    body: { operations } as object,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })

/** Sends a batch, and returns its results. */
async function resultsOf(operations: unknown, options?: Options) {
  const { results } = (await (await send(operations, options)).json()) as { results: Result[] }
  return results
}
interface Result {
  readonly status: number
  readonly id: number | null
  readonly errors: object
  readonly error?: string
}

const statuses = (results: readonly Result[]) => results.map(({ status }) => status)
const create = (fields: object = {}) => ({ op: 'create', ...REQUIRED_FIELDS, ...fields })
const sourced = (op: string, externalId: string, fields: object = {}) => ({
  op,
  source: 'ats',
  external_id: externalId,
  ...fields,
})
const upsert = (externalId: string, fields: object = {}) =>
  sourced('upsert', externalId, { ...REQUIRED_FIELDS, ...fields })
const titles = () => board.board.store.read.jobs.all().map(({ title }) => title)
/** Everything but the journal, which also has what was undone elsewhere. */
const records = () => ({ ...dump(board), batches: undefined })

test('each operation does what its own request does, in their order', async () => {
  const results = await resultsOf([
    create({ title: 'One' }),
    { op: 'update', id: 1, title: 'First' },
    upsert('7', { title: 'Two' }),
    upsert('7', { title: 'Two' }),
    upsert('7', { title: 'Second' }),
    sourced('close', '7'),
    sourced('create', '8', REQUIRED_FIELDS),
    sourced('create', '8', REQUIRED_FIELDS),
    create({ draft: true, title: 'Draft', location: undefined }),
    { op: 'close', id: 1 },
    { op: 'delete', id: 3 },
    { op: 'delete', id: 3 },
    sourced('update', '7', { salary: 'lots' }),
    sourced('update', '9', {}),
  ])
  expect(results.map(({ status, id }) => [status, id])).toEqual([
    [201, 1],
    [200, 1],
    [201, 2],
    [200, 2],
    [200, 2],
    [200, 2],
    [201, 3],
    [409, null],
    [201, 4],
    [200, 1],
    [200, 3],
    [404, null],
    [422, null],
    [404, null],
  ])
  expect(results[12]).toEqual({
    status: 422,
    id: null,
    errors: { salary: ['must be a whole number'] },
    error: 'Please correct: salary.',
  })
  expect(titles()).toEqual(['First', 'Second', 'Draft'])
  expect(board.board.store.findIntegrityErrors()).toEqual([])
})

test.each([
  [7, {}],
  [null, {}],
  [[], {}],
  [{}, { op: ['is required'] }],
  [{ op: 'drop' }, { op: ['must be one of create, update, upsert, close, delete'] }],
  [{ op: 'update', title: 'X' }, { id: ['is required'] }],
  [{ op: 'update', id: 'x' }, { id: ['must be a whole number'] }],
  [{ op: 'close', source: 'ats' }, { external_id: ['is required'] }],
  [
    { op: 'upsert', id: 1 },
    { source: ['is required'], external_id: ['is required'] },
  ],
  [{ op: 'create', external_id: 'x' }, { source: ['is required'] }],
  [create({ logo: { a: 1 } }), { logo: ['must be sent as a file in a multipart form'] }],
])('the operation %j is refused, and the others are carried out', async (operation, errors) => {
  const results = await resultsOf([create({ title: 'Before' }), operation, create({ title: 'After' })])
  expect(statuses(results)).toEqual([201, 422, 201])
  expect(results[1]?.errors).toEqual(errors)
  expect(titles()).toEqual(['Before', 'After'])
})

test('nobody can do in a batch what they can’t do otherwise', async () => {
  await insertJobs(board.board, [{ userId: owner.id }])
  const before = records()
  const operations = [
    { op: 'update', id: 1, title: 'Mine' },
    { op: 'close', id: 1 },
    { op: 'delete', id: 1 },
    { op: 'update', id: 99 },
    { op: 'update', id: 1, expires_at: null },
  ]
  expect(statuses(await resultsOf(operations, { as: other }))).toEqual([403, 403, 403, 404, 403])
  expect(records()).toEqual(before)
  await resultsOf([upsert('1')], { as: owner })
  expect(statuses(await resultsOf([upsert('2'), sourced('close', '1')], { as: other }))).toEqual([403, 403])
  expect((await board.post('/jobs/batch.json', { body: { operations } })).status).toBe(401)
})

test('a batch may have more than the 60 jobs a minute of an account, which then has to wait', async () => {
  const operations = Array.from({ length: 66 }, (_, n) => upsert(String(n)))
  const results = await resultsOf(operations.slice(0, 65), { as: owner })
  expect(statuses(results)).toEqual(Array<number>(65).fill(201))
  expect(statuses(await resultsOf(operations, { as: owner }))).toEqual([...Array<number>(65).fill(200), 429])
})

test('an update by the source is not taken for an edit, but does not undo one either', async () => {
  const set = [{ ...REQUIRED_FIELDS, external_id: '1', salary: 1000, salary_currency: 'EUR' }]
  const sync = async () => await jsonObject(board.post('/sources/ats/sync.json', { as: owner, body: set }))
  expect(await sync()).toMatchObject({ created: 1 })
  await resultsOf([sourced('update', '1', { title: 'Changed' })], { as: owner })
  expect(await sync()).toMatchObject({ updated: 1, detached: [] })
  expect(titles()).toEqual([REQUIRED_FIELDS.title])
  await board.put('/jobs/1.json', { as: owner, body: { title: 'Edited' } })
  await resultsOf([sourced('update', '1')], { as: owner })
  expect(await sync()).toMatchObject({ updated: 0, detached: [{ id: 1 }] })
  expect(titles()).toEqual(['Edited'])
})

test.each([
  [{ operations: 'x' }, 'must be a list of operations'],
  [{ operations: null }, 'is required'],
  [{}, 'is required'],
  [
    { operations: Array.from({ length: 501 }, () => create()) },
    'has 501 operations: at most 500 are allowed',
  ],
])('a batch without a list is refused', async (body, error) => {
  const refused = board.post('/jobs/batch.json', { as: admin, body })
  expect(await fieldErrors(refused)).toEqual({ operations: [error] })
  expect(titles()).toEqual([])
})

test('a batch is JSON of at most 8 MiB', async () => {
  const description = 'x'.repeat(60_000)
  const operations = Array.from({ length: 130 }, () => create({ description }))
  expect(statuses(await resultsOf(operations))).toEqual(Array<number>(130).fill(201))
  const large = Array.from({ length: 145 }, () => create({ description }))
  expect((await send(large)).status).toBe(413)
  const form = new URLSearchParams({ operations: '[]' })
  expect((await board.post('/jobs/batch.json', { as: admin, body: form })).status).toBe(415)
})

describe('an atomic batch', () => {
  test('is carried out if nothing fails', async () => {
    const results = await resultsOf([create(), upsert('1'), { op: 'close', id: 1 }], {
      query: '?atomic=true',
    })
    expect(statuses(results)).toEqual([201, 201, 200])
  })

  test('changes nothing if an operation fails, and names every error', async () => {
    await insertJobs(board.board, [{}])
    const before = records()
    const operations = [{ op: 'delete', id: 1 }, upsert('1'), { op: 'update', id: 1 }, create({ title: '' })]
    const response = await send(operations, { query: '?atomic=true', as: admin })
    expect(response.status).toBe(422)
    expect(await jsonObject(response)).toEqual({
      error: 'Nothing was changed: 2 of 4 operations failed.',
      results: [
        { status: 424, id: null, errors: {}, error: 'Undone, because another operation failed.' },
        { status: 424, id: null, errors: {}, error: 'Undone, because another operation failed.' },
        { status: 404, id: null, errors: {}, error: 'Job not found.' },
        { status: 422, id: null, errors: { title: ['is required'] }, error: 'Please correct: title.' },
      ],
    })
    expect(records()).toEqual(before)
    expect(await fieldErrors(send([], { query: '?atomic=maybe' }))).toHaveProperty('atomic')
  })

  test('that was undone counts for no limit', async () => {
    const operations = Array.from({ length: 60 }, () => create())
    expect((await send([...operations, {}], { as: owner, query: '?atomic=true' })).status).toBe(422)
    expect(statuses(await resultsOf(operations, { as: owner }))).toEqual(Array<number>(60).fill(201))
    expect(statuses(await resultsOf([create()], { as: owner }))).toEqual([429])
  })
})

describe('an idempotency key', () => {
  test('returns the same response for a day, also after a restart', async () => {
    const operations = [create(), { op: 'update', id: 99 }]
    const first = await resultsOf(operations, { key: 'a' })
    const before = records()
    expect(await resultsOf(operations, { key: 'a' })).toEqual(first)
    board.clock.now += 23 * HOUR
    board = await board.reopen()
    expect(await resultsOf(operations, { key: 'a' })).toEqual(first)
    expect(records()).toEqual(before)
    board.clock.now += 2 * HOUR
    expect(statuses(await resultsOf(operations, { key: 'a' }))).toEqual([201, 404])
    expect(titles()).toHaveLength(2)
  })

  test('returns the response to an atomic batch that was undone', async () => {
    const operations = [create(), { op: 'update', id: 1, title: '' }]
    const query = '?atomic=true'
    const first = await jsonObject(send(operations, { key: 'a', query }))
    await insertJobs(board.board, [{}])
    const again = await send(operations, { key: 'a', query })
    expect(again.status).toBe(422)
    expect(await jsonObject(again)).toEqual(first)
    expect(titles()).toHaveLength(1)
  })

  test('belongs to one batch of one account', async () => {
    await resultsOf([create()], { key: 'a' })
    const refused = await send([create({ title: 'Other' })], { key: 'a' })
    expect(refused.status).toBe(422)
    expect((await jsonObject(refused))['error']).toContain('was already used for another batch')
    expect((await send([create()], { key: 'a', query: '?atomic=true' })).status).toBe(422)
    expect(statuses(await resultsOf([create()], { key: 'a', as: owner }))).toEqual([201])
    expect(titles()).toHaveLength(2)
  })

  test('lets a repeated request wait for the first', async () => {
    const operations = Array.from({ length: 100 }, () => create())
    const all = await Promise.all(Array.from({ length: 5 }, () => resultsOf(operations, { key: 'a' })))
    for (const results of all) expect(results).toEqual(all[0] ?? [])
    // The one that arrives first is carried out.
    const others = [send(operations.slice(1), { key: 'b' }), send([create()], { key: 'b' })]
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([200, 422]))
    expect([101, 199]).toContain(titles().length)
  })

  test('continues a batch that a crash has interrupted', async () => {
    const operations = [create({ title: 'One' }), create({ title: 'Two' }), create({ title: 'Three' })]
    await resultsOf(operations, { key: 'a' })
    const { store } = board.board
    await store.write(({ jobs, batches }) => {
      const [row] = batches.all()
      if (row) batches.update(row, { status: null, results: row.results.slice(0, 1) })
      for (const id of [2, 3]) jobs.remove(id)
    })
    const results = await resultsOf(operations, { key: 'a' })
    expect(results.map(({ id }) => id)).toEqual([1, 4, 5])
    expect(titles()).toEqual(['One', 'Two', 'Three'])
  })

  test.each([['x'.repeat(256)], ['ä']])('is printable ASCII', async key => {
    expect(await fieldErrors(send([create()], { key }))).toHaveProperty('Idempotency-Key')
    expect(titles()).toEqual([])
  })

  test('is forgotten with its account', async () => {
    await resultsOf([create()], { key: 'a', as: owner })
    board.clock.now += DAY
    await board.delete(`/users/${owner.id}.json`, { as: admin })
    expect(board.board.store.read.batches.all()).toEqual([])
    expect(board.board.store.findIntegrityErrors()).toEqual([])
  })
})
