import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { START } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  JOB_FIELDS,
  logosIn,
  openFixtureBoard,
  PLAN_ID,
} from '../helpers/fixtures.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { fieldErrors, idsOf, jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
beforeEach(async () => {
  fixture = await openFixtureBoard()
})
afterEach(() => fixture.test.close())

const DRAFT = { title: 'Nurse', draft: true }
const NOW = '2026-01-10T18:21:59+00:00'

const post = (body: object) => fixture.test.post('/jobs.json', { as: fixture.owner, body })
const put = (body: object, id = 1) => fixture.test.put(`/jobs/${id}.json`, { as: fixture.owner, body })
const submit = () => fixture.test.put('/jobs/1/submit.json', { as: fixture.owner })
const read = (id = 1) => jsonObject(fixture.test.get(`/jobs/${id}.json`, { as: fixture.owner }))

describe('a draft', () => {
  test('needs only a title, and is shown with everything that is missing', async () => {
    const response = await post(DRAFT)
    expect(response.status).toBe(201)
    expect(await jsonObject(response)).toMatchObject({
      title: 'Nurse',
      description: '',
      location: '',
      arrangement: 'remote',
      salary: '',
      salary_currency: 'USD',
      company: '',
      company_website: '',
      application_type: 'url',
      application_url: '',
      term: null,
      category: null,
      plan: null,
      logo: '',
      status: 'draft',
      expires_at: null,
      publish_at: null,
      published_at: null,
      refusal: null,
    })
  })

  test.each<[object, string[]]>([
    [{}, ['title']],
    [{ title: ' ' }, ['title']],
    [{ title: 'x'.repeat(65) }, ['title']],
    [{ ...DRAFT, company_website: 'clinic' }, ['company_website']],
    [{ ...DRAFT, salary: -1, application_url: 'x' }, ['application_url', 'salary']],
    [{ ...DRAFT, salary: 1, salary_currency: '' }, ['salary_currency']],
    [{ ...DRAFT, category_id: 99, term_id: 99, plan_id: 99 }, ['category_id', 'plan_id', 'term_id']],
    [{ ...DRAFT, plan_id: PLAN_ID.archived }, ['plan_id']],
    [{ ...DRAFT, publish_at: 'soon' }, ['publish_at']],
  ])('is checked as far as it goes: %j', async (body, fields) => {
    const errors = await fieldErrors(post({ draft: true, ...body }))
    expect(Object.keys(Object(errors)).toSorted()).toEqual(fields)
    expect(fixture.test.board.store.read.jobs.count).toBe(0)
  })

  test.each([
    formOf({ title: 'Nurse', draft: 'on', location: '' }),
    new URLSearchParams('job[title]=Nurse&job[draft]=1'),
  ])('can come from a form', async body => {
    expect(await jsonObject(post(body))).toMatchObject({ status: 'draft', location: '' })
  })

  test('takes every field in an update, its plan too, and blank ones clear', async () => {
    await post({ ...DRAFT, publish_at: '2026-02-01T00:00:00Z' })
    const { application_url: url, ...rest } = JOB_FIELDS
    expect(await jsonObject(put({ ...rest, application_url: url, plan_id: PLAN_ID.pinned }))).toMatchObject({
      company: JOB_FIELDS.company,
      plan: { id: PLAN_ID.pinned },
      category: { id: 1 },
      publish_at: '2026-02-01T00:00:00+00:00',
    })
    const blank = {
      description: '',
      company: null,
      company_website: '',
      category_id: null,
      plan_id: '',
      salary: '',
    }
    expect(await jsonObject(put({ ...blank, publish_at: null }))).toMatchObject({
      title: JOB_FIELDS.title,
      description: '',
      company: '',
      company_website: '',
      category: null,
      term: { id: 1 },
      plan: null,
      salary: '',
      publish_at: null,
      application_url: url,
    })
    expect(await fieldErrors(put({ title: '' }))).toEqual({ title: [expect.any(String)] })
    expect(await fieldErrors(put({ plan_id: PLAN_ID.archived }))).toEqual({ plan_id: [expect.any(String)] })
  })

  test('keeps a plan that is archived later, but must have an active one to be submitted', async () => {
    await post({ ...JOB_FIELDS, draft: true })
    await fixture.test.put('/plans/1/archive.json', { as: fixture.admin })
    expect(await jsonObject(put({ plan_id: 1, title: 'Carpenter' }))).toMatchObject({ plan: { id: 1 } })
    expect(await fieldErrors(submit())).toEqual({ plan_id: [expect.stringContaining('archived')] })
    await put({ plan_id: PLAN_ID.endless })
    expect(await statusOf(submit())).toBe(200)
  })

  test('is deleted with its category, like any job', async () => {
    await post({ ...JOB_FIELDS, draft: true })
    const { message } = await jsonObject(fixture.test.delete('/categories/1.json', { as: fixture.admin }))
    expect(message).toContain('1 job')
    expect(await statusOf(fixture.test.get('/jobs/1.json', { as: fixture.owner }))).toBe(404)
  })
})

