import { afterEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE, timestamp } from '../../src/base/clock.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { type Account, START } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, JOB_FIELDS, openFixtureBoard, PLAN_ID } from '../helpers/fixtures.ts'
import { fieldErrors, jsonObject, statusOf } from '../helpers/responses.ts'

let fixture: FixtureBoard
afterEach(() => fixture.test.close())

const END = START + 30 * DAY

/** Opens a board with a job of the owner that expires at END. */
async function open(columns: Partial<Omit<JobRow, 'id'>> = {}, ...flags: string[]) {
  fixture = await openFixtureBoard(...flags)
  await insertJobs(fixture.test.board, [{ userId: fixture.owner.id, expiresAt: END, ...columns }])
}

const renew = (body?: object, as: Account = fixture.owner) =>
  fixture.test.put('/jobs/1/renew.json', { as, ...(body && { body }) })
const read = () => jsonObject(fixture.test.get('/jobs/1.json', { as: fixture.owner }))
const approve = () => fixture.test.put('/jobs/1/approve.json', { as: fixture.admin })
const at = (moment: number) => {
  fixture.test.clock.now = moment
}

describe('renewal', () => {
  test('is possible from 14 days before the end, and adds a period to it', async () => {
    await open()
    at(END - 14 * DAY - 1)
    const response = await renew()
    expect(response.status).toBe(409)
    expect((await jsonObject(response))['error']).toBe(
      'The job expires on 9 February 2026 at 18:21 UTC. It can be renewed from 26 January 2026 at 18:21 UTC on.',
    )
    at(END - 14 * DAY)
    expect(await jsonObject(renew())).toEqual({ message: 'The job "Nurse" is renewed.' })
    expect(await read()).toMatchObject({
      status: 'active',
      created_at: timestamp(START),
      published_at: timestamp(START),
      expires_at: timestamp(END + 30 * DAY),
      updated_at: timestamp(END - 14 * DAY),
    })
    // A repeated request adds nothing.
    expect(await statusOf(renew())).toBe(200)
    expect(await read()).toMatchObject({ expires_at: timestamp(END + 30 * DAY) })
    at(END - 14 * DAY + 10 * MINUTE)
    expect(await statusOf(renew())).toBe(409)
  })

  test('is done once by a double click, also where a period is shorter than 14 days', async () => {
    await open({ expiresAt: START + DAY })
    await fixture.test.board.store.write(({ plans }) => {
      const plan = plans.get(PLAN_ID.basic)
      if (plan) plans.update(plan, { period: 7 })
    })
    expect(await Promise.all([statusOf(renew()), statusOf(renew())])).toEqual([200, 200])
    expect(await read()).toMatchObject({ expires_at: timestamp(START + 8 * DAY) })
    at(START + 10 * MINUTE)
    await renew()
    expect(await read()).toMatchObject({ expires_at: timestamp(START + 15 * DAY) })
  })

  test.each([
    ['at the end', END],
    ['years after it', END + 1000 * DAY],
  ])('%s starts a period then', async (_, now) => {
    await open()
    at(now)
    expect(await statusOf(renew())).toBe(200)
    expect(await read()).toMatchObject({ status: 'active', expires_at: timestamp(now + 30 * DAY) })
  })

  test('keeps the place of a job in the list', async () => {
    await open()
    await insertJobs(fixture.test.board, [{ createdAt: START + DAY, expiresAt: null }])
    at(END)
    await renew()
    const list = JSON.parse(await (await fixture.test.get('/jobs.json')).text()) as { id: number }[]
    expect(list.map(({ id }) => id)).toEqual([2, 1])
  })

  test.each([
    [{ planId: PLAN_ID.endless }, {}, null],
    [{}, { plan_id: PLAN_ID.endless }, null],
    [{}, { plan_id: PLAN_ID.pinned }, timestamp(END + 60 * DAY)],
    [{}, { plan_id: '' }, timestamp(END + 30 * DAY)],
  ])('of %j with %j ends at %p', async (columns, body, end) => {
    await open(columns)
    at(END - DAY)
    expect(await statusOf(renew(body))).toBe(200)
    expect(await read()).toMatchObject({ status: 'active', expires_at: end })
  })

  test.each([
    [{ plan_id: 99 }, "doesn't match any plan"],
    [{ plan_id: PLAN_ID.archived }, 'matches a plan that is archived'],
    [{ plan_id: 'x' }, expect.any(String)],
  ])('with %j is refused', async (body, error) => {
    await open()
    at(END)
    expect(await fieldErrors(renew(body))).toEqual({ plan_id: [error] })
    expect(await read()).toMatchObject({ status: 'expired' })
  })

  test('needs another plan if that of the job is archived', async () => {
    await open({ planId: PLAN_ID.archived })
    at(END)
    const response = await renew()
    expect([response.status, (await jsonObject(response))['error']]).toEqual([
      409,
      'The plan "Archived" is archived. Choose another one with plan_id.',
    ])
    expect(await statusOf(renew({ plan_id: PLAN_ID.basic }))).toBe(200)
    expect(await read()).toMatchObject({ status: 'active', plan: { id: PLAN_ID.basic } })
  })

  test('is not needed by a job that never expires', async () => {
    await open({ expiresAt: null })
    expect((await jsonObject(renew()))['error']).toBe('The job never expires, so there is nothing to renew.')
  })
})

