import { afterEach, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, timestamp } from '../../src/base/clock.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { STATUSES, statusOf } from '../../src/store/jobStatus.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { START, TestBoard } from '../helpers/board.ts'
import { insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { TestHost } from '../helpers/host.ts'
import { ROW } from '../helpers/importFolder.ts'
import { STATES } from '../helpers/jobStates.ts'

const open: TestBoard[] = []
afterEach(async () => {
  for (const { folder } of open.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function command(...args: string[]) {
  const host = new TestHost()
  const status = await run(COMMANDS, args, host)
  return { status, out: host.out, err: host.err }
}

const data = ({ folder }: TestBoard) => join(folder, 'data')

/** A job that differs from the default in every column. */
const EVERYTHING: Omit<JobRow, 'id'> = {
  title: 'Every “column”',
  description: '# Line\n\n\\ and "more"\n',
  location: 'Łódź',
  arrangement: 'hybrid',
  salary: 0,
  salaryCurrency: 'JPY',
  salaryPeriod: 'hourly',
  company: 'A, B & C',
  companyWebsite: 'https://abc.example/?a=1',
  applicationType: 'email',
  applicationUrl: 'https://abc.example/apply',
  applicationEmail: 'jobs@abc.example',
  categoryId: 2,
  termId: 2,
  planId: 4,
  userId: 2,
  logo: '',
  pending: true,
  renewing: true,
  refusal: 'Two\nlines.',
  createdAt: START - 100 * DAY,
  updatedAt: START - 9 * DAY,
  submittedAt: START - 99 * DAY,
  publishAt: START - 98 * DAY,
  publishedAt: START - 97 * DAY,
  filledAt: START - 96 * DAY,
  closedAt: START - 95 * DAY,
  expiresAt: START + DAY,
  remindedOf: START + 2 * DAY,
  reminders: 2,
  renewedAt: START - 93 * DAY,
  warnedAt: START - 94 * DAY,
  claimEmail: null,
  source: 'abc.example_jobs-1',
  externalId: 'A 1/2',
}

/** Drafts with as little as a draft can have. */
const EMPTY = {
  ...STATES.draft,
  description: '',
  location: '',
  company: '',
  companyWebsite: '',
  applicationUrl: '',
  categoryId: null,
  termId: null,
  planId: null,
}

/** Returns the jobs of a board, with the names of records instead of their ids. */
function jobsOf({ board }: TestBoard) {
  const { jobs, categories, terms, plans, users } = board.store.read
  return jobs.all().map(({ categoryId, termId, planId, userId, ...job }) => ({
    ...job,
    category: categories.get(categoryId)?.name,
    term: terms.get(termId)?.name,
    plan: plans.get(planId)?.name,
    user: users.get(userId)?.email,
  }))
}

/** Imports lines into an empty board. */
async function importLines(lines: string) {
  const target = await TestBoard.open()
  open.push(target)
  await target.board.close()
  const file = join(target.folder, 'board.jsonl')
  writeFileSync(file, lines)
  const result = await command('import', file, '--with-accounts', '--data', data(target))
  return { result, target: await target.again() }
}

describe('an export', () => {
  test('restores every column of jobs in every status', async () => {
    const { test: board, owner } = await openFixtureBoard()
    open.push(board)
    const own = { userId: owner.id, createdAt: START - 3 * DAY }
    const states = STATUSES.map(status => ({ ...own, ...STATES[status] }))
    await insertJobs(board.board, [...states, EVERYTHING, EMPTY, { ...EMPTY, applicationType: 'email' }])
    const before = jobsOf(board)
    const source = { name: 'abc.example_jobs-1', userId: owner.id, createdAt: START, failed: false }
    await board.board.store.write(tables => tables.sources.insert(source))
    await board.board.close()
    const file = join(board.folder, 'board.jsonl')
    expect(await command('export', file, '--data', data(board))).toMatchObject({ status: 0, err: '' })
    const { result, target } = await importLines(readFileSync(file, 'utf8'))
    expect(result).toMatchObject({ status: 0, err: '' })
    expect(jobsOf(target)).toEqual(before)
    const restored = target.board.store.read.jobs.all().map(job => statusOf(job, START))
    expect(restored).toEqual([...STATUSES, 'closed', 'draft', 'draft'])
    const { sources, users } = target.board.store.read
    expect(sources.all().map(({ name, userId }) => [name, users.get(userId)?.email])).toEqual([
      [source.name, owner.email],
    ])
    await target.board.close()
  })
})

test('the jobs of a source are not imported twice', async () => {
  const line = (externalId: string | null) =>
    `${JSON.stringify({ ...OLD_LINE, source: 'ats', external_id: externalId })}\n`
  const { result, target } = await importLines(line('1') + line('2'))
  expect(result).toMatchObject({ status: 0 })
  await target.board.close()
  const file = join(target.folder, 'board.jsonl')
  writeFileSync(file, line('2') + line('3') + line('3') + line(null))
  const again = await command('import', file, '--data', data(target))
  expect(again.status).toBe(1)
  expect(again.err).toContain(
    'Line 1 "Beekeeper": external_id is already used by another job of this source.',
  )
  expect(again.err).toContain('Line 3 "Beekeeper": external_id is the same as that of another row')
  expect(again.err).toContain('Line 4 "Beekeeper": external_id is required.')
})

/** A job in an export of a version that had neither drafts nor the other new columns. */
const OLD_LINE = {
  corkboard: 'job',
  ...ROW,
  plan: 'Basic',
  pending: false,
  created_at: timestamp(START - 9 * DAY),
  updated_at: timestamp(START - 8 * DAY),
  appeared_at: timestamp(START - 7 * DAY),
  expires_at: timestamp(START + DAY),
}
const OLD_COLUMNS = {
  renewing: false,
  refusal: null,
  createdAt: START - 9 * DAY,
  updatedAt: START - 8 * DAY,
  submittedAt: START - 9 * DAY,
  publishAt: null,
  publishedAt: START - 7 * DAY,
  filledAt: null,
  closedAt: null,
  expiresAt: START + DAY,
  remindedOf: null,
  reminders: 0,
  renewedAt: null,
  warnedAt: null,
  source: null,
  externalId: null,
}

test.each([
  ['active', {}, {}],
  ['expired', { expires_at: timestamp(START - DAY) }, { expiresAt: START - DAY }],
  ['pending', { pending: true, appeared_at: null, expires_at: null }, { publishedAt: null, expiresAt: null }],
  ['pending', { pending: true }, {}],
] as const)('an old export restores a job that was %s: %j', async (status, fields, columns) => {
  const { result, target } = await importLines(`${JSON.stringify({ ...OLD_LINE, ...fields })}\n`)
  expect(result).toMatchObject({ status: 0, err: '' })
  const [job] = target.board.store.read.jobs.all()
  expect(job).toMatchObject({ ...OLD_COLUMNS, ...columns })
  expect(job && statusOf(job, START)).toBe(status)
  await target.board.close()
})

test.each([
  [{ submitted_at: null, title: '' }, ['title']],
  [{ submitted_at: 'soon', filled_at: 'x', reminders: -1 }, ['submitted_at', 'filled_at', 'reminders']],
  [{ refusal: 'x'.repeat(2001), renewing: 'x' }, ['refusal', 'renewing']],
  [{ category: '' }, ['category']],
])('a line with %j is refused', async (fields, wrong) => {
  const { result, target } = await importLines(`${JSON.stringify({ ...OLD_LINE, ...fields })}\n`)
  expect(result.status).toBe(1)
  for (const field of wrong) expect(result.err).toContain(`${field} `)
  expect(target.board.store.read.jobs.count).toBe(0)
  await target.board.close()
})
