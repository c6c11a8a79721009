import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { type AccountPatch, changeAccount, removeAccount } from '../../src/accounts/users.ts'
import { Store } from '../../src/store/store.ts'
import { type Account, basic, PASSWORD, START, type TestBoard } from '../helpers/board.ts'
import { dump, type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'
import { fieldErrors, jsonList, jsonObject, statusOf } from '../helpers/responses.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

let fixture: FixtureBoard
let board: TestBoard

async function open() {
  fixture = await openFixtureBoard()
  board = fixture.test
}
const close = () => board.close()

/** Each test uses an address of its own, so that none is limited by another's failures. */
let tests = 0
beforeEach(() => {
  tests++
})

const forwardedFor = () => ({ 'x-forwarded-for': `198.51.100.${tests}` })
const me = (authorization: string, headers: Record<string, string> = forwardedFor()) =>
  board.get('/users/me.json', { headers: { authorization, ...headers } })
const statusFor = (authorization: string) => statusOf(me(authorization))
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const put = (path: string, body: object, as: Account = fixture.admin) => board.put(path, { as, body })
const post = (path: string, body: object, as: Account = fixture.admin) => board.post(path, { as, body })

const OWNER = `owner@example.com:${PASSWORD}`
const RIGHT = base64(OWNER)

describe('credentials', () => {
  beforeAll(open)
  afterAll(close)

  test.each([
    ['as everybody sends them', `Basic ${RIGHT}`],
    ['with the scheme in small letters', `basic ${RIGHT}`],
    ['with the scheme in capitals', `BASIC ${RIGHT}`],
    ['with spaces around', `Basic   ${RIGHT}  `],
    ['without padding', `Basic ${RIGHT.replaceAll('=', '')}`],
    ['with the address in another case', basic('OWNER@Example.COM', PASSWORD)],
  ])('are accepted %s', async (_, header) => expect(await statusFor(header)).toBe(200))

  test.each([
    ['of nobody we know', basic('nobody@example.com', PASSWORD)],
    ['with another password', basic('owner@example.com', 'wrong horse')],
    ['with the password in another case', basic('owner@example.com', PASSWORD.toUpperCase())],
    ['with a space after the password', basic('owner@example.com', `${PASSWORD} `)],
    ['with no password', basic('owner@example.com', '')],
    ['with no address', basic('', PASSWORD)],
    ['with nothing but a colon', `Basic ${base64(':')}`],
    ['without a colon', `Basic ${base64('owner@example.com')}`],
    ['without anything', 'Basic '],
    ['without a scheme', RIGHT],
    ['of another scheme', 'Bearer abc'],
    ['of a scheme that begins alike', `Basicx ${RIGHT}`],
    ['that are not base64', 'Basic !!!!'],
    ['that are not UTF-8', `Basic ${base64(Buffer.from('owner@example.com:\xff', 'latin1'))}`],
    ['with NUL in the address', basic('owner@example.com\0', PASSWORD)],
    ['with an address of 8,000 characters', basic('x'.repeat(8000), PASSWORD)],
    ['with a password of 257 bytes', basic('owner@example.com', 'x'.repeat(257))],
    ['twice', `Basic ${RIGHT}, Basic ${RIGHT}`],
    ['that are empty', ''],
  ])('are refused %s', async (_, authorization) => {
    const response = await board.get('/jobs.json', { headers: { authorization, ...forwardedFor() } })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Corkboard", charset="UTF-8"')
    expect(await jsonObject(response)).toEqual({ error: 'Invalid Email or password.' })
  })

  test.each([
    ['GET', '/users/me.json'],
    ['GET', '/health.json'],
    ['GET', '/nothing/here'],
    ['POST', '/jobs.json'],
    ['PATCH', '/jobs.json'],
    ['OPTIONS', '/jobs.json'],
    ['GET', '/logos/x.webp'],
  ])('that are wrong are refused at %s %s', async (method, path) => {
    const headers = { authorization: basic('owner@example.com', 'wrong horse'), ...forwardedFor() }
    expect(await statusOf(board.request(method, path, { headers }))).toBe(401)
  })

  test.each([
    'pass:with:colons:',
    'pässwörd',
    '  spaces  ',
    '🦀🦀🦀🦀🦀🦀🦀🦀',
    'x'.repeat(256),
    '密'.repeat(85),
    '\u0001control\u007f',
    '12345678',
  ])('may have the password %j', async password => {
    const email = `new${tests}@example.com`
    expect(await statusOf(post('/users.json', { email, password }))).toBe(201)
    expect(await statusFor(basic(email, password))).toBe(200)
    expect(await statusFor(basic(email, `${password}x`))).toBe(401)
  })

  test('are requested with the board’s name, as far as a header can contain it', async () => {
    const named = await openFixtureBoard('--name', 'Brett "am" Café 木')
    const response = await named.test.get('/users.json')
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Brett am Caf", charset="UTF-8"')
    await named.test.close()
  })
})

describe('a new account', () => {
  beforeAll(open)
  afterAll(close)

  test.each([
    [{ email: '', password: '', role: '' }, 'email password'],
    [{}, 'email password'],
    [{ email: 'x', password: 'long enough' }, 'email'],
    [{ email: 7, password: 7 }, 'email password'],
    [{ email: `${'a'.repeat(64)}@${'b.'.repeat(94)}bb`, password: 'long enough' }, 'email'],
    [{ email: 'a@b.example\r\nBcc: c@d.example', password: 'long enough' }, 'email'],
    [{ email: 'OWNER@example.com', password: 'long enough' }, 'email'],
    [{ email: 'a@b.example', password: '1234567' }, 'password'],
    [{ email: 'a@b.example', password: '🦀'.repeat(7) }, 'password'],
    [{ email: 'a@b.example', password: 'x'.repeat(257) }, 'password'],
    [{ email: 'a@b.example', password: '密'.repeat(86) }, 'password'],
    [{ email: 'a@b.example', password: 'NUL\0NUL\0' }, 'password'],
    [{ email: 'a@b.example', password: 'half a pair \ud83e' }, 'password'],
    [{ email: 'a@b.example', password: 'long enough', role: 'root' }, 'role'],
    [{ email: 'a@b.example', password: 'long enough', role: ['admin'] }, 'role'],
  ])('is not created from %j', async (body, fields) => {
    const before = dump(board)
    expect(Object.keys(Object(await fieldErrors(post('/users.json', body))))).toEqual(fields.split(' '))
    expect(dump(board)).toEqual(before)
  })
})

describe('an account', () => {
  beforeEach(open)
  afterEach(close)

  test('is shown without its password and with its address in lower case', async () => {
    const body = { email: ' New@Example.COM ', password: 'long enough', id: 7, epoch: 7 }
    const response = await post('/users.json', body)
    const account = {
      id: 4,
      email: 'new@example.com',
      role: 'user',
      created_at: '2026-01-10T18:21:59+00:00',
      updated_at: '2026-01-10T18:21:59+00:00',
    }
    expect(response.headers.get('location')).toBe('https://board.example.com/users/4.json')
    expect(await jsonObject(response)).toEqual(account)
    expect((await jsonList(board.get('/users.json', { as: fixture.admin }))).at(-1)).toEqual(account)
    expect(await jsonObject(me(basic('new@example.com', 'long enough')))).toEqual(account)
  })

  test('may be changed by its user, except the role', async () => {
    const path = `/users/${fixture.owner.id}.json`
    const ownAccount = await jsonObject(me(fixture.owner.authorization))
    board.clock.now += SECOND
    expect(await jsonObject(put(path, ownAccount, fixture.owner))).toEqual(ownAccount)
    expect(await statusOf(put(path, { role: 'admin', password: 'x' }, fixture.owner))).toBe(403)
    expect(await jsonObject(put(path, { email: 'NEW@example.com' }, fixture.owner))).toMatchObject({
      email: 'new@example.com',
      role: 'user',
      updated_at: '2026-01-10T18:22:00+00:00',
    })
    expect(await fieldErrors(put(path, { email: 'other@example.com' }, fixture.admin))).toEqual({
      email: [expect.any(String)],
    })
    expect(await statusOf(me(basic('new@example.com', PASSWORD)))).toBe(200)
  })

  test.each([{ role: 'user' }, { role: 'user', email: 'x@example.com' }])(
    'that is the last administrator stays one: %j',
    async body => {
      const before = dump(board)
      const path = `/users/${fixture.admin.id}.json`
      expect(await statusOf(put(path, body))).toBe(409)
      expect(await statusOf(board.delete(path, { as: fixture.admin }))).toBe(409)
      expect(dump(board)).toEqual(before)
      await board.account('second@example.com', 'admin')
      expect(await statusOf(put(path, body))).toBe(200)
    },
  )
})

describe('a verified credential', () => {
  beforeEach(open)
  afterEach(close)

  test('is not hashed again for 24 hours', async () => {
    await statusFor(fixture.owner.authorization)
    const verifying = spyOn(board.board.accounts.passwords, 'verify')
    for (const moment of [0, 6 * MINUTE, DAY - 1]) {
      board.clock.now = START + moment
      expect(await statusFor(fixture.owner.authorization)).toBe(200)
    }
    expect(verifying).toHaveBeenCalledTimes(0)
    board.clock.now = START + DAY
    expect(await statusFor(fixture.owner.authorization)).toBe(200)
    expect(verifying).toHaveBeenCalledTimes(1)
  })

  test('is hashed once for many simultaneous requests', async () => {
    const verifying = spyOn(board.board.accounts.passwords, 'verify')
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => statusFor(fixture.owner.authorization)),
    )
    expect(new Set(responses)).toEqual(new Set([200]))
    expect(verifying).toHaveBeenCalledTimes(1)
  })

  const ENDS: readonly (readonly [string, () => Promise<unknown>, number])[] = [
    [
      'a new password',
      () => put(`/users/${fixture.owner.id}.json`, { password: 'another one' }, fixture.owner),
      401,
    ],
    ['a new address', () => put(`/users/${fixture.owner.id}.json`, { email: 'moved@example.com' }), 401],
    ['its removal', () => board.delete(`/users/${fixture.owner.id}.json`, { as: fixture.admin }), 401],
  ]

  test.each(ENDS)('ends at once after %s', async (_, change, status) => {
    expect(await statusFor(fixture.owner.authorization)).toBe(200)
    await change()
    expect(await statusFor(fixture.owner.authorization)).toBe(status)
  })

  test('has its new role at once, and loses it at once', async () => {
    const listStatus = () => statusOf(board.get('/users.json', { as: fixture.owner }))
    const path = `/users/${fixture.owner.id}.json`
    expect(await listStatus()).toBe(403)
    await put(path, { role: 'admin' })
    expect(await listStatus()).toBe(200)
    await put(path, { role: 'user' })
    expect(await listStatus()).toBe(403)
  })

  test('ends when a command changes the account while the server runs', async () => {
    const otherStore = await Store.open(`${board.folder}/data`, { shared: true })
    const { id } = fixture.owner
    // a read snapshot lasts for the rest of its event-loop turn, about a millisecond; a separate command takes longer
    const change = async (patch: AccountPatch) => {
      await changeAccount(otherStore, () => board.clock.now, id, patch)
      await Bun.sleep(10)
    }
    const list = () => statusOf(board.get('/users.json', { as: fixture.owner }))
    expect(await list()).toBe(403)
    await change({ role: 'admin' })
    expect(await list()).toBe(200)
    await change({ role: 'user' })
    expect(await list()).toBe(403)
    await change({ passwordHash: await hashPassword('another one') })
    expect(await list()).toBe(401)
    expect(await statusFor(basic('owner@example.com', 'another one'))).toBe(200)
    await removeAccount(otherStore, id)
    await Bun.sleep(10)
    expect(await statusFor(basic('owner@example.com', 'another one'))).toBe(401)
    await otherStore.close()
  })

  test('is the same however its header is written', async () => {
    await statusFor(fixture.owner.authorization)
    const verifying = spyOn(board.board.accounts.passwords, 'verify')
    const headers = [base64(OWNER), base64(`OWNER@Example.com:${PASSWORD}`)].flatMap(text => [
      text,
      text.replaceAll('=', ''),
    ])
    for (const scheme of ['Basic', 'basic', 'BASIC'])
      for (const spaces of [1, 2, 9])
        for (const text of headers)
          expect(await statusFor(`${scheme}${' '.repeat(spaces)}${text}${' '.repeat(spaces)}`)).toBe(200)
    expect(verifying).not.toHaveBeenCalled()
  })

  test('is hashed again after the clock was set back', async () => {
    await statusFor(fixture.owner.authorization)
    const verifying = spyOn(board.board.accounts.passwords, 'verify')
    board.clock.now = START - SECOND
    expect(await statusFor(fixture.owner.authorization)).toBe(200)
    expect(verifying).toHaveBeenCalledTimes(1)
  })

  test('is remembered for the last 20 networks of an account', async () => {
    const verifying = spyOn(board.board.accounts.passwords, 'verify')
    const from = (at: number) =>
      statusOf(me(fixture.owner.authorization, { 'x-forwarded-for': `203.0.113.${at}` }))
    for (let at = 0; at < 21; at++) await from(at)
    for (let at = 1; at < 21; at++) expect(await from(at)).toBe(200)
    expect(verifying).toHaveBeenCalledTimes(21)
    expect(await from(0)).toBe(200)
    expect(verifying).toHaveBeenCalledTimes(22)
  })
})

