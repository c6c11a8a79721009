import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE, timestamp } from '../../src/base/clock.ts'
import { START } from '../helpers/board.ts'
import { dump, type FixtureBoard, insertJobs, JOB_FIELDS, openFixtureBoard } from '../helpers/fixtures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
let job: string

beforeAll(async () => {
  fixture = await openFixtureBoard()
})
beforeEach(async () => {
  // an account may post 60 jobs a minute
  fixture.test.clock.now += MINUTE
  job = await add()
})
afterAll(() => fixture.test.close())

const DAY = 86_400_000

async function add(more: object = {}) {
  const { id } = await jsonObject(
    fixture.test.post('/jobs.json', { as: fixture.owner, body: { ...JOB_FIELDS, ...more } }),
  )
  return `/jobs/${Number(id)}.json`
}

const update = (body: object, as = fixture.owner) => fixture.test.put(job, { as, body })
const read = (as = fixture.owner) => jsonObject(fixture.test.get(job, { as }))

describe('an update', () => {
  test('of one field keeps all others', async () => {
    const before = await read()
    fixture.test.clock.now += 1500
    // the preview image changes with the title
    const preview = { preview_image_url: expect.stringContaining('.png?v=') }
    const after = { ...before, ...preview, title: 'Rigger', updated_at: timestamp(fixture.test.clock.now) }
    expect(await jsonObject(update({ title: 'Rigger' }))).toEqual(after)
    expect(await read()).toEqual(after)
  })

  test('without fields is valid', async () => {
    const before = await read()
    expect((await update({})).status).toBe(200)
    expect((await fixture.test.put(job, { as: fixture.owner })).status).toBe(200)
    expect(await read()).toEqual(before)
  })

  test('applies no defaults', async () => {
    await update({ title: 'Rigger' })
    expect(await read()).toMatchObject({
      arrangement: 'onsite',
      salary_currency: 'NOK',
      salary_period: 'weekly',
    })
  })

  test('moves a job to another category and term', async () => {
    const moved = { category: { id: 2, name: 'Health' }, term: { id: 2, name: 'Contract' } }
    expect(await jsonObject(update({ category_id: 2, term_id: '2' }))).toMatchObject(moved)
  })

  test('with one wrong field changes nothing', async () => {
    const before = dump(fixture.test)
    fixture.test.clock.now += DAY
    expect(await fieldErrors(update({ title: 'Rigger', term_id: 999 }))).toEqual({
      term_id: [expect.any(String)],
    })
    expect(dump(fixture.test)).toEqual(before)
  })

  test.each([['owner'], ['admin']] as const)('with the job as the %s read it changes nothing', async who => {
    const before = await read(fixture[who])
    fixture.test.clock.now += DAY
    expect(await jsonObject(update(before, fixture[who]))).toEqual(before)
    expect(await read(fixture[who])).toEqual(before)
  })

  test('of read-only fields changes nothing', async () => {
    const before = await read()
    const readOnlyFields = {
      id: 99,
      user: { id: fixture.other.id },
      user_id: fixture.other.id,
      userId: fixture.other.id,
      status: 'expired',
      pending: true,
      created_at: '2020-01-01T00:00:00Z',
      createdAt: 0,
      url: 'https://evil.example',
      plan: { id: 3 },
      planId: 3,
      category: { id: 2 },
      views: 10,
      ['__proto__']: { id: 7 },
      constructor: 'x',
      toString: 'x',
    }
    for (const as of [fixture.owner, fixture.admin]) {
      expect((await update({ ...readOnlyFields, title: before['title'] }, as)).status).toBe(200)
      // alone it would have no effect and seem to succeed
      expect((await update(readOnlyFields, as)).status).toBe(422)
    }
    expect(await read()).toEqual(before)
  })
})

const EMAIL = { application_type: 'email', application_email: 'a@b.example' }
const URL_FIELDS = { application_type: 'url', application_url: 'https://a.example/' }
const needed = { application_email: ['is required'] }
const neededUrl = { application_url: ['is required'] }

