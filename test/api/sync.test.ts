import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import type { Account, TestBoard } from '../helpers/board.ts'
import { dump, openFixtureBoard, REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { jsonList, jsonObject } from '../helpers/responses.ts'

let board: TestBoard
let admin: Account
let owner: Account
let other: Account
beforeEach(async () => {
  ;({ test: board, admin, owner, other } = await openFixtureBoard())
})
afterEach(() => board.close())

const posting = (id: string | number, fields: object = {}) => ({
  ...REQUIRED_FIELDS,
  external_id: id,
  title: `Nurse ${id}`,
  ...fields,
})
const postings = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => posting(from + at))

interface Options {
  readonly as?: Account
  readonly query?: string
  readonly type?: string
}
const send = (set: object | string, { as = admin, query = '', type = 'application/json' }: Options = {}) =>
  board.post(`/sources/ats/sync.json${query}`, {
    as,
    body: typeof set === 'string' ? set : JSON.stringify(set),
    headers: { 'content-type': type },
  })
const sync = (set: object | string, options?: Options) => jsonObject(send(set, options))
const status = async (set: object | string, options?: Options) => (await send(set, options)).status

const jobs = () => board.board.store.read.jobs.all()
const openIds = () => jobs().flatMap(job => (job.closedAt === null ? [job.externalId] : []))
/** Everything but the record of runs. */
const records = () => ({ ...dump(board), sourceRuns: 0, sources: 0, journal: 0 })
const NONE = { created: 0, updated: 0, unchanged: 0, reopened: 0, closed: 0, detached: [], refused: [] }

