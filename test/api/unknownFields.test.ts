import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Account } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  JOB_FIELDS,
  openFixtureBoard,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
  await fixture.test.post('/jobs.json', { as: fixture.owner, body: JOB_FIELDS })
  await fixture.test.post('/subscribers.json', { body: { email: 'reader@example.com' } })
})
afterAll(() => fixture.test.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Bodies, their headers, and the mistake that the error suggests. */
const MISTAKES: readonly (readonly [body: object | string, headers: Record<string, string>, RegExp])[] = [
  [{ job: { title: 'x', name: 'x', email: 'x', path: '/' } }, {}, /inside another object.*top level/],
  [{ 'job[title]': 'x' }, {}, /brackets.*plain names/],
  [JSON.stringify(REQUIRED_FIELDS), FORM, /looks like JSON.*application\/json/],
  [JSON.stringify({ 'a=b': 'c&d' }), FORM, /looks like JSON.*application\/json/],
  [new URLSearchParams({ 'posting[title]': 'x' }), {}, /in a form, wrap names as job\[name\]/],
  [{ ['__proto__']: 1, constructor: 2, toString: 3 }, {}, /No field was recognized/],
  [{ id: 1, url: 'https://board.example.com' }, {}, /No field was recognized/],
]

const TARGETS = [
  ['POST', '/jobs.json', /title, description, location.*plan_id, publish_at, draft, logo/],
  ['PUT', '/jobs/1.json', /title, description, location.*expires_at, logo/],
  ['POST', '/categories.json', /name/],
  ['PUT', '/terms/1.json', /name/],
  ['POST', '/plans.json', /name, price, period, highlight, badge, pin/],
  ['PUT', '/plans/1.json', /name, price, period, highlight, badge, pin/],
  ['POST', '/users.json', /email, password, role/],
  ['PUT', '/users/2.json', /email, password, role/],
  ['POST', '/subscribers.json', /email/],
  ['PUT', '/subscribers/1.json', /email, email_confirmed/],
  ['POST', '/password-resets.json', /email/],
] as const

describe.each(TARGETS)('%s %s without a known field', (method, path, fields) => {
  test.each(MISTAKES)('is refused: %j', async (body, headers, guess) => {
    const before = dump(fixture.test)
    const response = await fixture.test.request(method, path, { as: fixture.admin, body, headers })
    const { error, errors } = await jsonObject(response)
    expect([response.status, errors]).toEqual([422, undefined])
    expect(error).toMatch(guess)
    expect(error).toMatch(fields)
    expect(dump(fixture.test)).toEqual(before)
  })

  test('does not repeat any input', async () => {
    const secret = { user: { password: 'correct horse battery' }, 'correct horse battery': 1 }
    const response = await fixture.test.request(method, path, { as: fixture.admin, body: secret })
    expect(await response.text()).not.toContain('correct horse')
  })
})

test('unknown fields next to a known one are ignored', async () => {
  const body = { title: 'Rigger', job: { title: 'x' }, 'job[title]': 'y', views: 7 }
  expect(await jsonObject(fixture.test.put('/jobs/1.json', { as: fixture.owner, body }))).toMatchObject({
    title: 'Rigger',
    views: 0,
  })
})

test('a file alone is a known field', async () => {
  const form = new FormData()
  form.append('job[logo]', '')
  expect((await fixture.test.put('/jobs/1.json', { as: fixture.owner, body: form })).status).toBe(200)
})

/** The paths of resources, and who reads them. */
const RESOURCES: readonly (readonly [path: string, as: 'admin' | 'owner'])[] = [
  ['/jobs/1.json', 'owner'],
  ['/jobs/1.json', 'admin'],
  ['/categories/1.json', 'admin'],
  ['/terms/1.json', 'admin'],
  ['/plans/1.json', 'admin'],
  ['/plans/4.json', 'admin'],
  ['/users/2.json', 'owner'],
  ['/users/2.json', 'admin'],
  ['/users/1.json', 'admin'],
  ['/subscribers/1.json', 'admin'],
]

test.each(RESOURCES)('sending back %s as the %s read it changes nothing', async (path, who) => {
  const as: Account = fixture[who]
  const read = await jsonObject(fixture.test.get(path, { as }))
  const before = dump(fixture.test)
  fixture.test.clock.now += 86_400_000
  const response = await fixture.test.put(path, { as, body: read })
  expect([response.status, await jsonObject(response)]).toEqual([200, read])
  expect(dump(fixture.test)).toEqual(before)
})

test('an event names the fields that it knows, one of which is `job`', async () => {
  const response = await fixture.test.post('/events.json', { body: { id: 1, 'job[path]': '/' } })
  const { error } = await jsonObject(response)
  expect(response.status).toBe(422)
  expect(error).toMatch(/No field was recognized.*path, referrer, job, kind/)
})
