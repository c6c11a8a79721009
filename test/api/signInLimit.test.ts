import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { DAY, MINUTE, SECOND } from '../../src/base/clock.ts'
import { basic, PASSWORD, START, type TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'
import { readOwnAccount } from '../helpers/ownAccount.ts'
import { jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeEach(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
})
afterEach(() => board.close())

const me = (authorization: string, address: string) => readOwnAccount(board, authorization, address)

describe('sign-in after ten failures in a minute', () => {
  const FROM = '203.0.113.7'
  const wrong = (at: number) => basic(`guess${at}@example.com`, PASSWORD)

  async function fail(times: number, address = FROM) {
    for (let at = 0; at < times; at++) expect((await me(wrong(at), address)).status).toBe(401)
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
    expect((await me(fixture.owner.authorization, '203.0.113.8')).status).toBe(200)
    await fail(10)
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(429)
  })

  test('refuses credentials of an account that changed', async () => {
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(200)
    await fail(10)
    const change = { as: fixture.admin, body: { password: 'another one' } }
    await board.put(`/users/${fixture.owner.id}.json`, change)
    expect((await me(fixture.owner.authorization, FROM)).status).toBe(429)
    expect((await me(basic('owner@example.com', 'another one'), FROM)).status).toBe(429)
  })

  test('does not affect requests without credentials', async () => {
    await fail(10)
    expect(await statusOf(board.get('/jobs.json', { headers: { 'x-forwarded-for': FROM } }))).toBe(200)
    expect(await statusOf(board.get('/users.json', { headers: { 'x-forwarded-for': FROM } }))).toBe(401)
    for (const authorization of ['Bearer x', 'Digest username="x"', 'Basic !!!!', 'Basic', ''])
      for (const path of ['/jobs.json', '/health.json', '/users.json'])
        expect(await statusOf(board.get(path, { headers: { 'x-forwarded-for': FROM, authorization } }))).toBe(
          401,
        )
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
    await fail(10, '2001:db8:1:2::1')
    expect((await me(wrong(99), '2001:db8:1:2:ffff::9')).status).toBe(429)
    expect((await me(wrong(99), '2001:db8:1:3::1')).status).toBe(401)
    expect((await me(fixture.owner.authorization, '203.0.113.8')).status).toBe(200)
  })

  test('ignores forged addresses before the proxy’s own', async () => {
    await fail(10)
    expect((await me(wrong(99), '198.51.100.1, 203.0.113.7')).status).toBe(429)
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
