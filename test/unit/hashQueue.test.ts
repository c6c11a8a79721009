import { describe, expect, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { HashQueue } from '../../src/accounts/hashQueue.ts'
import { Problem } from '../../src/base/problem.ts'

/** Hashes that run until a test ends them, in the order in which they started. */
class Hashes {
  readonly queue = new HashQueue()
  readonly started: string[] = []
  private readonly running: (() => void)[] = []

  /** Requests a hash, and resolves with its outcome. */
  request(account: string, network: string, isSuspect = false): Promise<'done' | 'busy'> {
    const hash = () => {
      this.started.push(`${account} ${network}`)
      return new Promise<void>(resolve => this.running.push(resolve))
    }
    return this.queue
      .forAccount(account, network, () =>
        this.queue.forNetwork(network, () => this.queue.forProcessor(hash, isSuspect)),
      )
      .then(
        () => 'done' as const,
        (error: unknown) => {
          if (error instanceof Problem && error.kind === 'busy') return 'busy' as const
          throw error
        },
      )
  }

  async endOne(): Promise<void> {
    this.running.shift()?.()
    await Bun.sleep(0)
  }

  async endAll(): Promise<void> {
    while (this.running.length > 0) await this.endOne()
  }
}

const many = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => create(index))
const countOf = (outcomes: readonly string[], wanted: string) =>
  outcomes.filter(outcome => outcome === wanted).length
const CORES = availableParallelism()

describe('Hashing', () => {
  test.each([
    ['one account from one network', () => 'anna', () => '10.0.0.1'],
    ['one account from many networks', () => 'anna', (index: number) => `10.0.0.${index}`],
    ['many accounts from one network', (index: number) => `user${index}`, () => '10.0.0.1'],
  ])('runs one at a time for %s', async (_, account, network) => {
    const hashes = new Hashes()
    const results = many(5, index => hashes.request(account(index), network(index)))
    for (let at = 1; at <= 5; at++) {
      await Bun.sleep(0)
      expect(hashes.started).toHaveLength(at)
      await hashes.endOne()
    }
    expect(await Promise.all(results)).toEqual(Array(5).fill('done'))
  })

  test.each([
    ['one account from one network', () => 'anna', () => '10.0.0.1', 65],
    ['one account from many networks', () => 'anna', (index: number) => `10.0.0.${index}`, 11],
    ['many accounts from one network', (index: number) => `user${index}`, () => '10.0.0.1', 65],
  ])('limits how many wait for %s, and runs others before them', async (_, account, network, bound) => {
    const hashes = new Hashes()
    const flood = many(200, index => hashes.request(account(index), network(index)))
    await Bun.sleep(0)
    const others = many(20, index => hashes.request(`other${index}`, `10.1.0.${index}`))
    await Bun.sleep(0)
    for (let at = 0; at < 21; at++) await hashes.endOne()
    expect(hashes.started.slice(0, 21 + CORES).filter(name => name.startsWith('other'))).toHaveLength(20)
    await hashes.endAll()
    expect(await Promise.all(others)).toEqual(Array(20).fill('done'))
    const outcomes = await Promise.all(flood)
    expect([countOf(outcomes, 'done'), countOf(outcomes, 'busy')]).toEqual([bound, 200 - bound])
  })

  test('leaves three of four turns to others during a flood of failed sign-ins from many networks', async () => {
    const hashes = new Hashes()
    const flood = many(2000, index => hashes.request(`user${index}`, `net${index}`, true))
    await Bun.sleep(0)
    const others = many(100, index => hashes.request(`other${index}`, `10.1.0.${index}`))
    await Bun.sleep(0)
    for (let at = 0; at < 134; at++) await hashes.endOne()
    expect(
      countOf(
        hashes.started.slice(0, 134 + CORES).map(name => name.slice(0, 5)),
        'other',
      ),
    ).toBe(100)
    await hashes.endAll()
    expect(await Promise.all(others)).toEqual(Array(100).fill('done'))
    expect(countOf(await Promise.all(flood), 'done')).toBe(512 + CORES)
  })

  test('continues after a failure', async () => {
    const queue = new HashQueue()
    const fail = () =>
      queue.forAccount('a', 'n', () => queue.forNetwork('n', () => Promise.reject(new Error('x'))))
    expect((await Promise.allSettled([fail(), fail()])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
    expect(await queue.forAccount('a', 'n', async () => 'done')).toBe('done')
  })
})
