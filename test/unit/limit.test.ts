import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../src/base/clock.ts'
import { Problem } from '../../src/base/problem.ts'
import { RateLimit } from '../../src/http/request/rateLimit.ts'
import { type Account, TestBoard } from '../helpers/board.ts'
import { addMinimalRecords, postJob } from '../helpers/minimalBoard.ts'

const ADDRESS = '203.0.113.7'

/** Seconds to wait, or that it was taken. */
function knock(limit: RateLimit, address = ADDRESS, route = '/a.json') {
  try {
    limit.countForNetwork(address, route, 2)
    return 'taken'
  } catch (error) {
    return error instanceof Problem && error.kind === 'throttled' ? error.details.retryAfter : error
  }
}

test('the limit is allowed in any minute, and the next request gets the time to wait', () => {
  let now = 1_000_000
  const limit = new RateLimit(() => now)
  expect(knock(limit)).toBe('taken')
  now += 20 * SECOND
  expect(knock(limit)).toBe('taken')
  expect(knock(limit)).toBe(40)
  now += 40 * SECOND - 1
  expect(knock(limit)).toBe(1)
  now += 1
  // the first is a minute old, the second is not
  expect(knock(limit)).toBe('taken')
  expect(knock(limit)).toBe(20)
})

test('refused requests do not count, so a client that keeps trying is allowed again', () => {
  let now = 0
  const limit = new RateLimit(() => now)
  for (; now < MINUTE; now += SECOND) knock(limit)
  expect(knock(limit)).toBe('taken')
})

test('each route and each network has its own limit', () => {
  const limit = new RateLimit(() => 0)
  knock(limit)
  knock(limit)
  expect(knock(limit)).toBe(60)
  expect(knock(limit, ADDRESS, '/b.json')).toBe('taken')
  expect(knock(limit, '203.0.113.8')).toBe('taken')
})

test('the addresses of one IPv6 network count as one', () => {
  const limit = new RateLimit(() => 0)
  knock(limit, '2001:db8:1:2::1')
  knock(limit, '2001:db8:1:2:ffff::2')
  expect(knock(limit, '2001:db8:1:2::3')).toBe(60)
  expect(knock(limit, '2001:db8:1:3::1')).toBe('taken')
})

test('no one is locked out when the clock is set back', () => {
  let now = MINUTE * 100
  const limit = new RateLimit(() => now)
  knock(limit)
  knock(limit)
  now = 0
  expect(knock(limit)).toBe('taken')
})

test('the least recently used networks are removed at the bound', () => {
  const limit = new RateLimit(() => 0)
  knock(limit)
  knock(limit)
  for (let i = 0; i < 9_999; i++) knock(limit, `10.0.${i >> 8}.${i & 255}`)
  expect(knock(limit)).toBe(60)
  for (let i = 0; i < 10_000; i++) knock(limit, `10.1.${i >> 8}.${i & 255}`)
  expect(knock(limit)).toBe('taken')
})

describe('An account', () => {
  let t: TestBoard
  let user: Account

  beforeEach(async () => {
    t = await TestBoard.open()
    await addMinimalRecords(t)
    user = await t.account('user@example.com')
  })
  afterEach(() => t.close())

  const post = async (count: number, as: Account, fields = {}) => {
    const responses = await Promise.all(Array.from({ length: count }, () => postJob(t, as, fields)))
    const statuses = responses.map(({ status }) => status)
    return { created: statuses.filter(status => status === 201).length, last: responses.at(-1) }
  }

  test('may post 60 jobs a minute, however many come at once', async () => {
    expect((await post(70, user)).created).toBe(60)
    t.clock.now += 20 * SECOND
    const { last } = await post(1, user)
    expect([last?.status, last?.headers.get('retry-after')]).toEqual([429, '40'])
    expect(await last?.json()).toEqual({
      error: 'You can send 60 of these requests a minute. Please wait, then try again.',
    })
    expect((await post(1, await t.account('another@example.com'))).created).toBe(1)
    t.clock.now += 40 * SECOND
    expect((await post(61, user)).created).toBe(60)
  })

  test('is refused before its job is read', async () => {
    await post(60, user)
    let isRead = false
    const body = new ReadableStream({ pull: () => void (isRead = true) }, { highWaterMark: 0 })
    const headers = { authorization: user.authorization, 'content-type': 'application/json' }
    const response = await t.handle(
      new Request('http://localhost/jobs.json', { method: 'POST', headers, body }),
    )
    expect([response.status, isRead]).toEqual([429, false])
  })

  test('has no refused job counted', async () => {
    expect((await post(70, user, { title: '' })).created).toBe(0)
    expect((await post(61, user)).created).toBe(60)
  })

  test('of an administrator has no limit', async () => {
    expect((await post(130, await t.account('admin@example.com', 'admin'))).created).toBe(130)
  })
})

describe('A route', () => {
  let t: TestBoard

  beforeEach(async () => {
    t = await TestBoard.open()
  })
  afterEach(() => t.close())

  /** Posts to a route that takes ten requests a minute. */
  const post = (address: string, as?: Account) =>
    t.post('/subscribers.json', {
      ...(as && { as }),
      headers: { 'x-forwarded-for': address },
      body: { email: 'reader@example.com' },
    })

  /** The statuses of eleven requests. */
  async function statusesOf(as?: Account): Promise<number[]> {
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) statuses.push((await post(ADDRESS, as)).status)
    return statuses
  }

  test('with a limit replies 429 with Retry-After once it is exceeded', async () => {
    const accepted = Array<number>(10).fill(202)
    expect(await statusesOf()).toEqual([...accepted, 429])
    const last = await post(ADDRESS)
    expect(last.headers.get('retry-after')).toBe('60')
    expect(await last.json()).toEqual({
      error: 'Too many requests from this address. Please wait a little.',
    })
    expect((await post('203.0.113.8')).status).toBe(202)
  })

  test('has no limit for an administrator, but one for a user', async () => {
    const admin = await t.account('admin@example.com', 'admin')
    const user = await t.account('user@example.com')
    expect(await statusesOf(admin)).not.toContain(429)
    expect(await statusesOf(user)).toContain(429)
  })
})