describe('submitting', () => {
  test('names every field that is missing, and changes nothing', async () => {
    await post({ ...DRAFT, application_type: 'email' })
    const before = dump(fixture.test)
    const errors = await fieldErrors(submit())
    expect(Object.keys(Object(errors)).toSorted()).toEqual([
      'application_email',
      'category_id',
      'company',
      'company_website',
      'description',
      'location',
      'plan_id',
      'term_id',
    ])
    expect(dump(fixture.test)).toEqual(before)
  })

  test('publishes a complete draft, with its period from then', async () => {
    await post({ ...JOB_FIELDS, draft: true })
    fixture.test.clock.now = START + 5 * DAY
    expect(await jsonObject(submit())).toEqual({ message: 'The job "Ship’s carpenter" is submitted.' })
    expect(await read()).toMatchObject({
      status: 'active',
      created_at: NOW,
      published_at: '2026-01-15T18:21:59+00:00',
      expires_at: '2026-02-14T18:21:59+00:00',
    })
  })

  test('puts a job before those that were posted while it was a draft', async () => {
    await post({ ...JOB_FIELDS, draft: true })
    fixture.test.clock.now = START + DAY
    await post(JOB_FIELDS)
    fixture.test.clock.now = START + 2 * DAY
    await submit()
    expect(await idsOf(fixture.test.get('/jobs.json'))).toEqual([1, 2])
  })

  test('schedules a draft, or publishes it at once if its time has passed', async () => {
    await post({ ...JOB_FIELDS, draft: true, publish_at: '2026-01-15T18:21:59Z' })
    await submit()
    expect(await read()).toMatchObject({ status: 'scheduled', expires_at: '2026-02-14T18:21:59+00:00' })
    await post({ ...JOB_FIELDS, draft: true, publish_at: '2026-01-15T18:21:59Z' })
    fixture.test.clock.now = START + 6 * DAY
    await fixture.test.put('/jobs/2/submit.json', { as: fixture.owner })
    expect(await read(2)).toMatchObject({ status: 'active', published_at: '2026-01-16T18:21:59+00:00' })
  })
})

