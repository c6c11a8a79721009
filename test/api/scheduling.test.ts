import { afterEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND, timestamp } from '../../src/base/clock.ts'
import { START } from '../helpers/board.ts'
import { type FixtureBoard, JOB_FIELDS, openFixtureBoard } from '../helpers/fixtures.ts'
import { MailServer } from '../helpers/mail.ts'
import { idsOf, jsonObject, statusOf } from '../helpers/responses.ts'
import { HTML } from '../helpers/website.ts'

let fixture: FixtureBoard
let server: MailServer | undefined
afterEach(async () => {
  await fixture.test.close()
  await server?.stop()
  server = undefined
})

const MOMENT = START + 3 * DAY + 5 * HOUR
const at = (moment: number) => {
  fixture.test.clock.now = moment
}

/** Opens a board with a job that is scheduled for MOMENT. */
async function open(...flags: string[]) {
  fixture = await openFixtureBoard(...flags)
  await post()
}

const post = (fields: object = {}) =>
  fixture.test.post('/jobs.json', {
    as: fixture.owner,
    body: { ...JOB_FIELDS, publish_at: timestamp(MOMENT), ...fields },
  })

/** The ways in which a visitor can find the job, each by its first request. */
const WAYS: readonly (readonly [string, () => Promise<boolean>])[] = [
  ['the list', async () => (await idsOf(fixture.test.get('/jobs.json'))).includes(1)],
  ['a page of the list', async () => (await idsOf(fixture.test.get('/jobs.json?page=1'))).includes(1)],
  ['search', async () => (await idsOf(fixture.test.get('/jobs.json?q=carpenter'))).includes(1)],
  ['its id', async () => (await statusOf(fixture.test.get('/jobs/1.json'))) === 200],
  ['its page', async () => (await statusOf(fixture.test.get('/jobs/1', { headers: HTML }))) === 200],
  ...['/', '/?q=carpenter', '/feed.xml', '/feed.json', '/sitemap.xml'].map(
    path =>
      [
        path,
        async () => (await (await fixture.test.get(path, { headers: HTML })).text()).includes('/jobs/1'),
      ] as const,
  ),
  ['Apply', async () => (await statusOf(fixture.test.get('/jobs/1/apply'))) === 302],
]

describe('a scheduled job appears at its moment', () => {
  test.each(WAYS)('in %s, without any request before', async (_, find) => {
    await open()
    at(MOMENT - 1)
    expect(await find()).toBeFalse()
    at(MOMENT)
    expect(await find()).toBeTrue()
    expect(await find()).toBeTrue()
  })

  test.each(WAYS)('in %s, also if the board was down then', async (_, find) => {
    await open()
    at(MOMENT - HOUR)
    await fixture.test.board.close()
    at(MOMENT + HOUR)
    fixture = { ...fixture, test: await fixture.test.again() }
    expect(await find()).toBeTrue()
    expect(await jsonObject(fixture.test.get('/jobs/1.json', { as: fixture.owner }))).toMatchObject({
      status: 'active',
      published_at: timestamp(MOMENT),
      expires_at: timestamp(MOMENT + 30 * DAY),
    })
  })

  test('before older jobs, and each at its own time', async () => {
    await open()
    await post({ publish_at: timestamp(MOMENT + HOUR) })
    await post({ publish_at: null })
    const list = () => idsOf(fixture.test.get('/jobs.json'))
    expect(await list()).toEqual([3])
    at(MOMENT)
    expect(await list()).toEqual([1, 3])
    at(MOMENT + HOUR)
    expect(await list()).toEqual([2, 1, 3])
    // One is published while another expires, without a request in between.
    at(START + 30 * DAY)
    expect(await list()).toEqual([2, 1])
  })

  test('not if it was closed or deleted before, and again if its time moves', async () => {
    await open()
    await post()
    await post()
    await fixture.test.put('/jobs/1/close.json', { as: fixture.owner })
    await fixture.test.delete('/jobs/2.json', { as: fixture.owner })
    const later = { publish_at: timestamp(MOMENT + DAY) }
    await fixture.test.put('/jobs/3.json', { as: fixture.owner, body: later })
    const ids = async () => [
      await idsOf(fixture.test.get('/jobs.json')),
      await idsOf(fixture.test.get('/jobs.json?q=carpenter')),
    ]
    at(MOMENT)
    expect(await ids()).toEqual([[], []])
    at(MOMENT + DAY)
    expect(await ids()).toEqual([[3], [3]])
  })
})