describe('approval of a renewal', () => {
  test.each([
    ['none', PLAN_ID.pinned, 'active'],
    ['paid', PLAN_ID.basic, 'active'],
    ['paid', PLAN_ID.pinned, 'pending'],
    ['all', PLAN_ID.basic, 'pending'],
  ])('--approve %s, plan %i: %s', async (approval, planId, status) => {
    await open({ planId: PLAN_ID.basic }, '--approve', approval)
    at(END - DAY)
    const { message } = await jsonObject(renew({ plan_id: planId }))
    const isPending = status === 'pending'
    expect(message).toBe(
      `The job "Nurse" ${isPending ? 'is awaiting approval, and will be renewed then' : 'is renewed'}.`,
    )
    expect(await read()).toMatchObject({ status, plan: { id: planId } })
    at(END + DAY)
    if (!isPending) return
    expect(await read()).toMatchObject({ status, expires_at: timestamp(END) })
    await approve()
    const start = END + DAY
    const days = planId === PLAN_ID.pinned ? 60 : 30
    expect(await read()).toMatchObject({ status: 'active', expires_at: timestamp(start + days * DAY) })
    await approve()
    expect(await read()).toMatchObject({ expires_at: timestamp(start + days * DAY) })
  })

  test('is not needed for an administrator', async () => {
    await open({}, '--approve', 'all')
    at(END)
    await renew({}, fixture.admin)
    expect(await read()).toMatchObject({ status: 'active', expires_at: timestamp(END + 30 * DAY) })
  })

  test('can be repeated while it is pending, but not with another plan', async () => {
    await open({ closedAt: START }, '--approve', 'all')
    at(END)
    expect(await statusOf(renew())).toBe(200)
    expect(await statusOf(renew())).toBe(200)
    expect(await statusOf(renew({ plan_id: PLAN_ID.basic }))).toBe(200)
    expect(await statusOf(renew({ plan_id: PLAN_ID.pinned }))).toBe(409)
    expect(await read()).toMatchObject({ status: 'pending', plan: { id: PLAN_ID.basic }, closed_at: null })
  })

  test('can be refused; the job is renewed when it was submitted and approved after all', async () => {
    await open({}, '--approve', 'all')
    at(END)
    await renew()
    await fixture.test.put('/jobs/1/refuse.json', { as: fixture.admin, body: { reason: 'No.' } })
    expect(await read()).toMatchObject({ status: 'refused', refusal: 'No.' })
    await fixture.test.put('/jobs/1/submit.json', { as: fixture.owner })
    expect(await read()).toMatchObject({ status: 'pending', expires_at: timestamp(END) })
    at(END + DAY)
    await approve()
    expect(await read()).toMatchObject({ status: 'active', expires_at: timestamp(END + 31 * DAY) })
  })
})

describe('approval', () => {
  test.each([
    ['none', PLAN_ID.pinned, 'active'],
    ['paid', PLAN_ID.basic, 'active'],
    ['paid', PLAN_ID.pinned, 'pending'],
    ['all', PLAN_ID.basic, 'pending'],
  ])('of a draft: --approve %s, plan %i: %s', async (approval, planId, status) => {
    fixture = await openFixtureBoard('--approve', approval)
    const { test: board, owner, admin } = fixture
    const body = { ...JOB_FIELDS, plan_id: planId, draft: true }
    for (const as of [owner, admin]) await board.post('/jobs.json', { as, body })
    await board.put('/jobs/1/submit.json', { as: owner })
    expect(await read()).toMatchObject({ status })
    await board.put('/jobs/2/submit.json', { as: admin })
    expect(await jsonObject(board.get('/jobs/2.json', { as: admin }))).toMatchObject({ status: 'active' })
  })

  test('of a scheduled job that its owner edits: its period starts with the approval, if that is later', async () => {
    fixture = await openFixtureBoard('--approve', 'all')
    const { test: board, owner } = fixture
    const publishAt = timestamp(START + 5 * DAY)
    await board.post('/jobs.json', { as: owner, body: { ...JOB_FIELDS, publish_at: publishAt } })
    await approve()
    expect(await read()).toMatchObject({ status: 'scheduled', expires_at: timestamp(START + 35 * DAY) })
    await board.put('/jobs/1.json', { as: owner, body: { title: 'Other' } })
    expect(await read()).toMatchObject({ status: 'pending', publish_at: publishAt, expires_at: null })
    at(START + 7 * DAY)
    await approve()
    const start = START + 7 * DAY
    const published = { published_at: timestamp(start), expires_at: timestamp(start + 30 * DAY) }
    expect(await read()).toMatchObject({ status: 'active', ...published })
  })
})
