import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { type Account, PASSWORD, type TestBoard } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  openFixtureBoard,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { fieldErrors, jsonList, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard
let owner: Account
let admin: Account
beforeEach(async () => {
  fixture = await openFixtureBoard()
  ;({ test: board, owner, admin } = fixture)
})
afterEach(() => board.close())

const create = (fields: object, as = owner) =>
  board.post('/tokens.json', { as, body: { name: 'Import', ...fields } })

/** Creates a token, and returns an account that uses it. */
async function tokenOf(account: Account, ...scopes: string[]): Promise<Account & { tokenId: number }> {
  const { token, id } = await jsonObject(create({ scopes }, account))
  return { ...account, authorization: `Bearer ${token}`, tokenId: Number(id) }
}

describe('a token', () => {
  test('is shown once, with a prefix and a checksum, and only its hash is stored', async () => {
    const response = await create({ scopes: ['jobs:write', 'jobs:read'] })
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      'https://board.example.com/tokens/1.json',
    ])
    const { token, ...shown } = await jsonObject(response)
    expect(token).toMatch(/^cbt_[\w-]{32}[0-9a-z]{7}$/)
    expect(shown).toEqual({
      id: 1,
      name: 'Import',
      scopes: ['jobs:write', 'jobs:read'],
      created_at: '2026-01-10T18:21:59+00:00',
      expires_at: '2027-01-10T18:21:59+00:00',
      last_used_on: null,
    })
    expect(await jsonList(board.get('/tokens.json', { as: owner }))).toEqual([shown])
    expect(JSON.stringify(dump(board))).not.toContain(String(token).slice(4, 30))
    expect(board.logged.join('\n')).not.toContain(String(token).slice(4, 30))
  })

  test('identifies its account, without hashing, and shows the day of its last use', async () => {
    const token = await tokenOf(owner, 'jobs:write')
    const job = await jsonObject(board.post('/jobs.json', { as: token, body: REQUIRED_FIELDS }))
    expect(job).toMatchObject({ status: 'active', user: { id: owner.id } })
    expect(await jsonObject(board.get(`/jobs/${String(job['id'])}.json`, { as: token }))).toMatchObject({
      views: 0,
    })
    await Bun.sleep(20)
    const [shown] = await jsonList(board.get('/tokens.json', { as: owner }))
    expect(shown).toMatchObject({ last_used_on: '2026-01-10' })
  })

  test('expires, or never does', async () => {
    const { token } = await jsonObject(create({ scopes: 'jobs:read', expires_in_days: 1 }))
    const forever = await jsonObject(create({ scopes: 'jobs:read', expires_in_days: 0 }))
    expect(forever['expires_at']).toBeNull()
    board.clock.now += DAY
    const me = (value: unknown) =>
      board.get('/users/me.json', { headers: { authorization: `Bearer ${String(value)}` } })
    const refused = await me(token)
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { error: 'This token is invalid, has expired or was deleted.' },
    ])
    expect((await me(forever['token'])).status).toBe(200)
    expect(await jsonList(board.get('/tokens.json', { as: owner }))).toHaveLength(1)
  })

  test('ends at once when it is deleted, or its account', async () => {
    const token = await tokenOf(owner, 'jobs:read')
    const other = await tokenOf(owner, 'jobs:read')
    const status = async (as: Account) => (await board.get('/users/me.json', { as })).status
    expect(await status(token)).toBe(200)
    const deleted = await jsonObject(board.delete(`/tokens/${token.tokenId}.json`, { as: owner }))
    expect(deleted).toEqual({ message: 'The token "Import" was deleted.' })
    expect([await status(token), await status(other)]).toEqual([401, 200])
    await board.delete(`/users/${owner.id}.json`, { as: admin })
    expect(await status(other)).toBe(401)
  })

  test.each(['cbt_', 'nonsense', `cbt_${'a'.repeat(39)}`, 'cbt_ä'])('%j is no token', async text => {
    const response = await board.get('/jobs.json', { headers: { authorization: `Bearer ${text}` } })
    expect(response.status).toBe(401)
    expect(await response.text()).not.toContain(text)
  })

  test('of somebody else is not found, except by administrators', async () => {
    const { tokenId, authorization } = await tokenOf(owner, 'jobs:read')
    const path = `/tokens/${tokenId}.json`
    const read = (as: Account) => board.get(path, { as })
    expect((await read(fixture.other)).status).toBe(404)
    expect((await board.delete(path, { as: fixture.other })).status).toBe(404)
    expect(await jsonList(board.get('/tokens.json', { as: owner }))).toEqual([await jsonObject(read(owner))])
    expect((await read({ ...owner, authorization })).status).toBe(403)
    expect((await read(admin)).status).toBe(200)
    expect((await board.delete(path, { as: admin })).status).toBe(200)
    expect((await read(owner)).status).toBe(404)
  })
})