/** The outcome of application fields for a new job, and for one with a URL or an e-mail address. */
const APPLICATIONS = [
  ['url', { application_type: 'email' }, needed],
  ['url', { application_type: 'email', application_email: '' }, needed],
  ['url', { application_type: 'email', application_email: null }, needed],
  ['url', { application_type: 'email', application_url: 'https://a.example/' }, needed],
  ['url', { application_url: '' }, 'kept'],
  ['url', { application_url: null }, 'kept'],
  ['url', { application_email: 'a@b.example' }, 'kept'],
  ['url', { application_email: '' }, 'kept'],
  ['url', { application_email: null }, 'kept'],
  ['url', EMAIL, 'a@b.example'],
  ['url', { ...EMAIL, application_url: '' }, 'a@b.example'],
  ['email', { application_type: 'url' }, neededUrl],
  ['email', { application_type: 'url', application_email: 'a@b.example' }, neededUrl],
  ['email', { application_email: '' }, 'kept'],
  ['email', { application_type: 'url', application_url: null }, neededUrl],
  ['email', { application_url: '' }, 'kept'],
  ['email', { application_url: 'https://a.example/' }, 'kept'],
  ['email', URL_FIELDS, 'https://a.example/'],
  ['email', { ...URL_FIELDS, application_email: '' }, 'https://a.example/'],
] as const

test.each(APPLICATIONS)(
  'a job with an application by %s that is sent %j: %j',
  async (type, sent, outcome) => {
    job = await add(type === 'email' ? { ...EMAIL, application_url: undefined } : {})
    const before = await read()
    if (typeof outcome === 'object') {
      expect(await fieldErrors(update(sent))).toEqual(outcome)
      expect(await read()).toEqual(before)
      return
    }
    const {
      application_url: url,
      application_email: email,
      application_type,
    } = await jsonObject(update(sent))
    if (outcome === 'kept') expect(await read()).toEqual(before)
    else expect([application_type, url ?? email]).toEqual([outcome.includes('@') ? 'email' : 'url', outcome])
    // only the one selected by the type is shown
    expect([url, email].filter(value => value === undefined)).toHaveLength(1)
  },
)

test('both addresses are stored, and the type selects the one shown', async () => {
  job = await add({ application_email: 'a@b.example' })
  const url = 'https://fjord.example/apply?job=1'
  const addressesOf = (after: object) =>
    Object.entries(after).filter(([name]) => /^application_[ue]/.test(name))
  expect(addressesOf(await read())).toEqual([['application_url', url]])
  expect(addressesOf(await jsonObject(update({ application_type: 'email' })))).toEqual([
    ['application_email', 'a@b.example'],
  ])
  await update({ application_url: 'https://a.example/' })
  expect(addressesOf(await jsonObject(update({ application_type: 'url' })))).toEqual([
    ['application_url', 'https://a.example/'],
  ])
})

const CURRENCY = { salary_currency: [expect.any(String)] }

/** The outcome of salary fields for a job that pays 4200 NOK, and for one without a salary. */
const SALARIES = [
  [{ salary: 1 }, ['1', 'NOK'], ['1', 'NOK']],
  [{ salary: '' }, ['', 'NOK'], ['', 'NOK']],
  [{ salary: null, salary_currency: '' }, ['', 'NOK'], ['', 'NOK']],
  [{ salary: '', salary_currency: null }, ['', 'NOK'], ['', 'NOK']],
  [{ salary: null, salary_currency: 'eur' }, ['', 'EUR'], ['', 'EUR']],
  [{ salary_currency: 'eur' }, ['4200', 'EUR'], ['', 'EUR']],
  [{ salary_currency: '' }, CURRENCY, ['', 'NOK']],
  [{ salary_currency: null }, CURRENCY, ['', 'NOK']],
  [{ salary: 0, salary_currency: '' }, CURRENCY, CURRENCY],
  [{ salary: '0', salary_currency: null }, CURRENCY, CURRENCY],
  [{ salary: null, salary_currency: 'DEM' }, CURRENCY, CURRENCY],
  [{ salary: -1, salary_currency: '' }, { salary: [expect.any(String)], ...CURRENCY }, undefined],
] as const

