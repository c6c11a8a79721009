import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { type Status, STATUSES } from '../../src/store/jobStatus.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { type Account, START } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { STATES } from '../helpers/jobStates.ts'
import { idsOf, jsonObject, statusOf } from '../helpers/responses.ts'
import { HTML } from '../helpers/website.ts'

let fixture: FixtureBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
})
afterAll(() => fixture.test.close())

type Facts = Partial<Omit<JobRow, 'id'>>

/** A job's facts, a moment, its status then, and the status of its page for everybody. */
type Case = readonly [name: string, facts: Facts, at: number, status: Status, page: number]

const FILLED_AT = START - DAY
const { scheduled, active, filled } = STATES
const LATER = START + 10 * DAY
const NEVER = { expiresAt: null }

const CASES: readonly Case[] = [
  ['a draft', STATES.draft, START, 'draft', 404],
  ['a draft, years later', STATES.draft, START + 5000 * DAY, 'draft', 404],
  ['a draft with a time of publication', { ...STATES.draft, publishAt: LATER }, LATER, 'draft', 404],
  ['a pending job', STATES.pending, START, 'pending', 404],
  ['a pending job that was public', { ...active, pending: true }, START, 'pending', 404],
  ['a pending job that was public, after its end', { ...active, pending: true }, LATER, 'pending', 404],
  [
    'a pending job, after its time of publication',
    { ...STATES.pending, publishAt: START },
    LATER,
    'pending',
    404,
  ],
  ['a refused job', STATES.refused, START, 'refused', 404],
  ['a refused job that was public', { ...active, refusal: 'No.' }, START, 'refused', 404],
  ['a scheduled job, just before', scheduled, LATER - 1, 'scheduled', 404],
  ['a scheduled job, at its moment', scheduled, LATER, 'active', 200],
  ['a scheduled job, just before its end', scheduled, LATER + 30 * DAY - 1, 'active', 200],
  ['a scheduled job, at its end', scheduled, LATER + 30 * DAY, 'expired', 410],
  [
    'a scheduled job that was closed, after its moment',
    { ...scheduled, closedAt: START },
    LATER,
    'closed',
    404,
  ],
  ['an active job', active, START, 'active', 200],
  ['an active job, just before its end', active, LATER - 1, 'active', 200],
  ['an active job, at its end', active, LATER, 'expired', 410],
  ['an active job without an end', { ...active, ...NEVER }, START + 5000 * DAY, 'active', 200],
  ['a filled job', filled, START, 'filled', 200],
  ['a filled job, just before 30 days', filled, FILLED_AT + 30 * DAY - 1, 'filled', 200],
  ['a filled job, after 30 days', filled, FILLED_AT + 30 * DAY, 'filled', 410],
  ['a filled job without an end, after 30 days', { ...filled, ...NEVER }, START + 99 * DAY, 'filled', 410],
  ['a filled job that was closed too', { ...filled, closedAt: START }, START, 'closed', 410],
  ['a closed job', STATES.closed, START, 'closed', 410],
  ['a closed job, after its end', STATES.closed, LATER, 'closed', 410],
  ['a closed job that was pending', { ...STATES.pending, closedAt: START }, START, 'closed', 404],
  ['a closed job that was refused', { ...STATES.refused, closedAt: START }, START, 'closed', 404],
  ['an expired job', STATES.expired, START, 'expired', 410],
  ['an expired job, much later', STATES.expired, START + 5000 * DAY, 'expired', 410],
]

const sendingAs = (as: Account | undefined) => (as ? { as } : {})

/** Returns the filters of the list with which a caller finds a job. */
async function filtersThatFind(id: number, as: Account): Promise<string[]> {
  const found = await Promise.all(
    [...STATUSES, 'all'].map(async status => {
      const ids = await idsOf(fixture.test.get(`/jobs.json?status=${status}`, { as }))
      return ids.includes(id) ? [status] : []
    }),
  )
  return found.flat()
}

