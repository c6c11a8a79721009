import { expect, test } from 'bun:test'
import { BodyBudget } from '../../src/http/request/bodyBudget.ts'

const ONE = '192.0.2.1'
const OTHER = '198.51.100.7'
const stays = new AbortController().signal

/** A budget of 100 bytes, 60 for each network. */
const opened = (longestWait = 60_000) => new BodyBudget(100, 60, longestWait)

/** Whether a promise is settled once everything that can happen has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  await Bun.sleep(0)
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending
}

test('a body that fits is admitted at once, and released once', async () => {
  const budget = opened()
  const release = await budget.reserve(ONE, 60, stays)
  await budget.reserve(OTHER, 40, stays)
  expect(budget.reserved).toBe(100)
  release()
  release()
  expect(budget.reserved).toBe(40)
})

test('one network has a limit, which leaves room for others', async () => {
  const budget = opened()
  await budget.reserve(ONE, 50, stays)
  expect(await isSettled(budget.reserve(ONE, 11, stays))).toBe(false)
  expect(await isSettled(budget.reserve(OTHER, 50, stays))).toBe(true)
})

test('the addresses of one IPv6 network share a limit', async () => {
  const budget = opened()
  await budget.reserve('2001:db8:1:2::1', 60, stays)
  expect(await isSettled(budget.reserve('2001:db8:1:2:ffff::2', 1, stays))).toBe(false)
  expect(await isSettled(budget.reserve('2001:db8:1:3::1', 1, stays))).toBe(true)
})

test('waiting bodies are admitted when there is room, and small ones do not wait for large ones', async () => {
  const budget = opened()
  const first = await budget.reserve(ONE, 50, stays)
  const second = await budget.reserve(OTHER, 50, stays)
  const large = budget.reserve(ONE, 60, stays)
  const small = budget.reserve(OTHER, 10, stays)
  expect([await isSettled(large), await isSettled(small)]).toEqual([false, false])
  first()
  expect([await isSettled(large), await isSettled(small)]).toEqual([false, true])
  second()
  expect(await isSettled(large)).toBe(true)
  expect(budget.reserved).toBe(70)
})

test('a body that waits too long is refused with the time to retry', async () => {
  const budget = opened(1)
  await budget.reserve(ONE, 60, stays)
  expect(budget.reserve(ONE, 1, stays)).rejects.toMatchObject({ kind: 'busy', details: { retryAfter: 5 } })
  await Bun.sleep(5)
  expect(budget.reserved).toBe(60)
})

test('a client that disconnects stops waiting', async () => {
  const budget = opened()
  const release = await budget.reserve(ONE, 60, stays)
  const caller = new AbortController()
  const waiting = budget.reserve(ONE, 10, caller.signal)
  caller.abort()
  expect(waiting).rejects.toMatchObject({ kind: 'busy' })
  release()
  expect(budget.reserved).toBe(0)
})

test('at most 32 bodies wait', async () => {
  const budget = opened()
  const release = await budget.reserve(ONE, 60, stays)
  const waiting = Array.from({ length: 32 }, () => budget.reserve(ONE, 60, stays))
  expect(budget.reserve(ONE, 60, stays)).rejects.toMatchObject({ kind: 'busy' })
  release()
  for (const turn of waiting) (await turn)()
  expect(budget.reserved).toBe(0)
})
