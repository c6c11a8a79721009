import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { basic, PASSWORD, type TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'
import { readOwnAccount } from '../helpers/ownAccount.ts'
import { jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
})
afterAll(() => board.close())

/** Each test uses an address of its own, so that none is limited by another's failures. */
let address: string
let tests = 0
beforeEach(() => {
  tests++
  address = `198.51.100.${tests}`
})

const statusFor = (authorization: string) => statusOf(readOwnAccount(board, authorization, address))
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')

const RIGHT = base64(`owner@example.com:${PASSWORD}`)

describe('credentials', () => {
  test.each([
    ['as usually sent', `Basic ${RIGHT}`],
    ['with the scheme in lower case', `basic ${RIGHT}`],
    ['with the scheme in upper case', `BASIC ${RIGHT}`],
    ['with spaces around them', `Basic   ${RIGHT}  `],
    ['without padding', `Basic ${RIGHT.replaceAll('=', '')}`],
    ['with the address in another case', basic('OWNER@Example.COM', PASSWORD)],
  ])('are accepted %s', async (_, header) => expect(await statusFor(header)).toBe(200))

  test.each([
    ['of an unknown address', basic('nobody@example.com', PASSWORD)],
    ['with another password', basic('owner@example.com', 'wrong horse')],
    ['with the password in another case', basic('owner@example.com', PASSWORD.toUpperCase())],
    ['with a space after the password', basic('owner@example.com', `${PASSWORD} `)],
    ['without a password', basic('owner@example.com', '')],
    ['without an address', basic('', PASSWORD)],
    ['with only a colon', `Basic ${base64(':')}`],
    ['without a colon', `Basic ${base64('owner@example.com')}`],
    ['without a value', 'Basic '],
    ['without a scheme', RIGHT],
    ['of another scheme', 'Bearer abc'],
    ['of a scheme with the same beginning', `Basicx ${RIGHT}`],
    ['that are not base64', 'Basic !!!!'],
    ['that are not UTF-8', `Basic ${base64(Buffer.from('owner@example.com:\xff', 'latin1'))}`],
    ['with NUL in the address', basic('owner@example.com\0', PASSWORD)],
    ['with an address of 8,000 characters', basic('x'.repeat(8000), PASSWORD)],
    ['with a password of 257 bytes', basic('owner@example.com', 'x'.repeat(257))],
    ['twice', `Basic ${RIGHT}, Basic ${RIGHT}`],
    ['that are empty', ''],
  ])('are refused %s', async (_, authorization) => {
    const response = await board.get('/jobs.json', { headers: { authorization, 'x-forwarded-for': address } })
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
    const headers = { authorization: basic('owner@example.com', 'wrong horse'), 'x-forwarded-for': address }
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
    expect(await statusOf(board.post('/users.json', { as: fixture.admin, body: { email, password } }))).toBe(
      201,
    )
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
