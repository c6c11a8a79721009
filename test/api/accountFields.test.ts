import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { SECOND } from '../../src/base/clock.ts'
import { type Account, basic, PASSWORD, type TestBoard } from '../helpers/board.ts'
import { dump, type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'
import { readOwnAccount } from '../helpers/ownAccount.ts'
import { fieldErrors, jsonList, jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeEach(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
})
afterEach(() => board.close())

const me = (authorization: string) => readOwnAccount(board, authorization)
const put = (path: string, body: object, as: Account = fixture.admin) => board.put(path, { as, body })
const post = (path: string, body: object) => board.post(path, { as: fixture.admin, body })

describe('a new account', () => {
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