describe('a digest', () => {
  const MONDAY = Date.UTC(2026, 0, 12, 7)

  /** Opens a board with a subscriber to daily digests, and a job that is scheduled for MOMENT. */
  async function openWithSubscriber(...flags: string[]): Promise<string[]> {
    server = await MailServer.start()
    const all = [...server.flags, '--digest', 'daily', ...flags]
    await open(...all)
    await fixture.test.board.store.write(({ subscribers }) => {
      const since = { createdAt: START, updatedAt: START, digestedUntil: START }
      subscribers.insert({ email: 'reader@example.com', confirmed: true, ...since })
    })
    return all
  }

  /** Runs what is due on 12 days, and returns on which of the days the digest named the job. */
  async function digestDays(prepare: (day: number) => Promise<unknown> = async () => {}, first = 0) {
    const named: number[] = []
    for (let day = first; day < 12; day++) {
      at(MONDAY + day * DAY + 2 * MINUTE)
      await prepare(day)
      const { mail } = fixture.test.board
      await mail.runDue()
      await mail.whenIdle()
      const mails = server?.mails.splice(0) ?? []
      const digests = mails.filter(({ envelope }) => envelope.to.includes('reader@example.com'))
      named.push(...digests.map(() => day))
    }
    return named
  }

  test('names a scheduled job exactly once, after its moment', async () => {
    await openWithSubscriber()
    expect(await digestDays()).toEqual([2])
  })

  test('names it exactly once with a restart every day', async () => {
    const flags = await openWithSubscriber()
    const restart = async () => {
      fixture = { ...fixture, test: await fixture.test.reopen(...flags) }
    }
    expect(await digestDays(restart)).toEqual([2])
  })

  test('names it exactly once if the board was down at its moment and for the next digests', async () => {
    const flags = await openWithSubscriber()
    await fixture.test.board.close()
    at(MONDAY + 7 * DAY)
    fixture = { ...fixture, test: await fixture.test.again(...flags) }
    expect(await digestDays(undefined, 7)).toEqual([7])
  })

  test('names a job that was reopened after its moment, when it is public for the first time', async () => {
    await openWithSubscriber()
    await fixture.test.put('/jobs/1/close.json', { as: fixture.owner })
    const reopen = async (day: number) =>
      day === 3 && fixture.test.put('/jobs/1/reopen.json', { as: fixture.owner })
    expect(await digestDays(reopen)).toEqual([4])
  })

  test('names a job that was approved after its moment, and not again when it is renewed', async () => {
    await openWithSubscriber('--approve', 'all')
    const { admin: as } = fixture
    const end = { expires_at: timestamp(MONDAY + 6 * DAY) }
    const change = async (day: number) => {
      if (day === 4) await fixture.test.put('/jobs/1/approve.json', { as })
      if (day === 5) await fixture.test.put('/jobs/1.json', { as, body: end })
      if (day === 7) await fixture.test.put('/jobs/1/renew.json', { as })
    }
    expect(await digestDays(change)).toEqual([5])
  })
})

test('nobody but its owner and administrators can see that a job is scheduled', async () => {
  await open()
  const { owner, other, admin } = fixture
  at(MOMENT - SECOND)
  const statuses = [undefined, other, owner, admin].map(as =>
    statusOf(fixture.test.get('/jobs/1.json', as && { as })),
  )
  expect(await Promise.all(statuses)).toEqual([404, 404, 200, 200])
})
