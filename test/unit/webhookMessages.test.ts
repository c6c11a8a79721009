import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.ts'
import { encodeBody } from '../../src/webhooks/messageBody.ts'
import { delayAfter, parseRetryAfter } from '../../src/webhooks/retries.ts'
import { newSecret, rotated, signatureHeaders } from '../../src/webhooks/secrets.ts'
import { START } from '../helpers/board.ts'
import { verify } from '../helpers/receiver.ts'

const text = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

describe('a body', () => {
  const encode = (data: object) => encodeBody('job.updated', START, { seq: 1, data })

  test('has the type, the time of the change and its data', () => {
    expect(JSON.parse(text(encode({ id: 2 })))).toEqual({
      type: 'job.updated',
      timestamp: '2026-01-10T18:21:59+00:00',
      data: { seq: 1, data: { id: 2 } },
    })
  })

  test.each([
    ['ASCII', 'a'.repeat(65_536)],
    ['characters that JSON escapes', '\n"\\\u0001'.repeat(16_000)],
    ['characters of three bytes', '界'.repeat(30_000)],
    ['pairs of surrogates', '😀'.repeat(30_000)],
  ])('with a long description in %s is smaller than 20 kB, and says so', (_, description) => {
    const body = encode({ title: 'Cook', description, refusal: 'no'.repeat(500) })
    expect(body.length).toBeWithin(19_900, 20_000)
    const { data } = JSON.parse(text(body))
    expect(data.shortened).toEqual(['description'])
    expect(data.data).toMatchObject({ title: 'Cook', refusal: 'no'.repeat(500) })
    expect(data.data.description).toEndWith('…')
    expect(description).toStartWith(data.data.description.slice(0, 1000))
  })

  test('with several long texts has all of them cut', () => {
    const body = encode({ a: 'a'.repeat(30_000), b: 'b'.repeat(40_000), c: 'c' })
    expect(body.length).toBeLessThan(20_000)
    expect(JSON.parse(text(body)).data.shortened).toEqual(['b', 'a'])
  })
})

describe('a secret', () => {
  const body = new TextEncoder().encode('{"type":"job.created"}')
  const message = { id: 'msg_1_2', body }
  const signed = (secrets: Parameters<typeof signatureHeaders>[0], now = Date.now()) => ({
    headers: signatureHeaders(secrets, message, now),
    text: text(body),
  })

  test('has 32 random bytes, and signs as two libraries expect', () => {
    const secret = newSecret()
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(newSecret()).not.toBe(secret)
    verify(secret, signed({ secret, oldSecrets: [] }))
    expect(() => verify(newSecret(), signed({ secret, oldSecrets: [] }))).toThrow('No matching signature')
    const late = signed({ secret, oldSecrets: [] }, Date.now() - HOUR)
    expect(() => verify(secret, late)).toThrow('too old')
  })

  test('signs for a day after it was replaced', () => {
    const secret = newSecret()
    const now = Date.now() - DAY + SECOND
    const secrets = rotated({ secret, oldSecrets: [] }, now)
    verify(secret, signed(secrets))
    verify(secrets.secret, signed(secrets))
    const headers = signatureHeaders(secrets, message, now + DAY)
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(1)
    const again = rotated(secrets, now)
    expect(signatureHeaders(again, message, now)['webhook-signature']?.split(' ')).toHaveLength(3)
    expect(rotated(again, now + DAY).oldSecrets).toHaveLength(1)
  })
})

test('tries follow after the delays of the specification, a little later each time', () => {
  const delays = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR)]
  for (const [at, delay] of delays.entries()) expect(delayAfter(at + 1)).toBeWithin(delay, delay * 1.1 + 1)
  expect(delayAfter(10)).toBeUndefined()
  expect(delayAfter(1, HOUR)).toBe(HOUR)
  expect(delayAfter(1, SECOND)).toBeGreaterThanOrEqual(5 * SECOND)
  expect(delayAfter(1, 90 * DAY)).toBe(DAY)
})

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Sat, 10 Jan 2026 18:22:59 GMT', 60_000],
  ['Sat, 10 Jan 2026 18:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  [null, undefined],
])('Retry-After: %j means %j', (header, ms) => expect(parseRetryAfter(header, START)).toBe(ms as number))
