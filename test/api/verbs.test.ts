import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { type Status, STATUSES } from '../../src/store/jobStatus.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { type Account, START } from '../helpers/board.ts'
import { dump, type FixtureBoard, insertJobs, openFixtureBoard, PLAN_ID } from '../helpers/fixtures.ts'
import { STATES } from '../helpers/jobStates.ts'
import { fieldErrors, jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
let id: number

beforeAll(async () => {
  fixture = await openFixtureBoard()
})
afterAll(() => fixture.test.close())
beforeEach(() => {
  fixture.test.clock.now = START
})

/** Replaces all jobs by one of the owner with this status, or with these columns. */
async function reset(status: Status, columns: Partial<Omit<JobRow, 'id'>> = {}) {
  const { test: board, owner } = fixture
  await board.board.store.write(tables => {
    for (const job of tables.jobs.all()) tables.jobs.remove(job.id)
  })
  const createdAt = START - 3 * DAY
  const job = { createdAt, updatedAt: createdAt, userId: owner.id, ...STATES[status], ...columns }
  ;[id = 0] = await insertJobs(board.board, [job])
}

const VERBS = ['submit', 'approve', 'refuse', 'fill', 'close', 'reopen', 'renew'] as const
type Verb = (typeof VERBS)[number]

const bodyOf = (verb: Verb) => (verb === 'refuse' ? { body: { reason: 'No employer.' } } : {})
const send = (verb: Verb, as?: Account) =>
  fixture.test.put(`/jobs/${id}/${verb}.json`, { ...(as && { as }), ...bodyOf(verb) })
const read = () => jsonObject(fixture.test.get(`/jobs/${id}.json`, { as: fixture.owner }))

/** What a conflict's message says to do instead. */
const INSTEAD = {
  submit: '(PUT /jobs/ID/submit.json).',
  reopen: '(PUT /jobs/ID/reopen.json).',
  renew: '(PUT /jobs/ID/renew.json).',
  close: '(PUT /jobs/ID/close.json).',
  delete: 'elete it instead.',
  none: '',
} as const

/** The status after a verb or, if there is a conflict, what to do instead. */
type Effect = Status | { readonly instead: keyof typeof INSTEAD }
const instead = (what: keyof typeof INSTEAD): Effect => ({ instead: what })

/** The effects in the order of STATUSES: draft, pending, refused, scheduled, active, filled, closed, expired. */
const EFFECTS: Readonly<Record<Verb, readonly Effect[]>> = {
  submit: [
    'active',
    'pending',
    'active',
    'scheduled',
    'active',
    instead('reopen'),
    instead('reopen'),
    instead('renew'),
  ],
  approve: [
    instead('submit'),
    'active',
    instead('submit'),
    'scheduled',
    'active',
    'filled',
    'closed',
    'expired',
  ],
  refuse: [
    instead('submit'),
    'refused',
    'refused',
    instead('delete'),
    instead('delete'),
    instead('none'),
    instead('none'),
    instead('none'),
  ],
  fill: [
    instead('submit'),
    instead('close'),
    instead('submit'),
    instead('close'),
    'filled',
    'filled',
    instead('reopen'),
    instead('renew'),
  ],
  close: [instead('delete'), 'closed', 'closed', 'closed', 'closed', 'closed', 'closed', instead('none')],
  reopen: [
    instead('submit'),
    'pending',
    instead('submit'),
    'scheduled',
    'active',
    'active',
    'active',
    instead('renew'),
  ],
  renew: [
    instead('submit'),
    instead('none'),
    instead('submit'),
    instead('none'),
    'active',
    'active',
    'active',
    'active',
  ],
}
const TABLE = VERBS.flatMap(verb =>
  STATUSES.map((status, at) => [verb, status, EFFECTS[verb][at] ?? instead('none')] as const),
)

/** The only verb that can't be repeated: the period is added once, and not again before the next end is near. */
const isOnce = (verb: Verb) => verb === 'renew'

describe('every verb in every status', () => {
  test.each(TABLE)('%s: a job that is %s', async (verb, status, effect) => {
    await reset(status)
    const as = verb === 'approve' || verb === 'refuse' ? fixture.admin : fixture.owner
    const before = dump(fixture.test)
    const response = await send(verb, as)
    if (typeof effect === 'object') {
      const { error } = await jsonObject(response)
      expect(response.status).toBe(409)
      expect(error).toMatch(/^[A-Z].+\.$/)
      expect(error).toEndWith(INSTEAD[effect.instead].replace('ID', String(id)))
      expect(dump(fixture.test)).toEqual(before)
      return
    }
    expect(response.status).toBe(200)
    expect((await jsonObject(response))['message']).toStartWith('The job "Nurse" is ')
    const after = await read()
    expect(after).toMatchObject({ status: effect, created_at: '2026-01-07T18:21:59+00:00' })
    if (isOnce(verb)) return
    const stored = dump(fixture.test)
    fixture.test.clock.now += 1000
    expect(await statusOf(send(verb, as))).toBe(200)
    expect(dump(fixture.test)).toEqual(stored)
  })

  test.each(TABLE)('only by those who may: %s a job that is %s', async (verb, status) => {
    await reset(status)
    const { other, owner } = fixture
    const before = dump(fixture.test)
    expect(await statusOf(send(verb))).toBe(401)
    const isForAdmins = verb === 'approve' || verb === 'refuse'
    expect(await statusOf(send(verb, other))).toBe(isForAdmins || status === 'active' ? 403 : 404)
    if (isForAdmins) expect(await statusOf(send(verb, owner))).toBe(403)
    expect(dump(fixture.test)).toEqual(before)
  })

  test.each(VERBS)('%s is 404 for a job that does not exist, and 405 with another method', async verb => {
    id = 999
    expect(await statusOf(send(verb, fixture.admin))).toBe(404)
    const path = `/jobs/${id}/${verb}.json`
    expect((await fixture.test.delete(path, { as: fixture.admin })).status).toBe(405)
  })

  test.each(VERBS.filter(verb => verb !== 'approve' && verb !== 'refuse'))(
    "%s by an administrator changes somebody else's job",
    async verb => {
      const [status = 'active'] = STATUSES.filter((_, at) => typeof EFFECTS[verb][at] === 'string')
      await reset(status)
      expect(await statusOf(send(verb, fixture.admin))).toBe(200)
      expect(await read()).toMatchObject({ user: { id: fixture.owner.id } })
    },
  )
})

describe('a refusal', () => {
  test.each([
    [{ reason: ' ' }, 'reason'],
    [{ reason: null }, 'reason'],
    [{ reason: 'x'.repeat(2001) }, 'reason'],
    [undefined, 'reason'],
  ])('needs a reason: %j', async (body, field) => {
    await reset('pending')
    const response = fixture.test.put(`/jobs/${id}/refuse.json`, { as: fixture.admin, ...(body && { body }) })
    expect(await fieldErrors(response)).toEqual({ [field]: [expect.any(String)] })
    expect(await read()).toMatchObject({ status: 'pending', refusal: null })
  })

  test('is shown with its reason, until the job is submitted again', async () => {
    await reset('pending')
    await send('refuse', fixture.admin)
    expect(await read()).toMatchObject({ status: 'refused', refusal: 'No employer.' })
    const form = new URLSearchParams({ reason: 'A <better> reason.\nTwo lines.' })
    await fixture.test.put(`/jobs/${id}/refuse.json`, { as: fixture.admin, body: form })
    expect(await read()).toMatchObject({ refusal: 'A <better> reason.\nTwo lines.' })
    await send('submit', fixture.owner)
    expect(await read()).toMatchObject({ status: 'active', refusal: null, published_at: expect.any(String) })
  })

  test('allows another plan, unless the job was public before', async () => {
    await reset('refused')
    const put = (body: object) => fixture.test.put(`/jobs/${id}.json`, { as: fixture.owner, body })
    expect(await jsonObject(put({ plan_id: PLAN_ID.endless }))).toMatchObject({ plan: { name: 'Endless' } })
    await reset('refused', { publishedAt: START - DAY })
    expect(await fieldErrors(put({ plan_id: PLAN_ID.endless }))).toEqual({ plan_id: [expect.any(String)] })
  })
})

describe('closing and reopening', () => {
  test('a job that was refused and closed is reopened as refused, and can then be submitted', async () => {
    await reset('refused', { closedAt: START - DAY })
    expect(await statusOf(send('renew', fixture.owner))).toBe(409)
    await send('reopen', fixture.owner)
    expect(await read()).toMatchObject({ status: 'refused', closed_at: null })
    await send('submit', fixture.owner)
    expect(await read()).toMatchObject({ status: 'active' })
  })

  test('undoes both at once, and keeps the end', async () => {
    await reset('active')
    await send('fill', fixture.owner)
    await send('close', fixture.owner)
    const now = '2026-01-10T18:21:59+00:00'
    expect(await read()).toMatchObject({ status: 'closed', filled_at: now, closed_at: now, updated_at: now })
    await send('reopen', fixture.owner)
    const open = {
      status: 'active',
      filled_at: null,
      closed_at: null,
      expires_at: '2026-01-20T18:21:59+00:00',
    }
    expect(await read()).toMatchObject(open)
  })

  test.each(['filled', 'closed'] as const)(
    'is not possible after the end of a job that is %s',
    async status => {
      await reset(status)
      fixture.test.clock.now = START + 10 * DAY - 1
      expect(await statusOf(send('reopen', fixture.owner))).toBe(200)
      await reset(status)
      fixture.test.clock.now = START + 10 * DAY
      const { error } = await jsonObject(send('reopen', fixture.owner))
      expect(error).toBe(`Its period has ended. Renew it instead (PUT /jobs/${id}/renew.json).`)
      expect(await statusOf(send('renew', fixture.owner))).toBe(200)
      expect(await read()).toMatchObject({ status: 'active', filled_at: null, closed_at: null })
    },
  )

  test('publishes a job from then on that was closed before it was public', async () => {
    await reset('scheduled', { closedAt: START - DAY })
    fixture.test.clock.now = START + 12 * DAY
    expect(await statusOf(send('renew', fixture.owner))).toBe(409)
    await send('reopen', fixture.owner)
    expect(await read()).toMatchObject({
      status: 'active',
      published_at: '2026-01-22T18:21:59+00:00',
      expires_at: '2026-02-19T18:21:59+00:00',
    })
  })

  test('leaves a scheduled job scheduled', async () => {
    await reset('scheduled')
    await send('close', fixture.owner)
    await send('reopen', fixture.owner)
    expect(await read()).toMatchObject({ status: 'scheduled', published_at: null })
  })
})