describe('publish_at', () => {
  const CLOSE = '2026-01-10T18:22:00Z'
  const LATEST = '2027-01-10T18:21:59Z'

  test.each([
    [CLOSE, 'scheduled'],
    [LATEST, 'scheduled'],
    ['2026-01-15T20:21:59.9+02:00', 'scheduled'],
    [null, 'active'],
    ['', 'active'],
  ])('%p: the job is %s', async (publishAt, status) => {
    expect(await jsonObject(post({ ...JOB_FIELDS, publish_at: publishAt }))).toMatchObject({ status })
  })

  test.each([
    ['2026-01-10T18:21:59Z', 'must be in the future'],
    ['2020-01-01T00:00:00Z', 'must be in the future'],
    ['2027-01-10T18:22:00Z', 'must be within a year'],
    ['tomorrow', expect.any(String)],
    [17, expect.any(String)],
  ])('%p is refused, in POST and PUT', async (publishAt, error) => {
    expect(await fieldErrors(post({ ...JOB_FIELDS, publish_at: publishAt }))).toEqual({ publish_at: [error] })
    await post({ ...JOB_FIELDS, publish_at: LATEST })
    expect(await fieldErrors(put({ publish_at: publishAt }))).toEqual({ publish_at: [error] })
  })

  test('moves a scheduled job with its period, by its owner, or publishes it now', async () => {
    await post({ ...JOB_FIELDS, publish_at: LATEST })
    expect(await jsonObject(put({ publish_at: '2026-01-15T18:21:59Z' }))).toMatchObject({
      status: 'scheduled',
      publish_at: '2026-01-15T18:21:59+00:00',
      published_at: null,
      expires_at: '2026-02-14T18:21:59+00:00',
    })
    const now = {
      status: 'active',
      publish_at: null,
      published_at: NOW,
      expires_at: '2026-02-09T18:21:59+00:00',
    }
    expect(await jsonObject(put({ publish_at: null }))).toMatchObject(now)
    expect(await idsOf(fixture.test.get('/jobs.json'))).toEqual([1])
  })

  test("can't be changed after publication, but sent back as it was read", async () => {
    await post({ ...JOB_FIELDS, publish_at: '2026-01-15T18:21:59Z' })
    fixture.test.clock.now = START + 5 * DAY
    const { publish_at: publishAt, expires_at: expiresAt } = await read()
    expect(await fieldErrors(put({ publish_at: publishAt, expires_at: expiresAt, title: 'Other' }))).toBe(200)
    const error = { publish_at: ["can't be changed after publication"] }
    expect(await fieldErrors(put({ publish_at: '2026-03-01T00:00:00Z' }))).toEqual(error)
    expect(await fieldErrors(put({ publish_at: null }))).toEqual(error)
  })
})

describe('a duplicate', () => {
  test('is a draft with the same fields and a logo of its own, whatever the status of the original', async () => {
    await post(formOf({ ...JOB_FIELDS, logo: logoFile(png(8, 8)) }))
    await fixture.test.put('/jobs/1/close.json', { as: fixture.owner })
    const response = await fixture.test.post('/jobs/1/duplicate.json', { as: fixture.owner })
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      'https://board.example.com/jobs/2.json',
    ])
    const [{ id: _, url: __, preview_image_url: ___, logo, ...original }, copy] = [
      await read(),
      await read(2),
    ]
    expect(copy).toMatchObject({
      ...original,
      status: 'draft',
      closed_at: null,
      published_at: null,
      expires_at: null,
    })
    expect(copy['logo']).not.toBe(logo)
    expect(logosIn(fixture.test.folder)).toHaveLength(2)
    expect(await jsonObject(response)).toEqual(copy)
  })

  test('has no plan if that of the original is archived, and belongs to the account that asks', async () => {
    await post(JOB_FIELDS)
    await fixture.test.put('/plans/1/archive.json', { as: fixture.admin })
    const copy = await jsonObject(fixture.test.post('/jobs/1/duplicate.json', { as: fixture.admin }))
    expect(copy).toMatchObject({ id: 2, plan: null, user: { id: fixture.admin.id } })
    expect(await statusOf(fixture.test.post('/jobs/1/duplicate.json', { as: fixture.other }))).toBe(403)
    expect(await statusOf(fixture.test.post('/jobs/2/duplicate.json', { as: fixture.owner }))).toBe(404)
    expect(await statusOf(fixture.test.post('/jobs/1/duplicate.json'))).toBe(401)
  })

  test('counts towards the limit of an account', async () => {
    await post(JOB_FIELDS)
    const duplicate = () => statusOf(fixture.test.post('/jobs/1/duplicate.json', { as: fixture.owner }))
    for (let count = 0; count < 60; count++) expect(await duplicate()).toBe(201)
    expect(await duplicate()).toBe(429)
  })
})
