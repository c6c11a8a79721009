import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { type Account, basic, PASSWORD } from '../helpers/board.ts'
import { type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'
import { statusOf } from '../helpers/responses.ts'

const MINUTE = 60_000
const OTHERS = 40

let fixture: FixtureBoard
let otherAccounts: Account[]

beforeAll(async () => {
  fixture = await openFixtureBoard()
  otherAccounts = await Promise.all(many(OTHERS, at => fixture.test.account(`colleague${at}@example.com`)))
})
afterAll(() => fixture.test.close())

const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

const signIn = (authorization: string, network: string) =>
  statusOf(fixture.test.get('/users/me.json', { headers: { authorization, 'x-forwarded-for': network } }))

const guess = (at: number) => basic(`guess${at}@example.com`, PASSWORD)

/** Signs other accounts in for the first time, each from its own network. */
let rounds = 0
function signInOthers(): Promise<number[]> {
  rounds++
  return Promise.all(
    otherAccounts.map(({ authorization }, at) => signIn(authorization, `203.0.${rounds}.${at}`)),
  )
}

/** Makes hashes take a millisecond, because only their order is tested. */
function hashQuickly() {
  const pause = async () => {
    await Bun.sleep(1)
  }
  const hashing = spyOn(Bun.password, 'hash').mockImplementation(() => pause().then(() => 'none'))
  const verifying = spyOn(Bun.password, 'verify').mockImplementation(password =>
    pause().then(() => password === PASSWORD),
  )
  return {
    [Symbol.dispose]() {
      hashing.mockRestore()
      verifying.mockRestore()
    },
  }
}

describe('Others can sign in', () => {
  test('while many networks guess at the maximum rate', async () => {
    using _ = hashQuickly()
    const attacked = { isOver: false }
    /** Guesses from one network until it is limited. */
    const attack = async (network: number) => {
      const statuses: number[] = []
      while (!attacked.isOver && statuses.at(-1) !== 429) {
        statuses.push(
          await signIn(
            basic(`guess${network}@example.com`, 'wrong'),
            `10.${network >> 8}.${network & 255}.1`,
          ),
        )
        await Bun.sleep(1)
      }
      return statuses
    }
    const attacks = many(400, attack)
    await Bun.sleep(20)
    const statuses = await signInOthers()
    attacked.isOver = true
    await Promise.all(attacks)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('while one account changes its own password 100 times at once', async () => {
    using _ = hashQuickly()
    const { owner, test: board } = fixture
    await signIn(owner.authorization, '127.0.0.1')
    const changes = many(100, () =>
      board.put(`/users/${owner.id}.json`, { as: owner, body: { password: 'another one' } }),
    )
    expect(new Set(await signInOthers())).toEqual(new Set([200]))
    // also from the same network
    const colleagues = otherAccounts.map(({ authorization }) => signIn(authorization, '127.0.0.1'))
    expect(new Set(await Promise.all(colleagues))).toEqual(new Set([200]))
    const statuses = (await Promise.all(changes)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([200, 401, 503]))
    const busy = await Promise.all(changes.slice(-1))
    expect(Number(busy[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('while one administrator makes 100 accounts at once', async () => {
    using _ = hashQuickly()
    const making = many(100, at =>
      fixture.test.post('/users.json', {
        as: fixture.admin,
        body: { email: `made${at}@example.com`, password: PASSWORD },
      }),
    )
    expect(new Set(await signInOthers())).toEqual(new Set([200]))
    expect(new Set((await Promise.all(making)).map(({ status }) => status))).toEqual(new Set([201, 503]))
  })
})

/** Records the delays of attempts in milliseconds, and holds them until released. */
function holdDelays() {
  const delays: number[] = []
  const held = Promise.withResolvers<void>()
  const sleeping = spyOn(Bun, 'sleep').mockImplementation(delay => {
    delays.push(Number(delay))
    return held.promise
  })
  return {
    delays,
    release: held.resolve,
    [Symbol.dispose]() {
      held.resolve()
      sleeping.mockRestore()
    },
  }
}

describe('An account with ten failed sign-ins', () => {
  let account: Account
  const wrong = (at: number) => signIn(basic(account.email, `wrong ${at}`), `198.51.100.${at}`)

  beforeAll(async () => {
    account = await fixture.test.account('target@example.com')
    expect(await signIn(account.authorization, '192.0.2.1')).toBe(200)
  })

  test('delays further attempts from any network, except by verified clients', async () => {
    using waiting = holdDelays()
    for (let at = 0; at < 10; at++) expect(await wrong(at)).toBe(401)
    expect(waiting.delays).toEqual([])
    let isAnswered = false
    const delayed = signIn(account.authorization, '192.0.2.2').finally(() => (isAnswered = true))
    expect(await signIn(account.authorization, '192.0.2.1')).toBe(200)
    expect(await signIn(guess(1), '192.0.2.3')).toBe(401)
    expect(waiting.delays).toEqual([250])
    expect(isAnswered).toBe(false)
    waiting.release()
    expect(await delayed).toBe(200)
  })

  test('delays them longer after another failure', async () => {
    using waiting = holdDelays()
    waiting.release()
    expect(await wrong(11)).toBe(401)
    expect(await signIn(account.authorization, '192.0.2.4')).toBe(200)
    expect(waiting.delays).toEqual([250, 500])
  })

  test('delays none some time after the last failure, or after the clock was set back', async () => {
    using waiting = holdDelays()
    waiting.release()
    fixture.test.clock.now += 3000
    expect(await signIn(account.authorization, '192.0.2.5')).toBe(200)
    fixture.test.clock.now -= 100 * MINUTE
    expect(await wrong(12)).toBe(401)
    expect(waiting.delays).toEqual([])
  })
})