describe('sign-in after ten failures in a minute', () => {
  beforeEach(open)
  afterEach(close)

  const FROM = { 'x-forwarded-for': '203.0.113.7' }
  const wrong = (at: number) => basic(`guess${at}@example.com`, PASSWORD)

  async function fail(times: number, headers = FROM) {
    for (let at = 0; at < times; at++) expect((await me(wrong(at), headers)).status).toBe(401)
  }

  test('refuses all further credentials, right ones too, without hashing', async () => {
    await fail(10)
    const verifying = spyOn(board.board.accounts.passwords, 'verify')
    for (const header of [wrong(99), fixture.other.authorization, basic('x@example.com', 'x'.repeat(257))]) {
      const response = await me(header, FROM)
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBe(60)
      expect(await jsonObject(response)).toEqual({ error: expect.any(String) })
      expect(response.headers.has('www-authenticate')).toBeFalse()
    }
    expect(verifying).toHaveBeenCalledTimes(0)
  })

  test('accepts credentials that were verified from there within 24 hours', async () => {
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(200)
    for (const moment of [0, 6 * MINUTE, DAY - 1]) {
      board.clock.now = START + moment
      await fail(10)
      expect((await me(fixture.owner.authorization, FROM)).status).toBe(200)
    }
    board.clock.now = START + DAY
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(429)
  })

  test('refuses credentials that were verified from elsewhere, or guessing would be free', async () => {
    expect((await me(fixture.owner.authorization, { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200)
    await fail(10)
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(429)
  })

  test('refuses credentials of an account that changed', async () => {
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(200)
    await fail(10)
    await put(`/users/${fixture.owner.id}.json`, { password: 'another one' })
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(429)
    expect((await me(basic('owner@example.com', 'another one'), FROM)).status).toBe(429)
  })

  test('does not affect requests without credentials', async () => {
    await fail(10)
    expect(await statusOf(board.get('/jobs.json', { headers: FROM }))).toBe(200)
    expect(await statusOf(board.get('/users.json', { headers: FROM }))).toBe(401)
    for (const authorization of ['Bearer x', 'Digest username="x"', 'Basic !!!!', 'Basic', ''])
      for (const path of ['/jobs.json', '/health.json', '/users.json'])
        expect(await statusOf(board.get(path, { headers: { ...FROM, authorization } }))).toBe(401)
  })

  test('does not count requests without credentials', async () => {
    for (let at = 0; at < 30; at++) expect((await me('Bearer x', FROM)).status).toBe(401)
    await fail(10)
    expect((await me(wrong(99), FROM)).status).toBe(429)
  })

  test('locks nobody out when the clock is set back', async () => {
    await fail(10)
    board.clock.now = START - 30 * SECOND
    expect((await me(wrong(99), FROM)).status).toBe(401)
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(200)
    board.clock.now = START - 2 * DAY
    await fail(10)
    expect((await me(wrong(99), FROM)).headers.get('retry-after')).toBe('60')
  })

  test('is limited for the same IPv6 network, and not for other addresses', async () => {
    await fail(10, { 'x-forwarded-for': '2001:db8:1:2::1' })
    expect((await me(wrong(99), { 'x-forwarded-for': '2001:db8:1:2:ffff::9' })).status).toBe(429)
    expect((await me(wrong(99), { 'x-forwarded-for': '2001:db8:1:3::1' })).status).toBe(401)
    expect((await me(fixture.owner.authorization, { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200)
  })

  test('ignores forged addresses before the proxy’s own', async () => {
    await fail(10)
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
    expect((await me(wrong(99), headers)).status).toBe(429)
  })

  test('allows one more failure as each old one leaves the sliding minute', async () => {
    for (let at = 0; at < 10; at++) {
      board.clock.now = START + at * SECOND
      await fail(1)
    }
    const response = await me(wrong(99), FROM)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '51'])
    board.clock.now = START + MINUTE - 1
    expect((await me(wrong(99), FROM)).status).toBe(429)
    board.clock.now = START + MINUTE
    expect((await me(wrong(99), FROM)).status).toBe(401)
    expect((await me(wrong(99), FROM)).status).toBe(429)
    board.clock.now = START + MINUTE + SECOND
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(200)
  })

  test('hashes no more than ten passwords of a flood', async () => {
    const verifying = spyOn(board.board.accounts.passwords, 'verify')
    const responses = await Promise.all(Array.from({ length: 40 }, (_, at) => statusOf(me(wrong(at), FROM))))
    expect(responses.filter(status => status === 401)).toHaveLength(10)
    expect(responses.filter(status => status === 429)).toHaveLength(30)
    expect(verifying).toHaveBeenCalledTimes(10)
  })

  test('ignores the header without a trusted proxy', async () => {
    const unproxied = await openFixtureBoard('--trust-proxy', 'none')
    const ask = (at: number) =>
      unproxied.test.get('/users/me.json', {
        headers: { authorization: wrong(at), 'x-forwarded-for': `203.0.113.${at}` },
      })
    for (let at = 0; at < 10; at++) expect(await statusOf(ask(at))).toBe(401)
    expect(await statusOf(ask(10))).toBe(429)
    await unproxied.test.close()
  })
})
