import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE, timestamp } from '../../src/base/clock.ts'
import { NUL } from '../helpers/fieldRules.ts'
import {
  BASIC_PLAN_JSON,
  type FixtureBoard,
  insertJobs,
  JOB_FIELDS,
  openFixtureBoard,
  PLAN_ID,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
})
// an account may post 60 jobs a minute
beforeEach(() => {
  fixture.test.clock.now += MINUTE
})
afterAll(() => fixture.test.close())

const create = (body: object) => fixture.test.post('/jobs.json', { as: fixture.owner, body })

const JSON_TYPE = { 'content-type': 'application/json' }

async function readResponse(response: Promise<Response>) {
  const { status, headers } = await response
  return { status, headers, body: await jsonObject(response) }
}

describe('a new job', () => {
  test('shows what was sent, and its owner', async () => {
    const { status, headers, ...response } = await readResponse(create(JOB_FIELDS))
    const { category_id, term_id, plan_id: _, salary, ...plain } = JOB_FIELDS
    const url = `https://board.example.com/jobs/${response.body['id']}`
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${url}.json`)
    expect(response.body).toEqual({
      ...plain,
      id: expect.any(Number),
      salary: String(salary),
      category: { id: category_id, name: 'Trades' },
      term: { id: term_id, name: 'Full time' },
      plan: BASIC_PLAN_JSON,
      logo: '',
      url: `${url}.json`,
      preview_image_url: expect.stringMatching(new RegExp(`^${url}\\.png`)),
      created_at: timestamp(fixture.test.clock.now),
      updated_at: timestamp(fixture.test.clock.now),
      expires_at: timestamp(fixture.test.clock.now + 30 * DAY),
      status: 'active',
      views: 0,
      user: { id: fixture.owner.id, email: fixture.owner.email },
      publish_at: null,
      published_at: timestamp(fixture.test.clock.now),
      filled_at: null,
      closed_at: null,
      refusal: null,
      apply_clicks: 0,
      impressions: 0,
      source: null,
      external_id: null,
    })
  })

  test('has its fields in the documented order', async () => {
    const { body } = await readResponse(create(REQUIRED_FIELDS))
    const readJob = await jsonObject(fixture.test.get(`/jobs/${String(body['id'])}.json`))
    expect(Object.keys(readJob).join(' ')).toBe(
      'id title description location arrangement salary salary_currency salary_period company company_website ' +
        'application_type application_url term category plan logo url preview_image_url created_at',
    )
  })

  test.each([[{}], [undefined], ['']])('of %j gets an error for every required field at once', async body => {
    const response = fixture.test.post('/jobs.json', {
      as: fixture.owner,
      ...(body !== undefined && { body }),
    })
    expect(await fieldErrors(response)).toEqual({
      title: ['is required'],
      description: ['is required'],
      location: ['is required'],
      company: ['is required'],
      company_website: ['is required'],
      application_url: ['is required'],
      category_id: ['is required'],
      term_id: ['is required'],
      plan_id: ['is required'],
    })
  })

  test('gets an error for every wrong field at once, unknown ids and the logo included', async () => {
    const type = { application_type: 'email' }
    const wrong = {
      title: 'x'.repeat(65),
      description: NUL,
      location: 7,
      arrangement: 'moon',
      salary: -1,
      salary_currency: 'DEM',
      salary_period: 'often',
      company: '',
      company_website: 'ftp://x.example',
      application_email: 'nobody',
      category_id: 999,
      term_id: 999,
      plan_id: PLAN_ID.archived,
      logo: 7,
    }
    expect(Object.keys(Object(await fieldErrors(create({ ...type, ...wrong })))).toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    )
  })

  test('is refused without repeating any input', async () => {
    const SECRET = 'Rumpelstiltskin'
    const texts = Object.fromEntries(
      Object.keys({ ...JOB_FIELDS, logo: 1 }).map(name => [name, SECRET.repeat(99)]),
    )
    const [id] = await insertJobs(fixture.test.board, [{ userId: fixture.owner.id }])
    const responses = [
      await create(texts),
      await fixture.test.put(`/jobs/${id}.json`, { as: fixture.owner, body: texts }),
      await create([SECRET]),
      await fixture.test.post('/jobs.json', {
        as: fixture.owner,
        body: `{"${SECRET}": ${SECRET}}`,
        headers: JSON_TYPE,
      }),
      await fixture.test.get(`/jobs.json?term=${SECRET}&page=${SECRET}&status=${SECRET}`, {
        as: fixture.owner,
      }),
      await fixture.test.post('/users.json', {
        as: fixture.admin,
        body: { email: SECRET, password: 'short', role: SECRET },
      }),
    ]
    for (const response of responses) {
      expect(response.status).toBeOneOf([400, 422])
      expect(await response.text()).not.toContain(SECRET)
    }
  })
})
