import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/clock.ts'
import { BLANKS, FIELD_RULES, NOT_WHOLE } from '../helpers/fieldRules.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  openFixtureBoard,
  PLAN_ID,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
let job: string

beforeAll(async () => {
  fixture = await openFixtureBoard()
  const [id] = await insertJobs(fixture.test.board, [{ userId: fixture.owner.id }])
  job = `/jobs/${id}.json`
})
// an account may post 60 jobs a minute
beforeEach(() => {
  fixture.test.clock.now += MINUTE
})
afterAll(() => fixture.test.close())

const create = (body: object) => fixture.test.post('/jobs.json', { as: fixture.owner, body })
const update = (body: object) => fixture.test.put(job, { as: fixture.owner, body })

/** The fields that have another name in responses. */
const RESPONSE_NAMES: Record<string, string> = { category_id: 'category', term_id: 'term' }

/** Returns the id of a value that has one, else the value. */
const idOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'id' in value ? { id: value.id } : value

describe.each(Object.entries(FIELD_RULES))('%s', (field, { accepted, refused, others = {} }) => {
  test.each(accepted)('accepts %j', async (sent, shown = sent) => {
    for (const [response, status] of [
      [await create({ ...REQUIRED_FIELDS, ...others, [field]: sent }), 201],
      [await update({ ...others, [field]: sent }), 200],
    ] as const) {
      expect(response.status).toBe(status)
      expect(idOf((await jsonObject(response))[RESPONSE_NAMES[field] ?? field])).toEqual(shown)
    }
  })

  test.each(refused.map(sent => [sent]))('refuses %j', async sent => {
    const before = dump(fixture.test)
    const errors = { [field]: [expect.any(String)] }
    expect(await fieldErrors(create({ ...REQUIRED_FIELDS, ...others, [field]: sent }))).toEqual(errors)
    // an optional field keeps its value if it is sent blank
    const isKept = field.startsWith('application_') && BLANKS.includes(sent)
    if (!isKept) expect(await fieldErrors(update({ ...others, [field]: sent }))).toEqual(errors)
    expect(dump(fixture.test)).toEqual(before)
  })
})

describe('plan_id', () => {
  test.each([[PLAN_ID.basic], ['2'], [PLAN_ID.endless]])('accepts %j', async sent => {
    const response = await create({ ...REQUIRED_FIELDS, plan_id: sent })
    expect(await jsonObject(response)).toMatchObject({ plan: { id: Number(sent) } })
  })

  test.each([...NOT_WHOLE, '', null, 0, 999, PLAN_ID.archived].map(sent => [sent]))(
    'refuses %j',
    async sent =>
      expect(await fieldErrors(create({ ...REQUIRED_FIELDS, plan_id: sent }))).toEqual({
        plan_id: [expect.any(String)],
      }),
  )

  test.each([[2], ['2'], [999], ['nonsense'], [1.5]])("can't be changed to %j", async sent => {
    const before = dump(fixture.test)
    expect(await fieldErrors(update({ plan_id: sent, title: 'x' }))).toEqual({
      plan_id: [expect.any(String)],
    })
    expect(dump(fixture.test)).toEqual(before)
  })

  test.each([[1], ['1'], [null], ['']])(
    'changes nothing when it is the own one, or blank: %j',
    async sent => {
      const before = await jsonObject(fixture.test.get(job, { as: fixture.owner }))
      expect(await jsonObject(update({ plan_id: sent }))).toEqual(before)
    },
  )
})

test.each([
  ['1e400', 422],
  ['1e2', '100'],
  ['5.0', '5'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', 422],
  ['9007199254740993', 422],
  ['0.1', 422],
])('a salary written in JSON as %s is %p', async (number, outcome) => {
  const response = await fixture.test.put(job, {
    as: fixture.owner,
    body: `{"salary": ${number}, "salary_currency": "EUR"}`,
    headers: { 'content-type': 'application/json' },
  })
  if (typeof outcome === 'number') expect(response.status).toBe(outcome)
  else expect(await jsonObject(response)).toMatchObject({ salary: outcome })
})