test('a set creates, updates, closes and reopens jobs, and leaves the same ones alone', async () => {
  expect(await sync([posting('a'), posting('b'), posting(3)])).toEqual({
    ...NONE,
    created: 3,
    message: '3 created, 0 updated, 0 unchanged, 0 reopened, 0 closed, 0 detached, 0 refused.',
  })
  expect(jobs()[2]).toMatchObject({ source: 'ats', externalId: '3', userId: admin.id })
  board.clock.now += DAY
  const lines = [posting('a'), posting('b', { title: 'Midwife' }), posting('d')].map(row =>
    JSON.stringify(row),
  )
  expect(await sync(`\n${lines.join('\n\n')}`, { type: 'application/x-ndjson' })).toMatchObject({
    ...NONE,
    created: 1,
    updated: 1,
    unchanged: 1,
    closed: 1,
  })
  expect(jobs().map(({ updatedAt, createdAt }) => (updatedAt - createdAt) / DAY)).toEqual([0, 1, 1, 0])
  expect(openIds()).toEqual(['a', 'b', 'd'])
  const all = [posting('a'), posting('b', { title: 'Midwife' }), posting('d'), posting(3)]
  const again = await sync(all, { type: 'application/jsonl' })
  expect(again).toMatchObject({ ...NONE, unchanged: 3, reopened: 1 })
  expect(jobs().map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect(board.board.store.findIntegrityErrors()).toEqual([])
})

test('a second run of the same set writes nothing', async () => {
  const set = postings(1, 40)
  await sync(set)
  const before = records()
  board.clock.now += DAY
  const reordered = set.toReversed().map(row => Object.fromEntries(Object.entries(row).toReversed()))
  expect(await sync(reordered)).toMatchObject({ ...NONE, unchanged: 40 })
  expect(records()).toEqual(before)
})

test('a dry run says what would be done, and writes nothing at all', async () => {
  await sync([posting(1), posting(2), posting(3)])
  const before = dump(board)
  const set = [posting(1), posting(2, { title: 'Midwife' }), posting(4), posting(5, { title: '' })]
  expect(await sync(set, { query: '?dry_run=true' })).toMatchObject({
    ...NONE,
    created: 1,
    updated: 1,
    unchanged: 1,
    closed: 1,
    refused: [{ n: 4, external_id: '5', errors: { title: ['is required'] } }],
  })
  expect(dump(board)).toEqual(before)
})

describe('nothing is changed by', () => {
  test.each([
    ['a truncated array', '[{"external_id":"1"},', 400],
    ['an array that ends within a posting', JSON.stringify([posting(1)]).slice(0, -20), 400],
    ['a truncated line', `${JSON.stringify(posting(1))}\n${JSON.stringify(posting(2)).slice(0, -9)}`, 400],
    ['an array with something else', '[1]', 400],
    ['an array with a comma at its end', `[${JSON.stringify(posting(1))},]`, 400],
    ['an array with a comma too many', `[${JSON.stringify(posting(1))},,${JSON.stringify(posting(2))}]`, 400],
    ['an array that ends with another bracket', `[${JSON.stringify(posting(1))}}`, 400],
    ['two arrays', `[${JSON.stringify(posting(1))}] [${JSON.stringify(posting(2))}]`, 400],
    ['text after the array', '[]{"external_id":"1"}', 400],
    ['an error page', '<html>', 400],
    ['an object', '{"jobs":[]}', 200],
    ['an empty set', '[]', 409],
    ['an empty body', '', 409],
    ['blank lines', ' \n \n', 409],
  ])('%s', async (_, body, expected) => {
    await sync([posting(1), posting(2)])
    const before = records()
    expect(await status(body)).toBe(expected)
    expect(records()).toEqual(before)
  })

  test('a set of too few of the open jobs, unless it is forced', async () => {
    await sync(postings(1, 20))
    const before = records()
    const refused = await send(postings(1, 9))
    expect([refused.status, await refused.json()]).toEqual([
      409,
      {
        error:
          'The set has 9 of the 20 open jobs of this source, so nothing was changed. If that is right, send it again with force=true (--force) to close the missing jobs.',
        figures: { postings: 9, open_jobs: 20, found: 9 },
      },
    ])
    // As many, but of other jobs.
    expect(await status(postings(101, 120))).toBe(409)
    expect(await status(postings(1, 9), { query: '?dry_run=true' })).toBe(409)
    expect(records()).toEqual(before)
    expect(await sync(postings(1, 10))).toMatchObject({ unchanged: 10, closed: 10 })
    expect(await sync(postings(1, 3), { query: '?force=true' })).toMatchObject({ unchanged: 3, closed: 7 })
    expect(await sync(postings(2, 2))).toMatchObject({ unchanged: 1, closed: 2 })
    expect(await sync([], { query: '?force=true' })).toMatchObject({ ...NONE, closed: 1 })
    expect(openIds()).toEqual([])
  })

  test('more than 20,000 postings', async () => {
    const lines = `${JSON.stringify(posting(1))}\n`.repeat(20_001)
    expect(await status(lines, { type: 'application/x-ndjson' })).toBe(413)
    expect(jobs()).toEqual([])
  })

  test('another content type, or wrong options', async () => {
    expect(await status('[]', { type: 'text/csv' })).toBe(415)
    expect(await status([posting(1)], { query: '?force=maybe' })).toBe(422)
    expect(jobs()).toEqual([])
  })
})

describe('a posting', () => {
  test('with errors is refused, and its job stays as it is', async () => {
    await sync([posting(1), posting(2), posting(3)])
    const set = [
      posting(1, { title: '', category_id: 99 }),
      posting(2),
      posting(2, { title: 'Twice' }),
      posting(4, { plan_id: undefined }),
      posting(3, { plan_id: 3 }),
    ]
    expect(await sync(set)).toMatchObject({
      ...NONE,
      unchanged: 1,
      refused: [
        {
          n: 1,
          external_id: '1',
          errors: { title: ['is required'], category_id: ["doesn't match any category"] },
        },
        { n: 3, external_id: '2', errors: { external_id: ['is the same as that of posting 2'] } },
        { n: 4, external_id: '4', errors: { plan_id: ['is required'] } },
        { n: 5, external_id: '3', errors: { plan_id: ["can't be changed after posting"] } },
      ],
    })
    expect(openIds()).toEqual(['1', '2', '3'])
  })

  test('without a valid id is refused, and nothing is closed', async () => {
    await sync([posting(1), posting(2)])
    const set = [posting(1), posting('x'.repeat(256)), { ...posting(0), external_id: undefined }]
    const result = await sync(set)
    expect(result).toMatchObject({
      unchanged: 1,
      closed: 0,
      refused: [{ n: 2, external_id: null }, { n: 3 }],
    })
    expect(result['message']).toContain(
      'Nothing was closed, because some postings (2) have no valid external_id. Correct them, or use force.',
    )
    expect(await sync(set, { query: '?force=true' })).toMatchObject({ closed: 1 })
  })

  test('names its category, term and plan, unless it has their ids', async () => {
    const { category_id: _, term_id: __, plan_id: ___, ...rest } = REQUIRED_FIELDS
    const named = { ...rest, category: 'health', term: { name: 'Contract' }, plan: ' Pinned ' }
    const set = [
      { ...named, external_id: 'a' },
      { ...named, external_id: 'b', category_id: 1 },
      { ...named, external_id: 'c', category: 'Nowhere', term: 7, plan: 'Archived' },
    ]
    expect(await sync(set)).toMatchObject({
      created: 2,
      refused: [
        {
          errors: {
            category: ["doesn't match any category"],
            term: ["doesn't match any employment term"],
            plan_id: ['matches a plan that is archived'],
          },
        },
      ],
    })
    expect(jobs().map(({ categoryId, termId, planId }) => [categoryId, termId, planId])).toEqual([
      [2, 2, 2],
      [1, 2, 2],
    ])
  })

  test('with a long title has it cut at a word, and the whole one above the description', async () => {
    const title = 'Palliative care nurse for *our* team of eight in the north of Bergen, part-time'
    const set = [
      posting(1, { title }),
      posting(2, { title, description_html: '<p>Cares.</p>' }),
      posting(3, { title: 'x'.repeat(70) }),
      posting(4, { title: 'y'.repeat(64) }),
    ]
    expect(await sync(set)).toMatchObject({ created: 4 })
    const escaped = title.replaceAll('*', String.raw`\*`)
    expect(jobs().map(job => [job.title, job.description])).toEqual([
      ['Palliative care nurse for *our* team of eight in the north of…', `${escaped}\n\nCares.`],
      ['Palliative care nurse for *our* team of eight in the north of…', `${escaped}\n\nCares.`],
      [`${'x'.repeat(63)}…`, `${'x'.repeat(70)}\n\nCares.`],
      ['y'.repeat(64), 'Cares.'],
    ])
    expect(await sync(set)).toMatchObject({ unchanged: 4 })
  })
})

describe('a job that somebody', () => {
  beforeEach(async () => {
    await sync([posting(1), posting(2)])
  })
  const DETACHED = { ...NONE, unchanged: 1, detached: [{ id: 1, external_id: '1' }] }

  test('has edited is left alone, also when it is missing from the set', async () => {
    await board.put('/jobs/1.json', { as: admin, body: { title: 'Edited' } })
    expect(await sync([posting(1), posting(2)])).toMatchObject(DETACHED)
    expect(await sync([posting(1, { title: 'New' }), posting(2)])).toMatchObject(DETACHED)
    expect(await sync([posting(2)])).toMatchObject(DETACHED)
    expect(jobs()[0]).toMatchObject({ title: 'Edited', closedAt: null })
    // Sent on its own, it belongs to the source again.
    await board.put('/sources/ats/jobs/1.json', { as: admin, body: posting(1) })
    expect(await sync([posting(1, { title: 'New' }), posting(2)])).toMatchObject({ updated: 1, unchanged: 1 })
  })

  test.each(['close', 'fill'])('has taken down (%s) stays so', async verb => {
    await board.put(`/jobs/1/${verb}.json`, { as: admin })
    expect(await sync([posting(1, { title: 'New' }), posting(2)])).toMatchObject(DETACHED)
    expect(await sync([posting(2)])).toMatchObject({ unchanged: 1, detached: [], closed: 0 })
    expect((await board.get('/jobs/1.json')).status).toBe(404)
  })

  test('has approved, renewed or given a logo still follows its source', async () => {
    await board.put('/jobs/1.json', { as: admin, body: { expires_at: null } })
    expect(await sync([posting(1, { title: 'New' }), posting(2)])).toMatchObject({ updated: 1, unchanged: 1 })
  })
})

test('a job gets another period if it comes back after its own has ended', async () => {
  await sync([posting(1), posting(2)])
  await sync([posting(2)])
  board.clock.now += 40 * DAY
  expect(await sync([posting(1), posting(2)])).toMatchObject({ reopened: 1, unchanged: 1, refused: [] })
  expect(await jsonObject(board.get('/jobs/1.json', { as: admin }))).toMatchObject({ status: 'active' })
})

test('many missing jobs are all closed, whatever their ids', async () => {
  const odd = ['\u{10FFFF}\u{10FFFF}', '\uFFFF', '!', '\u0001', ' ', 'ä', '~'].map(id =>
    posting(`${id}x`, { title: 'Odd' }),
  )
  await sync([...postings(1, 250), ...odd])
  await board.put('/sources/ats-2/jobs/1.json', { as: admin, body: REQUIRED_FIELDS })
  expect(await sync(postings(1, 130))).toMatchObject({ ...NONE, unchanged: 130, closed: 127 })
  expect(openIds()).toHaveLength(131)
  expect(await sync(postings(200, 205))).toMatchObject({ figures: { open_jobs: 130, found: 0 } })
})

test('an account can have a hundred sources', async () => {
  await board.board.store.write(({ sources }) => {
    for (let n = 0; n < 100; n++)
      sources.insert({ name: `s${n}`, userId: owner.id, createdAt: 0, failed: false })
  })
  const put = (name: string, as: Account) =>
    board.put(`/sources/${name}/jobs/1.json`, { as, body: REQUIRED_FIELDS })
  expect((await put('another', owner)).status).toBe(409)
  expect(await status([posting(1)], { as: owner })).toBe(409)
  expect(jobs()).toEqual([])
  expect((await put('s7', owner)).status).toBe(201)
  expect((await put('another', admin)).status).toBe(201)
})

test('a set may have more than the 60 jobs a minute of an account, which then has to wait', async () => {
  expect(await sync(postings(1, 70), { as: owner })).toMatchObject({ created: 70, refused: [] })
  const next = await sync(postings(1, 72), { as: owner })
  expect(next).toMatchObject({ created: 0, unchanged: 70 })
  expect(next['refused']).toHaveLength(2)
  board.clock.now += 61_000
  expect(await sync(postings(1, 72), { as: owner })).toMatchObject({ created: 2, unchanged: 70, refused: [] })
})

test('another account can’t use the source, and two runs at once are one', async () => {
  await sync([posting(1)], { as: owner })
  expect(await status([posting(1)], { as: other })).toBe(403)
  const results = await Promise.all([status(postings(1, 30)), status(postings(1, 30))])
  expect(new Set(results)).toEqual(new Set([200, 409]))
  expect(openIds()).toHaveLength(30)
  expect(jobs()[1]?.userId).toBe(owner.id)
})

describe('runs', () => {
  test('are recorded with what they refused and why, and shown with their source', async () => {
    await sync([posting(1), posting(2, { title: '' })], { as: owner })
    board.clock.now += DAY
    await send([], { as: owner })
    const runs = await jsonList(board.get('/sources/ats/runs.json', { as: owner }))
    expect(runs).toMatchObject([
      { id: 2, source: 'ats', status: 'failed', created: 0, refused: 0 },
      {
        id: 1,
        status: 'done',
        started_at: '2026-01-10T18:21:59+00:00',
        created: 1,
        refused: 1,
        refusals: [{ n: 2, external_id: '2', errors: { title: ['is required'] } }],
      },
    ])
    expect(runs[0]?.['message']).toStartWith('The set is empty, so nothing was changed.')
    const [source] = await jsonList(board.get('/sources.json', { as: owner }))
    expect(source).toEqual({
      id: 1,
      name: 'ats',
      user: { id: owner.id, email: owner.email },
      created_at: '2026-01-10T18:21:59+00:00',
      last_run: runs[0],
    })
    expect(await jsonList(board.get('/sources.json', { as: other }))).toEqual([])
    expect(await jsonList(board.get('/sources.json', { as: admin }))).toHaveLength(1)
    expect((await board.get('/sources/ats/runs.json', { as: other })).status).toBe(403)
    expect((await board.get('/sources/none/runs.json', { as: other })).status).toBe(404)
  })

  test('are journaled by who asked for them, and their changes by the source', async () => {
    await sync([posting(1)], { as: owner })
    const { items } = (await (await board.get('/changes.json?limit=1000', { as: admin })).json()) as {
      items: { type: string; actor: object; data: object; url: string; source: string }[]
    }
    const last = items.slice(-3).map(({ type, actor }) => [type, actor])
    expect(last).toEqual([
      ['job.created', { kind: 'source', id: 1 }],
      ['job.published', { kind: 'source', id: 1 }],
      ['source.run', { kind: 'user', id: owner.id }],
    ])
    expect(items.at(-1)).toMatchObject({
      source: 'ats',
      url: 'https://board.example.com/sources/ats/runs.json',
      data: { source: 'ats', created: 1 },
    })
  })

  test('are kept up to a hundred', async () => {
    await sync([posting(1)])
    for (let n = 0; n < 104; n++) await send([posting(1)])
    const runs = await jsonList(board.get('/sources/ats/runs.json', { as: admin }))
    expect([runs.length, runs[0]?.['id'], runs.at(-1)?.['id']]).toEqual([100, 105, 6])
    expect(board.board.store.findIntegrityErrors()).toEqual([])
  })
})
