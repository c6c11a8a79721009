import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { BASE_URL, basic, PASSWORD } from '../helpers/board.ts'
import { dump, type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { jsonObject, statusOf } from '../helpers/responses.ts'

const NAMED = 'https://front.example'
const HOSTILE = 'https://hostile.example'

/** The headers a browser sends, and when the request may make changes: always, never, or where NAMED is allowed. */
const HEADERS: readonly (readonly [Record<string, string>, allowed: 'always' | 'if named' | 'never'])[] = [
  [{}, 'always'],
  [{ 'sec-fetch-site': 'same-origin' }, 'always'],
  [{ 'sec-fetch-site': 'none' }, 'always'],
  [{ 'sec-fetch-site': 'cross-site' }, 'never'],
  [{ 'sec-fetch-site': 'same-site' }, 'never'],
  [{ origin: BASE_URL }, 'always'],
  [{ origin: BASE_URL, 'sec-fetch-site': 'same-origin' }, 'always'],
  [{ origin: BASE_URL, 'sec-fetch-site': 'cross-site' }, 'never'],
  [{ origin: HOSTILE }, 'never'],
  [{ origin: HOSTILE, 'sec-fetch-site': 'same-origin' }, 'never'],
  [{ origin: HOSTILE, host: 'hostile.example' }, 'never'],
  [{ origin: 'http://localhost' }, 'never'],
  [{ origin: 'http://board.example.com' }, 'never'],
  [{ origin: `${BASE_URL}:8443` }, 'never'],
  [{ origin: `${BASE_URL}.hostile.example` }, 'never'],
  [{ origin: `${BASE_URL}, ${HOSTILE}` }, 'never'],
  [{ origin: 'null' }, 'never'],
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 'never'],
  [{ origin: '' }, 'never'],
  [{ origin: '*' }, 'never'],
  [{ origin: NAMED }, 'if named'],
  [{ origin: NAMED, 'sec-fetch-site': 'cross-site' }, 'if named'],
  [{ origin: NAMED, 'sec-fetch-site': 'same-site' }, 'if named'],
]

const CONFIGS = [['*'], [`${NAMED},https://other.example`]] as const

describe.each(CONFIGS)('With --cors-origin %s, a request with credentials', corsOrigin => {
  let fixture: FixtureBoard
  let accounts = 0

  beforeAll(async () => {
    fixture = await openFixtureBoard('--cors-origin', corsOrigin)
  })
  afterAll(() => fixture.test.close())

  /** Requests that change something, with their status on success. */
  async function changes(): Promise<readonly (readonly [string, string, object | undefined, number])[]> {
    const name = `new${++accounts}`
    const account = { email: `${name}@example.com`, password: 'long enough', role: 'admin' }
    const form = new FormData()
    for (const [field, value] of Object.entries(account))
      form.set(field, `${field === 'email' ? 'x' : ''}${value}`)
    const [job] = await insertJobs(fixture.test.board, [{ userId: fixture.owner.id }])
    return [
      ['POST', '/users.json', new URLSearchParams(account), 201],
      ['POST', '/users.json', form, 201],
      ['POST', '/subscribers.json', { email: account.email }, 202],
      ['PUT', '/categories/1.json', { name }, 200],
      ['PUT', '/plans/1/archive.json', undefined, 200],
      ['PUT', '/plans/1/activate.json', undefined, 200],
      ['DELETE', `/jobs/${job}.json`, undefined, 200],
    ]
  }

  test.each(HEADERS)('from %j may make changes %s', async (headers, allowed) => {
    const isAllowed = allowed === 'always' || (allowed === 'if named' && corsOrigin.startsWith(NAMED))
    for (const [method, path, body, status] of await changes()) {
      const before = dump(fixture.test)
      const response = await fixture.test.request(method, path, {
        as: fixture.admin,
        headers,
        ...(body && { body }),
      })
      expect([path, response.status]).toEqual([path, isAllowed ? status : 403])
      if (isAllowed) continue
      expect(dump(fixture.test)).toEqual(before)
      expect((await jsonObject(response))['error']).toMatch(/--cors-origin.*--base-url/)
    }
  })

  test.each(HEADERS)('from %j may read', async headers => {
    for (const method of ['GET', 'HEAD'])
      expect(
        await statusOf(fixture.test.request(method, '/users.json', { as: fixture.admin, headers })),
      ).toBe(200)
    expect(
      await statusOf(fixture.test.request('OPTIONS', '/users.json', { as: fixture.admin, headers })),
    ).toBe(204)
  })

  test('from another site is refused before its credentials are checked', async () => {
    const verifying = spyOn(fixture.test.board.accounts.passwords, 'verify')
    for (const authorization of [
      basic(fixture.admin.email, 'wrong horse'),
      basic('x@example.com', PASSWORD),
      'Bearer x',
    ]) {
      const headers = { authorization, 'sec-fetch-site': 'cross-site' }
      expect(await statusOf(fixture.test.post('/users.json', { headers }))).toBe(403)
      expect(await statusOf(fixture.test.request('PATCH', '/nothing/here', { headers }))).toBe(403)
    }
    expect(verifying).not.toHaveBeenCalled()
  })

  test.each(HEADERS)(
    'is required for refusal: without credentials, a request from %j may subscribe',
    async headers => {
      const from = { ...headers, 'x-forwarded-for': `203.0.113.${++accounts}` }
      const body = { email: `reader${accounts}@example.com` }
      expect(await statusOf(fixture.test.post('/subscribers.json', { body, headers: from }))).toBe(202)
      expect(await statusOf(fixture.test.post('/users.json', { body, headers: from }))).toBe(401)
    },
  )
})
