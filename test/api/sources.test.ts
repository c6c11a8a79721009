import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import type { Account, TestBoard } from '../helpers/board.ts'
import { dump, insertJobs, openFixtureBoard, PLAN_ID, REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'

let board: TestBoard
let admin: Account
let owner: Account
let other: Account
beforeEach(async () => {
  ;({ test: board, admin, owner, other } = await openFixtureBoard())
})
afterEach(() => board.close())

const pathOf = (externalId: string, source = 'ats') =>
  `/sources/${source}/jobs/${encodeURIComponent(externalId)}.json`
const put = (externalId: string, fields: object = {}, as: Account = owner, source = 'ats') =>
  board.put(pathOf(externalId, source), { as, body: { ...REQUIRED_FIELDS, ...fields } })
const close = (externalId: string, as: Account = owner) => board.delete(pathOf(externalId), { as })
const jobs = () => board.board.store.read.jobs.all()
const statusOf = async (response: Response | Promise<Response>) => (await response).status

/** Creates a token, and returns an account that uses it. */
async function withToken(account: Account, ...scopes: string[]): Promise<Account> {
  const body = { name: 'Sync', scopes }
  const { token } = await jsonObject(board.post('/tokens.json', { as: account, body }))
  return { ...account, authorization: `Bearer ${token}` }
}

describe('PUT', () => {
  test('creates a job, which has its source and external id', async () => {
    const response = await put('REQ-1')
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe('https://board.example.com/jobs/1.json')
    expect(await jsonObject(response)).toMatchObject({
      id: 1,
      status: 'active',
      user: { id: owner.id },
      source: 'ats',
      external_id: 'REQ-1',
    })
    expect(board.board.store.findIntegrityErrors()).toEqual([])
  })

  test('writes nothing if nothing differs, and the job otherwise, with defaults for fields that are not sent', async () => {
    await put('1', { salary: 4000, arrangement: 'onsite' })
    const before = dump(board)
    board.clock.now += DAY
    const same = await put('1', { salary: '4000', arrangement: 'onsite', source: 'x', id: 9, draft: true })
    expect([same.status, same.headers.get('x-unchanged')]).toEqual([200, 'true'])
    expect(dump(board)).toEqual(before)
    const changed = await put('1', { title: 'Midwife' })
    expect([changed.status, changed.headers.get('x-unchanged')]).toEqual([200, null])
    expect(await jsonObject(changed)).toMatchObject({
      id: 1,
      title: 'Midwife',
      salary: '',
      arrangement: 'remote',
      updated_at: '2026-01-11T18:21:59+00:00',
    })
  })

  test.each([
    ['a/b'],
    ['a.json'],
    ['a.json.json'],
    ['..'],
    ['ä ö+ü%20&?#'],
    ['%2F'],
    [' padded '],
    ['\\back'],
    ['x'.repeat(255)],
    ['\u{1f6e0}'.repeat(255)],
    ['0'],
    ['"quoted"\n'],
  ])('keeps the id %j as it stands', async externalId => {
    expect(await statusOf(put(externalId))).toBe(201)
    expect(jobs().map(job => job.externalId)).toEqual([externalId])
    expect((await put(externalId)).headers.get('x-unchanged')).toBe('true')
    expect(await statusOf(close(externalId))).toBe(200)
    expect(board.board.store.findIntegrityErrors()).toEqual([])
  })

  test.each([['x'.repeat(256)], [' '], ['a\0b']])('refuses the id %j', async externalId => {
    expect(await fieldErrors(put(externalId))).toHaveProperty('external_id')
    expect(await statusOf(close(externalId))).toBe(422)
    expect(jobs()).toEqual([])
  })

  test.each([['ATS'], ['a%20b'], ['x'.repeat(65)], ['ä']])('refuses the source %j', async source => {
    expect(await fieldErrors(put('1', {}, owner, source))).toHaveProperty('source')
  })

  test.each([['/sources/ats/jobs/.json'], ['/sources/ats/jobs/1'], ['/sources/ats/jobs/%ff.json']])(
    'knows no path %s',
    async path => expect(await statusOf(board.put(path, { as: owner, body: REQUIRED_FIELDS }))).toBe(404),
  )

  test('names every invalid field, and changes nothing', async () => {
    await put('1')
    const before = dump(board)
    expect(await fieldErrors(put('1', { title: '', category_id: 99, application_type: 'email' }))).toEqual({
      title: ['is required'],
      category_id: ["doesn't match any category"],
      application_email: ['is required'],
    })
    expect(await fieldErrors(put('1', { plan_id: PLAN_ID.endless }))).toEqual({
      plan_id: ["can't be changed after posting"],
    })
    expect(await fieldErrors(put('2', { plan_id: PLAN_ID.archived }))).toHaveProperty('plan_id')
    expect(dump(board)).toEqual(before)
  })

  test('takes a logo, and keeps it if it is sent again or not at all', async () => {
    const logo = await Bun.file(`${import.meta.dir}/../../src/assets/plain-card.png`).bytes()
    const send = () => {
      const form = new FormData()
      for (const [name, value] of Object.entries(REQUIRED_FIELDS)) form.set(name, String(value))
      form.set('logo', new Blob([logo], { type: 'image/png' }), 'logo.png')
      return board.put(pathOf('1'), { as: owner, body: form })
    }
    expect(await statusOf(send())).toBe(201)
    const before = dump(board)
    expect((await send()).headers.get('x-unchanged')).toBe('true')
    expect((await put('1')).headers.get('x-unchanged')).toBe('true')
    expect(dump(board)).toEqual(before)
    expect((await put('1', { logo: '' })).headers.get('x-unchanged')).toBeNull()
    expect(jobs()[0]?.logo).toBe('')
  })

  test('keeps two sources apart, and what the job is called in its source', async () => {
    await put('1')
    await put('1', {}, owner, 'ats.2')
    expect(jobs().map(({ source, externalId }) => [source, externalId])).toEqual([
      ['ats', '1'],
      ['ats.2', '1'],
    ])
    const { store } = board.board
    await store.write(() => void store['databases'].uniques.remove(['jobs', 'externalId', 'ats.2 1']))
    const errors = store.findIntegrityErrors()
    expect(errors.map(({ message }) => message)).toEqual(['The index is missing externalId of jobs 2.'])
    await store.repair(errors)
    expect(store.findIntegrityErrors()).toEqual([])
    const copy = await jsonObject(board.post('/jobs/1/duplicate.json', { as: owner }))
    expect(copy).toMatchObject({ source: null, external_id: null })
  })
})

describe('a closed job', () => {
  test('that reappears is reopened under its id', async () => {
    await put('1')
    expect(await jsonObject(close('1'))).toEqual({ message: 'The job "Nurse" is closed.' })
    expect(await statusOf(board.get('/jobs/1.json'))).toBe(404)
    const before = dump(board)
    expect(await statusOf(close('1'))).toBe(200)
    expect(dump(board)).toEqual(before)
    expect(await jsonObject(put('1'))).toMatchObject({ id: 1, status: 'active', closed_at: null })
  })

  test('gets another period if its own has ended', async () => {
    await put('1')
    await close('1')
    board.clock.now += 40 * DAY
    expect(await jsonObject(put('1', { title: 'Midwife' }))).toMatchObject({
      id: 1,
      title: 'Midwife',
      status: 'active',
      created_at: '2026-01-10T18:21:59+00:00',
      expires_at: '2026-03-21T18:21:59+00:00',
    })
  })

  test('is unknown if there is none with this id, and has nothing to close if it expired', async () => {
    expect(await statusOf(close('1'))).toBe(404)
    await put('1')
    board.clock.now += 31 * DAY
    expect(await jsonObject(close('1'))).toEqual({ message: 'The job "Nurse" has expired.' })
  })
})

test('a refused job is submitted again when it changes, and not before', async () => {
  await board.close()
  ;({ test: board, admin, owner, other } = await openFixtureBoard('--approve', 'all'))
  expect(await jsonObject(put('1'))).toMatchObject({ status: 'pending' })
  await board.put('/jobs/1/refuse.json', { as: admin, body: { reason: 'Who?' } })
  expect((await put('1')).headers.get('x-unchanged')).toBe('true')
  expect(await jsonObject(put('1', { company: 'Clinic of Oslo' }))).toMatchObject({
    status: 'pending',
    refusal: null,
  })
})

describe('a source', () => {
  test('belongs to the account that used it first, and administrators may use all', async () => {
    await put('1')
    const before = dump(board)
    expect(await statusOf(put('2', {}, other))).toBe(403)
    expect(await statusOf(put('1', { title: 'Mine' }, other))).toBe(403)
    expect(await statusOf(close('1', other))).toBe(403)
    expect(dump(board)).toEqual(before)
    expect(await jsonObject(put('3', {}, admin))).toMatchObject({ user: { id: owner.id } })
    expect(await statusOf(put('3', { title: 'Ours' }))).toBe(200)
    expect(await statusOf(board.put(pathOf('4'), { body: REQUIRED_FIELDS }))).toBe(401)
  })

  test('that has jobs already, from an import, is no one else’s to take', async () => {
    await insertJobs(board.board, [{ source: 'ats', externalId: '1', userId: other.id }])
    expect(await statusOf(put('2'))).toBe(403)
    expect(await statusOf(put('2', {}, admin))).toBe(201)
  })

  test('outlives its account, and then belongs to administrators', async () => {
    await put('1')
    await board.delete(`/users/${owner.id}.json`, { as: admin })
    expect(await statusOf(put('2', {}, other))).toBe(403)
    expect(await statusOf(put('1', { title: 'Kept' }, admin))).toBe(200)
    expect(board.board.store.findIntegrityErrors()).toEqual([])
  })

  test('is open to tokens with jobs:write or its own scope', async () => {
    expect(await statusOf(put('1', {}, await withToken(owner, 'jobs:write')))).toBe(201)
    const scoped = await withToken(admin, 'sources:ats')
    expect(await statusOf(put('2', {}, scoped))).toBe(201)
    expect(await statusOf(close('2', scoped))).toBe(200)
    const refused = await put('3', {}, scoped, 'ats2')
    expect([refused.status, (await jsonObject(refused))['error']]).toEqual([
      403,
      'This token lacks the scope "sources:ats2".',
    ])
    expect(await statusOf(put('3', {}, await withToken(owner, 'jobs:read')))).toBe(403)
    expect(await statusOf(board.post('/jobs.json', { as: scoped, body: REQUIRED_FIELDS }))).toBe(403)
  })

  test.each([
    ['sources:ats', 'owner'],
    ['sources:', 'admin'],
    ['sources:A', 'admin'],
  ] as const)('has no token with %s for %s', async (scope, who) => {
    const body = { name: 'Sync', scopes: [scope] }
    const as = who === 'admin' ? admin : owner
    expect(await fieldErrors(board.post('/tokens.json', { as, body }))).toHaveProperty('scopes')
  })
})

test('an account can create 60 jobs a minute, in whatever way', async () => {
  for (let n = 0; n < 59; n++) await put(String(n))
  expect(await statusOf(board.post('/jobs.json', { as: owner, body: REQUIRED_FIELDS }))).toBe(201)
  const before = dump(board)
  const refused = await put('60')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(dump(board)).toEqual(before)
  expect(await statusOf(put('1', { title: 'Changed' }))).toBe(200)
  expect(await statusOf(put('61', {}, admin))).toBe(201)
})