test.each(SALARIES)('a salary sent as %j', async (sent, paying, silent) => {
  for (const [salary, outcome] of [
    [4200, paying],
    ['', silent],
  ] as const) {
    if (outcome === undefined) continue
    job = await add({ salary })
    if (!Array.isArray(outcome)) expect(await fieldErrors(update(sent))).toEqual(outcome)
    else {
      const after = await jsonObject(update(sent))
      expect([after['salary'], after['salary_currency']]).toEqual([...outcome])
    }
  }
})

test('a removed salary resets the currency to the default', async () => {
  job = await add({ salary: null, salary_currency: null })
  expect(await read()).toMatchObject({ salary: '', salary_currency: 'USD' })
})

const MOMENTS = [
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00+00:00'],
  ['2026-03-01T12:00:00.999+00:00', '2026-03-01T12:00:00+00:00'],
  ['2026-03-01t12:00:00z', '2026-03-01T12:00:00+00:00'],
  ['2026-03-01 12:00:00+05:30', '2026-03-01T06:30:00+00:00'],
  ['2026-03-01T23:30:00-01:00', '2026-03-02T00:30:00+00:00'],
  ['  2028-02-29T00:00:00Z ', '2028-02-29T00:00:00+00:00'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59+00:00'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00+00:00'],
  ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59+00:00'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+00:00'],
  [null, null],
] as const

const NO_MOMENTS = [
  'tomorrow',
  '2026-03-01',
  '2026-03-01T12:00:00',
  '2026-02-30T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T12:60:00Z',
  '2026-03-01T12:00:00+25:00',
  '9999-12-31T23:59:59-00:01',
  '0000-01-01T00:00:00+00:01',
  1_800_000_000,
  0,
  true,
  [],
  {},
]

describe('expires_at', () => {
  test.each(MOMENTS)('accepts %j from an administrator', async (sent, addressesOf) => {
    expect(await jsonObject(update({ expires_at: sent }, fixture.admin))).toMatchObject({
      expires_at: addressesOf,
    })
    expect(await read()).toMatchObject({ expires_at: addressesOf })
  })

  test.each(NO_MOMENTS.map(sent => [sent]))('refuses %j from an administrator', async sent => {
    const before = dump(fixture.test)
    const response = update({ expires_at: sent, title: 'Rigger' }, fixture.admin)
    expect(await fieldErrors(response)).toEqual({ expires_at: [expect.any(String)] })
    expect(dump(fixture.test)).toEqual(before)
  })

  test.each([...MOMENTS.map(([sent]) => sent), ...NO_MOMENTS].map(sent => [sent]))(
    'of the owner is refused, with all that comes with it: %j',
    async sent => {
      const before = dump(fixture.test)
      const response = update({ expires_at: sent, title: 'Rigger' })
      expect(await fieldErrors(response)).toEqual({ expires_at: [expect.any(String)] })
      expect(dump(fixture.test)).toEqual(before)
    },
  )

  test.each([[''], [' '], ['2026-02-09T18:21:59+00:00'], ['2026-02-09T19:21:59.5+01:00']])(
    'of the owner changes nothing if it is blank or what it was: %j',
    async sent => {
      fixture.test.clock.now = START
      job = await add()
      const before = await read()
      expect(await jsonObject(update({ expires_at: sent }))).toEqual(before)
    },
  )

  test.each([[''], [' ']])('from an administrator changes nothing if it is blank: %j', async sent => {
    const before = await read()
    expect(await jsonObject(update({ expires_at: sent }, fixture.admin))).toEqual(before)
  })

  test('is ignored when a job is posted', async () => {
    fixture.test.clock.now = START
    for (const as of [fixture.owner, fixture.admin]) {
      const body = { ...JOB_FIELDS, expires_at: '2030-01-01T00:00:00Z' }
      const response = await jsonObject(fixture.test.post('/jobs.json', { as, body }))
      expect(response).toMatchObject({ expires_at: '2026-02-09T18:21:59+00:00' })
    }
  })
})

test('a job without an owner can be changed by administrators, and stays without one', async () => {
  const [id] = await insertJobs(fixture.test.board, [{}])
  job = `/jobs/${id}.json`
  expect(await jsonObject(update({ title: 'Rigger' }, fixture.admin))).toMatchObject({
    title: 'Rigger',
    user: null,
  })
})
