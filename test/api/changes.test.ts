import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { START } from '../helpers/board.ts'
import {
  type FixtureBoard,
  insertJobs,
  JOB_FIELDS,
  openFixtureBoard,
  waitUntil,
} from '../helpers/fixtures.ts'
import { STATES } from '../helpers/jobStates.ts'
import { jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard

beforeEach(async () => {
  fixture = await openFixtureBoard()
})
afterEach(() => fixture.test.close())

interface Page {
  items: { seq: number; type: string; id: number; data: Record<string, unknown> | null }[]
  next: number
  earliest: number
}

const read = async (query = '', path = '/changes.json') => {
  const response = await fixture.test.get(`${path}?${query}`, { as: fixture.admin })
  expect(response.status).toBe(200)
  return (await response.json()) as Page // as the interface says
}
const typesOf = ({ items }: Page) => items.map(({ type, id }) => `${type} ${id}`)
const post = () => fixture.test.post('/jobs.json', { as: fixture.owner, body: JOB_FIELDS })
const lastSeq = () => fixture.test.board.store.read.journal.lastId

describe('the change feed', () => {
  test('has every change in its order, with the record as it is now', async () => {
    const after = lastSeq()
    await post()
    await fixture.test.put('/jobs/1.json', { as: fixture.admin, body: { title: 'Cook' } })
    const page = await read(`after=${after}`)
    expect(typesOf(page)).toEqual(['job.created 1', 'job.published 1', 'job.updated 1'])
    expect(page.next).toBe(after + 3)
    expect(page.earliest).toBe(1)
    expect(page.items[0]).toEqual({
      seq: after + 1,
      type: 'job.created',
      at: '2026-01-10T18:21:59+00:00',
      actor: { kind: 'user', id: fixture.owner.id },
      id: 1,
      url: 'https://board.example.com/jobs/1.json',
      source: null,
      external_id: null,
      data: await jsonObject(fixture.test.get('/jobs/1.json', { as: fixture.admin })),
    } as never)
  })

  test('has no data of a deleted job, but where it came from', async () => {
    await insertJobs(fixture.test.board, [{ source: 'acme', externalId: 'A-7' }])
    const after = lastSeq()
    await fixture.test.delete('/jobs/1.json', { as: fixture.admin })
    for (const { items } of [await read(`after=${after}`), await read(`after=${after - 2}`)])
      expect(items[0]).toMatchObject({ id: 1, source: 'acme', external_id: 'A-7', data: null })
  })

  test('is read in pages, and by type', async () => {
    const all = typesOf(await read())
    const found: string[] = []
    for (
      let page = await read('limit=4');
      page.items.length > 0;
      page = await read(`limit=4&after=${page.next}`)
    )
      found.push(...typesOf(page))
    expect(found).toEqual(all)
    const terms = await read('types=term.created,plan.created&limit=3')
    expect(typesOf(terms)).toEqual(['term.created 1', 'term.created 2', 'plan.created 1'])
    expect((await read(`types=plan.deleted`)).items).toEqual([])
    expect((await fixture.test.get('/changes.json?types=none', { as: fixture.admin })).status).toBe(422)
  })

  test('says 410 for what is not kept, and for what a restored board does not have yet', async () => {
    const { board, clock } = fixture.test
    clock.now = START + 91 * DAY
    await board.journalTimer.run()
    await post()
    for (const after of [1, 99_999]) {
      const response = await fixture.test.get(`/changes.json?after=${after}`, { as: fixture.admin })
      expect(response.status).toBe(410)
      expect(await response.json()).toMatchObject({ earliest: lastSeq() - 1 })
    }
    expect(typesOf(await read())).toEqual(['job.created 1', 'job.published 1'])
  })

  test('continues from the X-Change-Seq of the full lists', async () => {
    for (const name of ['jobs', 'categories', 'terms', 'plans', 'users', 'subscribers']) {
      const list = await fixture.test.get(`/${name}.json`, { as: fixture.admin })
      expect(list.headers.get('x-change-seq')).toBe(String(lastSeq()))
    }
    // The second response comes from the cache.
    for (let i = 0; i < 2; i++)
      expect((await fixture.test.get('/jobs.json')).headers.get('x-change-seq')).toBe(String(lastSeq()))
  })
})

describe('a request that waits', () => {
  const wait = (types = '') => read(`after=${lastSeq()}&wait=30${types}`)

  test('gets the change as soon as it is stored, whoever stores it', async () => {
    const waiting = Array.from({ length: 100 }, () => wait())
    await post()
    for (const page of await Promise.all(waiting)) expect(typesOf(page)[0]).toBe('job.created 1')
  })

  test('goes on waiting at other changes', async () => {
    const waiting = wait('&types=job.closed')
    await post()
    await fixture.test.put('/jobs/1/close.json', { as: fixture.owner })
    expect(typesOf(await waiting)).toEqual(['job.closed 1'])
  })

  test('ends at once when the board stops', async () => {
    const waiting = wait()
    await Bun.sleep(0)
    fixture.test.board.journalTimer.watch.close()
    expect(await waiting).toMatchObject({ items: [], next: lastSeq() })
  })
})

describe('somebody who waits', () => {
  const waiters = () => fixture.test.board.journalTimer.watch.waiters
  const waitAs = (authorization: string, signal?: AbortSignal) =>
    fixture.test.handle(
      new Request(`http://localhost/changes.json?after=${lastSeq()}&wait=30`, {
        headers: { authorization },
        ...(signal && { signal }),
      }),
    )

  test('and hangs up leaves nothing behind', async () => {
    const hangUp = new AbortController()
    const waiting = Array.from({ length: 20 }, () => waitAs(fixture.admin.authorization, hangUp.signal))
    await waitUntil(() => waiters() === 20)
    hangUp.abort()
    await waitUntil(() => waiters() === 0)
    await Promise.all(waiting)
  })

  test('gets nothing if the token was deleted, or the role taken away, meanwhile', async () => {
    const { admin, test: board } = fixture
    const second = await board.account('second@example.com', 'admin')
    const body = { name: 'Follower', scopes: ['changes'] }
    const { id, token } = await jsonObject(board.post('/tokens.json', { as: admin, body }))
    const waiting = [waitAs(`Bearer ${String(token)}`), waitAs(second.authorization)]
    await waitUntil(() => waiters() === 2)
    await board.delete(`/tokens/${String(id)}.json`, { as: admin })
    await board.put(`/users/${second.id}.json`, { as: admin, body: { role: 'user' } })
    await post()
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(401)
  })

  test('for a rare type holds up nobody, however long the journal is', async () => {
    await fixture.test.board.store.write(({ terms }) => {
      for (let i = 0; i < 3000; i++) terms.insert({ name: `Term ${i}` })
    })
    let turns = 0
    const timer = setInterval(() => turns++)
    const { items, next } = await read('types=plan.deleted')
    clearInterval(timer)
    expect([items, next]).toEqual([[], lastSeq()])
    expect(turns).toBeGreaterThan(1)
  })
})

describe('the public feed', () => {
  const readPublic = (query = '') => read(query, '/jobs/changes.json')

  test('has what visitors can see of jobs, and nothing else', async () => {
    await insertJobs(fixture.test.board, [STATES.draft, STATES.pending, STATES.active])
    const { owner, admin } = fixture
    await fixture.test.put('/jobs/3.json', { as: admin, body: { title: 'Cook' } })
    await fixture.test.put('/jobs/3/close.json', { as: admin })
    await fixture.test.put('/jobs/3/reopen.json', { as: admin })
    await post()
    await fixture.test.delete('/jobs/4.json', { as: owner })
    const { items } = await readPublic()
    expect(items.map(({ type, id }) => `${type} ${id}`)).toEqual([
      'job.published 3',
      'job.changed 3',
      'job.closed 3',
      'job.published 3',
      'job.published 4',
      'job.closed 4',
    ])
    expect(items[1]?.data).toEqual(await jsonObject(fixture.test.get('/jobs/3.json')))
    expect(items.map(({ data }) => data?.['title'])).toEqual([
      'Cook',
      'Cook',
      undefined,
      'Cook',
      undefined,
      undefined,
    ])
    expect(Object.keys(items[0] ?? {})).toEqual(['seq', 'type', 'at', 'id', 'url', 'data'])
  })

  test('goes back for 30 days', async () => {
    await post()
    fixture.test.clock.now = START + 20 * DAY
    await post()
    fixture.test.clock.now = START + 40 * DAY
    await fixture.test.board.journalTimer.run()
    expect(typesOf(await readPublic())).toEqual(['job.published 2', 'job.closed 1'])
    expect((await fixture.test.get('/jobs/changes.json?after=0')).status).toBe(410)
  })
})
