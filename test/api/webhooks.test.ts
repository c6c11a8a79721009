import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import type { Account } from '../helpers/board.ts'
import { dump, type FixtureBoard, JOB_FIELDS, openFixtureBoard } from '../helpers/fixtures.ts'
import { fieldErrors, jsonList, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
beforeEach(async () => {
  fixture = await openFixtureBoard()
})
afterEach(() => fixture.test.close())

const URL_FIELD = { url: 'https://receiver.example.com/hooks/jobs?key=k3y' }
const create = (fields: object = URL_FIELD, as = fixture.admin) =>
  fixture.test.post('/webhooks.json', { as, body: fields })
const update = (fields: object) => fixture.test.put('/webhooks/1.json', { as: fixture.admin, body: fields })
const read = () => jsonObject(fixture.test.get('/webhooks/1.json', { as: fixture.admin }))

describe('a webhook', () => {
  test('is created with a secret, which is shown once', async () => {
    const response = await create({ ...URL_FIELD, types: ['job.published'], description: 'Newsletter' })
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      'https://board.example.com/webhooks/1.json',
    ])
    const { secret, ...shown } = await jsonObject(response)
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(shown).toEqual({
      id: 1,
      url: URL_FIELD.url,
      types: ['job.published'],
      description: 'Newsletter',
      status: 'enabled',
      position: fixture.test.board.store.read.journal.lastId,
      skipped: 0,
      attempts: 0,
      next_attempt_at: null,
      error: null,
      created_at: '2026-01-10T18:21:59+00:00',
      updated_at: '2026-01-10T18:21:59+00:00',
    })
    expect(await read()).toEqual(shown)
    expect(await jsonList(fixture.test.get('/webhooks.json', { as: fixture.admin }))).toEqual([shown])
    const key = String(secret).slice(6)
    expect(JSON.stringify(fixture.test.board.store.read.journal.all())).not.toContain(key)
    expect(fixture.test.logged.join('\n')).not.toContain(key)
    const lines = await (await fixture.test.get('/export.jsonl', { as: fixture.admin })).text()
    expect(lines).not.toContain(key)
  })

  test('is changed field by field, and disabled', async () => {
    await create({ ...URL_FIELD, types: 'job.published, job.closed', description: 'A' })
    fixture.test.clock.now += DAY
    const disabled = await jsonObject(update({ status: 'disabled' }))
    expect(disabled).toMatchObject({
      status: 'disabled',
      types: ['job.published', 'job.closed'],
      description: 'A',
      updated_at: '2026-01-11T18:21:59+00:00',
    })
    fixture.test.clock.now += DAY
    const form = new URLSearchParams({ types: '', description: '' })
    expect(await jsonObject(update(form))).toEqual({
      ...disabled,
      types: [],
      description: null,
      updated_at: '2026-01-12T18:21:59+00:00',
    })
    fixture.test.clock.now += DAY
    expect(await jsonObject(update({ status: 'disabled', types: [] }))).toMatchObject({
      updated_at: '2026-01-12T18:21:59+00:00',
    })
  })

  test('is deleted with its deliveries', async () => {
    await create({ url: 'https://nowhere.invalid/' })
    expect(await jsonObject(fixture.test.post('/webhooks/1/test.json', { as: fixture.admin }))).toMatchObject(
      { type: 'webhook.test', seq: null, status: 'failed', error: "the host wasn't found" },
    )
    expect(fixture.test.board.store.read.webhookLogs.count).toBe(1)
    const remove = () => fixture.test.delete('/webhooks/1.json', { as: fixture.admin })
    expect(await jsonObject(remove())).toEqual({ message: 'The webhook was deleted.' })
    expect((await remove()).status).toBe(404)
    expect(fixture.test.board.store.read.webhookLogs.count).toBe(0)
  })

  test.each([
    [{}, { url: ['is required'] }],
    [{ url: 'nonsense' }, { url: [expect.stringContaining('must be an absolute')] }],
    [{ url: 'http://example.com' }, { url: ['must begin with https://'] }],
    [{ url: 'https://a:b@example.com' }, { url: ['must not contain a user name or password'] }],
    [{ url: 'https://127.0.0.1/' }, { url: [expect.stringContaining('must lead to the internet')] }],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, { url: [expect.stringContaining('must lead to the internet')] }],
    [{ url: 'https://169.254.169.254/' }, { url: [expect.stringContaining('no receiver')] }],
    [{ ...URL_FIELD, types: ['job.eaten'] }, { types: [expect.stringContaining('must be some of')] }],
    [{ ...URL_FIELD, status: 'failing' }, { status: ['must be one of enabled, disabled'] }],
    [{ ...URL_FIELD, description: 'a'.repeat(201) }, { description: [expect.stringContaining('too long')] }],
  ])('%j is refused', async (fields, errors) => {
    expect(await fieldErrors(create(fields))).toEqual(errors)
    expect(fixture.test.board.store.read.webhooks.count).toBe(0)
  })

  test('is one of at most 20', async () => {
    for (let at = 0; at < 20; at++) expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(409)
  })

  test('gets another secret, which is shown once, a few times a day', async () => {
    const { secret } = await jsonObject(create())
    const rotate = () => fixture.test.put('/webhooks/1/rotate.json', { as: fixture.admin })
    const rotated = await jsonObject(rotate())
    expect(rotated['secret']).toMatch(/^whsec_/)
    expect(rotated['secret']).not.toBe(secret)
    expect(await read()).not.toHaveProperty('secret')
    for (let at = 0; at < 3; at++) expect((await rotate()).status).toBe(200)
    expect((await rotate()).status).toBe(409)
    fixture.test.clock.now += DAY
    expect((await rotate()).status).toBe(200)
  })

  test('needs the scope admin', async () => {
    await create()
    const tokenWith = async (scope: string): Promise<Account> => {
      const body = { name: 'Program', scopes: [scope] }
      const { token } = await jsonObject(fixture.test.post('/tokens.json', { as: fixture.admin, body }))
      return { ...fixture.admin, authorization: `Bearer ${token}` }
    }
    const before = dump(fixture.test)['webhooks']
    const changes = await tokenWith('changes')
    for (const [method, path] of [
      ['GET', '/webhooks.json'],
      ['POST', '/webhooks.json'],
      ['GET', '/webhooks/1.json'],
      ['PUT', '/webhooks/1.json'],
      ['DELETE', '/webhooks/1.json'],
      ['PUT', '/webhooks/1/rotate.json'],
      ['POST', '/webhooks/1/test.json'],
      ['GET', '/webhooks/1/deliveries.json'],
      ['POST', '/webhooks/1/replay.json'],
    ] as const) {
      const response = await fixture.test.request(method, path, { as: changes })
      expect([path, response.status]).toEqual([path, 403])
    }
    expect(dump(fixture.test)['webhooks']).toEqual(before)
    expect((await create(URL_FIELD, await tokenWith('admin'))).status).toBe(201)
  })

  test('is replayed only from what is kept', async () => {
    await create({ ...URL_FIELD, status: 'disabled' })
    const replay = (after: unknown) =>
      fixture.test.post('/webhooks/1/replay.json', { as: fixture.admin, body: { after } })
    expect(await jsonObject(replay(0))).toMatchObject({ position: 0, status: 'disabled' })
    expect(await fieldErrors(replay(99_999))).toEqual({ after: [expect.stringContaining('must be at most')] })
    expect(await fieldErrors(replay(undefined))).toEqual({ after: ['is required'] })
    fixture.test.clock.now += 91 * DAY
    await fixture.test.board.journalTimer.run()
    await fixture.test.post('/jobs.json', { as: fixture.owner, body: JOB_FIELDS })
    const gone = await replay(0)
    expect([gone.status, await gone.json()]).toMatchObject([410, { earliest: expect.any(Number) }])
  })
})
