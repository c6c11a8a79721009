import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/clock.ts'
import { BLANKS } from '../helpers/fieldRules.ts'
import { type FixtureBoard, openFixtureBoard, REQUIRED_FIELDS } from '../helpers/fixtures.ts'
import { jsonObject } from '../helpers/responses.ts'

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

/** Fields with a default. Blank values count as not sent. */
const DEFAULTS = {
  arrangement: ['remote', 'hybrid'],
  salary_currency: ['USD', 'EUR'],
  salary_period: ['monthly', 'daily'],
  application_type: ['url', 'email'],
} as const

const ALL_DEFAULTS = {
  arrangement: 'remote',
  salary: '',
  salary_currency: 'USD',
  salary_period: 'monthly',
  application_type: 'url',
  logo: '',
}

describe.each(Object.entries(DEFAULTS))('%s', (field, [preset, other]) => {
  test.each(BLANKS.map(sent => [sent]))(
    'sent as %j takes its default, and stays on an update',
    async sent => {
      const created = await jsonObject(
        create({ ...REQUIRED_FIELDS, application_email: 'a@b.example', [field]: sent }),
      )
      expect(created[field]).toBe(preset)
      const path = `/jobs/${Number(created['id'])}.json`
      await fixture.test.put(path, { as: fixture.owner, body: { [field]: other } })
      const response = fixture.test.put(path, { as: fixture.owner, body: { [field]: sent } })
      expect(await jsonObject(response)).toMatchObject({ [field]: other })
    },
  )
})

test('a form with empty optional inputs creates a job with the defaults', async () => {
  const { category_id, term_id, plan_id, ...plain } = REQUIRED_FIELDS
  const parents = { category_id: String(category_id), term_id: String(term_id), plan_id: String(plan_id) }
  const empty = { arrangement: '', salary: '', salary_currency: '', salary_period: '', application_type: '' }
  const fields = { ...plain, ...parents, ...empty, application_email: '', logo: '' }
  const names = Object.entries(fields).map(([name, value]): [string, string] => [`job[${name}]`, value])
  const response = await create(new URLSearchParams(names))
  expect(response.status).toBe(201)
  expect(await jsonObject(response)).toMatchObject(ALL_DEFAULTS)
})

describe('a new job', () => {
  test('has defaults for fields that were not sent', async () =>
    expect(await jsonObject(create(REQUIRED_FIELDS))).toMatchObject(ALL_DEFAULTS))
})