describe('a new token', () => {
  test.each([
    [{ scopes: [] }, { scopes: ['is required'] }],
    [{}, { scopes: ['is required'] }],
    [
      { scopes: ['jobs'] },
      {
        scopes: [
          'must be some of jobs:read, jobs:write, changes, subscribers, analytics, admin, sources:[a-z0-9._-]{1,64}',
        ],
      },
    ],
    [{ scopes: ['jobs:read', 'jobs:read'] }, { scopes: ['must not repeat a word'] }],
    [{ scopes: { a: 1 } }, { scopes: ['must be a list of words'] }],
    [{ scopes: ['admin'] }, { scopes: ['can be admin only for administrators'] }],
    [{ scopes: ['jobs:read'], name: ' ' }, { name: ['is required'] }],
    [{ scopes: ['jobs:read'], expires_in_days: 4000 }, { expires_in_days: ['must be from 0 to 3650'] }],
  ])('%j is refused', async (fields, errors) => {
    expect(await fieldErrors(create(fields))).toEqual(errors)
    expect(board.board.store.read.accessTokens.count).toBe(0)
  })

  test('takes its scopes as text in a form', async () => {
    const form = new URLSearchParams({ name: 'Form', scopes: 'jobs:read, jobs:write' })
    const { scopes } = await jsonObject(board.post('/tokens.json', { as: owner, body: form }))
    expect(scopes).toEqual(['jobs:read', 'jobs:write'])
  })

  test('is one of at most a hundred, without those that have expired', async () => {
    for (let at = 0; at < 100; at++) await create({ scopes: ['jobs:read'], expires_in_days: 1 })
    expect((await create({ scopes: ['jobs:read'] })).status).toBe(409)
    board.clock.now += DAY
    expect((await create({ scopes: ['jobs:read'] })).status).toBe(201)
  })
})

describe('a request with a token', () => {
  test('that lacks the scope is refused, and the scope is named', async () => {
    await insertJobs(board.board, [{ userId: admin.id }])
    const before = dump(board)
    const reader = await tokenOf(admin, 'jobs:read')
    const counter = await tokenOf(admin, 'analytics')
    const sent: readonly (readonly [Account, string, string, object | undefined, string])[] = [
      [reader, 'POST', '/jobs.json', REQUIRED_FIELDS, 'jobs:write'],
      [reader, 'PUT', '/jobs/1.json', { title: 'Other' }, 'jobs:write'],
      [reader, 'PUT', '/jobs/1/approve.json', undefined, 'admin'],
      [reader, 'GET', '/users.json', undefined, 'admin'],
      [reader, 'POST', '/users.json', { email: 'x@example.com', password: 'long enough' }, 'admin'],
      [reader, 'PUT', `/users/${admin.id}.json`, { password: 'another one' }, 'admin'],
      [reader, 'GET', '/subscribers.json', undefined, 'subscribers'],
      [reader, 'GET', '/analytics.json', undefined, 'analytics'],
      [reader, 'GET', '/settings.json', undefined, 'admin'],
      [counter, 'GET', '/jobs.json', undefined, 'jobs:read'],
      [counter, 'GET', '/jobs/1.json', undefined, 'jobs:read'],
      [counter, 'GET', '/jobs/1', undefined, 'jobs:read'],
      [counter, 'GET', '/categories.json', undefined, 'jobs:read'],
    ]
    for (const [as, method, path, body, scope] of sent) {
      const response = await board.request(method, path, {
        as,
        ...(body && { body }),
        headers: { accept: 'application/json' },
      })
      expect([method, path, response.status, await response.json()]).toEqual([
        method,
        path,
        403,
        { error: `This token lacks the scope "${scope}".` },
      ])
    }
    const { accessTokens: _, ...after } = dump(board) as Record<string, unknown>
    expect(before).toMatchObject(after)
    expect((await board.get('/analytics.json', { as: counter })).status).toBe(200)
  })

  test('with the scope changes may read the lists with which a client of the feed begins', async () => {
    const token = await tokenOf(admin, 'changes')
    for (const path of ['/jobs.json?status=all', '/categories.json', '/plans.json', '/changes.json'])
      expect([path, (await board.get(path, { as: token })).status]).toEqual([path, 200])
    expect((await board.post('/jobs.json', { as: token, body: REQUIRED_FIELDS })).status).toBe(403)
  })

  test('with the scope admin may do everything that its account may', async () => {
    const token = await tokenOf(admin, 'admin')
    for (const path of [
      '/users.json',
      '/subscribers.json',
      '/analytics.json',
      '/settings.json',
      '/jobs.json',
    ])
      expect([path, (await board.get(path, { as: token })).status]).toEqual([path, 200])
  })

  test("can't do more than its account: a role that was taken away is gone", async () => {
    const second = await board.account('second@example.com', 'admin')
    const token = await tokenOf(second, 'admin')
    await board.put(`/users/${second.id}.json`, { as: admin, body: { role: 'user' } })
    expect((await board.get('/users.json', { as: token })).status).toBe(403)
  })

  test("can't manage tokens", async () => {
    const token = await tokenOf(admin, 'admin')
    for (const response of [
      await board.get('/tokens.json', { as: token }),
      await create({ scopes: ['jobs:read'] }, token),
      await board.delete(`/tokens/${token.tokenId}.json`, { as: token }),
    ])
      expect([response.status, await response.json()]).toEqual([
        403,
        { error: "Tokens can't manage tokens. Use the password of the account." },
      ])
  })

  test('survives a new password', async () => {
    const token = await tokenOf(owner, 'jobs:read')
    await board.put(`/users/${owner.id}.json`, { as: owner, body: { password: `${PASSWORD} 2` } })
    expect((await board.get('/users/me.json', { as: token })).status).toBe(200)
  })
})