/** Returns which lists contain a job. */
async function listsWith(id: number, as?: Account): Promise<string[]> {
  const { test: board } = fixture
  const sending = sendingAs(as)
  const found = [
    (await idsOf(board.get('/jobs.json', sending))).includes(id) ? ['list'] : [],
    (await idsOf(board.get('/jobs.json?q=nurse', sending))).includes(id) ? ['search'] : [],
  ]
  for (const path of ['/', '/feed.xml', '/feed.json', '/sitemap.xml']) {
    const text = await (await board.get(path, { headers: HTML })).text()
    found.push(new RegExp(`/jobs/${id}(?![0-9])`).test(text) ? [path] : [])
  }
  return found.flat()
}

const EVERY_LIST = ['list', 'search', '/', '/feed.xml', '/feed.json', '/sitemap.xml']

/** Reads a job's page as everybody sees it. */
async function pageOf(id: number) {
  const response = await fixture.test.get(`/jobs/${id}`, { headers: HTML })
  const html = await response.text()
  return {
    status: response.status,
    isOpen: [html.includes('application/ld+json'), html.includes(`href="/jobs/${id}/apply"`)],
    isIndexed: !/<meta name="robots" content="noindex/.test(html),
    saysFilled: html.includes('This job has been filled.'),
  }
}

describe('the facts of a job and the time decide what everybody sees', () => {
  test.each(CASES)('%s', async (_, facts, now, status, page) => {
    const { test: board, owner, other, admin } = fixture
    board.clock.now = START
    await board.board.store.write(tables => {
      for (const { id } of tables.jobs.all()) tables.jobs.remove(id)
    })
    const [id = 0] = await insertJobs(board.board, [
      { location: 'Lisbon, Portugal', createdAt: START - 3 * DAY, userId: owner.id, ...facts },
    ])
    const isActive = status === 'active'
    // Everything is read before, too, so that caches must notice the time.
    await listsWith(id)
    await pageOf(id)
    board.clock.now = now
    expect(await listsWith(id)).toEqual(isActive ? EVERY_LIST : [])
    expect(await listsWith(id, other)).toEqual(isActive ? EVERY_LIST : [])
    expect(await pageOf(id)).toEqual({
      status: page,
      isOpen: [isActive, isActive],
      isIndexed: isActive,
      saysFilled: status === 'filled' && page === 200,
    })
    const application = isActive ? 302 : status === 'filled' ? 410 : page
    for (const sending of [{}, { as: other }]) {
      expect(await statusOf(board.get(`/jobs/${id}.json`, sending))).toBe(isActive ? 200 : 404)
      expect(await statusOf(board.get(`/jobs/${id}/apply`, sending))).toBe(application)
    }
    const event = { path: '/', job: id, kind: 'view' }
    expect(await statusOf(board.post('/events.json', { body: event }))).toBe(isActive ? 202 : 422)
    expect((await jsonObject(board.get('/analytics.json', { as: admin })))['jobs']).toBe(isActive ? 1 : 0)
    for (const as of [owner, admin]) {
      expect(await jsonObject(board.get(`/jobs/${id}.json`, { as }))).toMatchObject({ id, status })
      expect(await filtersThatFind(id, as)).toEqual([status, 'all'])
    }
    expect(await filtersThatFind(id, other)).toEqual(isActive ? ['active', 'all'] : [])
    expect(await idsOf(board.get('/jobs.json?status=all&mine=true', { as: owner }))).toEqual([id])
  })

  test('also whether they see its preview image', async () => {
    const { test: board, owner, other } = fixture
    board.clock.now = START
    for (const [status, facts] of Object.entries(STATES)) {
      const [id = 0] = await insertJobs(board.board, [{ userId: owner.id, ...facts }])
      const isShown = status === 'active' || status === 'filled'
      // The image of a filled job is part of its page.
      expect([status, await statusOf(board.get(`/jobs/${id}.png`))]).toEqual([status, isShown ? 200 : 404])
      expect(await statusOf(board.get(`/jobs/${id}.png`, { as: other }))).toBe(isShown ? 200 : 404)
    }
  })
})
