import { describe, expect, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { HashQueue } from '../../src/accounts/hashQueue.ts'
import { Problem } from '../../src/base/problem.ts'

/** Hashes that take until they are told to end, in the order in which they begin. */
class Hashes {
  readonly turns = new HashQueue()
  readonly begun: string[] = []
  private readonly running: (() => void)[] = []

  /** Asks for one, and gives what became of it. */
  ask(account: string, network: string, isSuspect = false): Promise<'done' | 'busy'> {
    const hash = () => {
      this.begun.push(`${account} ${network}`)
      return new Promise<void>(resolve => this.running.push(resolve))
    }
    return this.turns
      .forAccount(account, network, () =>
        this.turns.forNetwork(network, () => this.turns.forProcessor(hash, isSuspect)),
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

const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
const count = (answers: readonly string[], what: string) => answers.filter(answer => answer === what).length
const CORES = availableParallelism()

describe('Hashing', () => {
  test.each([
    ['one account from one network', () => 'anna', () => '10.0.0.1'],
    ['one account from many networks', () => 'anna', (at: number) => `10.0.0.${at}`],
    ['many accounts from one network', (at: number) => `user${at}`, () => '10.0.0.1'],
  ])('takes one at a time of %s', async (_, account, network) => {
    const hashes = new Hashes()
    const asked = many(5, at => hashes.ask(account(at), network(at)))
    for (let at = 1; at <= 5; at++) {
      await Bun.sleep(0)
      expect(hashes.begun).toHaveLength(at)
      await hashes.endOne()
    }
    expect(await Promise.all(asked)).toEqual(Array(5).fill('done'))
  })

  test.each([
    ['one account from one network', () => 'anna', () => '10.0.0.1', 65],
    ['one account from many networks', () => 'anna', (at: number) => `10.0.0.${at}`, 11],
    ['many accounts from one network', (at: number) => `user${at}`, () => '10.0.0.1', 65],
  ])('has a bounded number wait of %s, and the others in before them', async (_, account, network, bound) => {
    const hashes = new Hashes()
    const flood = many(200, at => hashes.ask(account(at), network(at)))
    await Bun.sleep(0)
    const others = many(20, at => hashes.ask(`other${at}`, `10.1.0.${at}`))
    await Bun.sleep(0)
    for (let at = 0; at < 21; at++) await hashes.endOne()
    expect(hashes.begun.slice(0, 21 + CORES).filter(name => name.startsWith('other'))).toHaveLength(20)
    await hashes.endAll()
    expect(await Promise.all(others)).toEqual(Array(20).fill('done'))
    const answers = await Promise.all(flood)
    expect([count(answers, 'done'), count(answers, 'busy')]).toEqual([bound, 200 - bound])
  })

  test('of a flood from very many networks whose sign-ins failed leaves three of four turns to the rest', async () => {
    const hashes = new Hashes()
    const flood = many(2000, at => hashes.ask(`user${at}`, `net${at}`, true))
    await Bun.sleep(0)
    const others = many(100, at => hashes.ask(`other${at}`, `10.1.0.${at}`))
    await Bun.sleep(0)
    for (let at = 0; at < 134; at++) await hashes.endOne()
    expect(
      count(
        hashes.begun.slice(0, 134 + CORES).map(name => name.slice(0, 5)),
        'other',
      ),
    ).toBe(100)
    await hashes.endAll()
    expect(await Promise.all(others)).toEqual(Array(100).fill('done'))
    expect(count(await Promise.all(flood), 'done')).toBe(512 + CORES)
  })

  test('goes on after one that failed', async () => {
    const turns = new HashQueue()
    const fail = () =>
      turns.forAccount('a', 'n', () => turns.forNetwork('n', () => Promise.reject(new Error('x'))))
    expect((await Promise.allSettled([fail(), fail()])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
    expect(await turns.forAccount('a', 'n', async () => 'done')).toBe('done')
  })
})
