import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { type AccountPatch, changeUser, removeUser } from '../../src/accounts/users.ts'
import { DAY, MINUTE, SECOND } from '../../src/base/clock.ts'
import { Store } from '../../src/store/store.ts'
import { type Account, basic, PASSWORD, START, type TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'
import { readOwnAccount } from '../helpers/ownAccount.ts'
import { statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeEach(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
})
afterEach(() => board.close())

const statusFor = (authorization: string, address?: string) =>
  statusOf(readOwnAccount(board, authorization, address))
const put = (path: string, body: object, as: Account = fixture.admin) => board.put(path, { as, body })
const base64 = (text: string) => Buffer.from(text).toString('base64')

const OWNER = `owner@example.com:${PASSWORD}`

describe('a verified credential', () => {
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
      await otherStore.write(tables => changeUser(tables, () => board.clock.now, id, patch))
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
    await otherStore.write(tables => removeUser(tables, id))
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
    const from = (at: number) => statusFor(fixture.owner.authorization, `203.0.113.${at}`)
    for (let at = 0; at < 21; at++) await from(at)
    for (let at = 1; at < 21; at++) expect(await from(at)).toBe(200)
    expect(verifying).toHaveBeenCalledTimes(21)
    expect(await from(0)).toBe(200)
    expect(verifying).toHaveBeenCalledTimes(22)
  })
})
