import { expect, test } from 'bun:test'
import sample from '../../src/assets/sample.json'
import { isCurrency } from '../../src/base/currency.ts'
import { fillWithSample } from '../../src/cli/sample.ts'
import { STATUSES } from '../../src/store/jobStatus.ts'
import { APPLICATION_TYPES, ARRANGEMENTS, SALARY_PERIODS } from '../../src/store/rows.ts'
import { TestBoard } from '../helpers/board.ts'
import { jsonList } from '../helpers/responses.ts'

const { categories, terms, plans, jobs } = sample
type SampleJob = (typeof jobs)[number]

const NAME_LENGTH = 64
const TITLE_LENGTH = 64
const LINE_LENGTH = 255
const EXAMPLE_HOST = /^[a-z0-9-]+\.example\.(com|org|net)$/
const ADDRESS = /(?:https?:\/\/|[\w.+-]+@)([^\s/)>]+)/g

/** The titles of the jobs of which this is true: a test that fails names them. */
const titlesWhere = (is: (job: SampleJob) => boolean) => jobs.filter(is).map(job => job.title)

const isLine = (text: string, longest: number) =>
  text !== '' && text.trim() === text && !/\p{Cc}/u.test(text) && [...text].length <= longest

const words = (text: string) => text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length

const among = (choices: readonly string[], value: string) => choices.includes(value)

test('the sample board is small, and no two jobs share a title', () => {
  expect(jobs.length).toBeWithin(20, 31)
  expect(new Set(jobs.map(job => job.title)).size).toBe(jobs.length)
})

test.each([
  ['categories', categories],
  ['terms', terms],
  ['plans', plans.map(plan => plan.name)],
])('the names of its %s are unique lines', (_, names) => {
  expect(names.filter(name => !isLine(name, NAME_LENGTH))).toEqual([])
  expect(new Set(names.map(name => name.toLowerCase())).size).toBe(names.length)
})

test('its categories, terms and plans are exactly those of its jobs', () => {
  const named = (name: (job: SampleJob) => string) => [...new Set(jobs.map(name))].sort()
  expect(named(job => job.category)).toEqual(categories.toSorted())
  expect(named(job => job.term)).toEqual(terms.toSorted())
  expect(named(job => job.plan)).toEqual(plans.map(plan => plan.name).sort())
})

test('every line of a job is within its limit', () => {
  expect(titlesWhere(job => !isLine(job.title, TITLE_LENGTH))).toEqual([])
  expect(titlesWhere(job => !isLine(job.company, LINE_LENGTH))).toEqual([])
  expect(titlesWhere(job => !isLine(job.location, LINE_LENGTH))).toEqual([])
})

test('every description has a realistic length and some Markdown', () => {
  expect(titlesWhere(job => words(job.description) < 120 || words(job.description) > 250)).toEqual([])
  expect(titlesWhere(job => !/^(#+ |[-*] |1\. )|\*\*/m.test(job.description))).toEqual([])
})

test('every salary, arrangement and application type is valid', () => {
  expect(
    titlesWhere(job => job.salary !== undefined && !(Number.isSafeInteger(job.salary) && job.salary > 0)),
  ).toEqual([])
  expect(titlesWhere(job => !isCurrency(job.salary_currency))).toEqual([])
  expect(titlesWhere(job => !among(SALARY_PERIODS, job.salary_period))).toEqual([])
  expect(titlesWhere(job => !among(ARRANGEMENTS, job.arrangement))).toEqual([])
  expect(titlesWhere(job => !among(APPLICATION_TYPES, job.application_type))).toEqual([])
})

test('it has every arrangement, salary period and application type, and jobs without a salary', () => {
  expect(ARRANGEMENTS.filter(it => !jobs.some(job => job.arrangement === it))).toEqual([])
  expect(SALARY_PERIODS.filter(it => !jobs.some(job => job.salary && job.salary_period === it))).toEqual([])
  expect(APPLICATION_TYPES.filter(it => !jobs.some(job => job.application_type === it))).toEqual([])
  expect(titlesWhere(job => job.salary === undefined)).not.toEqual([])
})

test('a job has only the address that its application type needs', () => {
  const addresses = (job: SampleJob) => [
    job.application_url !== undefined,
    job.application_email !== undefined,
  ]
  expect(
    titlesWhere(
      job =>
        !Bun.deepEquals(addresses(job), [job.application_type === 'url', job.application_type === 'email']),
    ),
  ).toEqual([])
})

test('every address is at an example domain', () => {
  const text = JSON.stringify([...jobs, ...sample.hidden_jobs], null, 1).replaceAll('"', ' ')
  const hosts = [...text.matchAll(ADDRESS)].map(([, host = '']) => host.replace(/[.,;]+$/, ''))
  expect(hosts.filter(host => !EXAMPLE_HOST.test(host))).toEqual([])
  expect(hosts).toHaveLength(2 * (jobs.length + sample.hidden_jobs.length))
  expect(titlesWhere(job => !URL.canParse(job.company_website))).toEqual([])
})

test('the jobs are in order from the oldest, at most twenty days old, and none has expired', () => {
  const ages = jobs.map(job => job.posted_days_ago)
  expect(ages).toEqual(ages.toSorted((a, b) => b - a))
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...ages)).toBeLessThanOrEqual(20)
  const period = new Map(plans.map(plan => [plan.name, plan.period]))
  expect(titlesWhere(job => job.posted_days_ago >= (period.get(job.plan) ?? 0))).toEqual([])
})

test('most jobs have the free plan, and a few are pinned', () => {
  const on = (name: string) => jobs.filter(job => job.plan === name).length
  expect(on('Basic')).toBeGreaterThan(jobs.length / 2)
  expect(on('Standard')).toBeGreaterThan(0)
  expect(on('Featured')).toBeWithin(3, 5)
  expect(plans.filter(plan => plan.pin).map(plan => plan.name)).toEqual(['Featured'])
})

test.each(['nurse', 'developer'])(
  "%s is in one job's title, and only in the description of another",
  word => {
    const has = (text: string) => new RegExp(`\\b${word}\\b`, 'i').test(text)
    expect(titlesWhere(job => has(job.title))).not.toEqual([])
    expect(titlesWhere(job => !has(job.title) && has(job.description))).not.toEqual([])
  },
)

test.each(['Zürich', 'Łódź', 'São Paulo', 'Malmö', '京都'])(
  '%s is there for a search without accents',
  name => {
    expect(
      titlesWhere(job => [job.title, job.company, job.location].some(text => text.includes(name))),
    ).toHaveLength(1)
  },
)

test('its hidden jobs show every other status', async () => {
  const board = await TestBoard.open()
  try {
    expect(await fillWithSample(board.board)).toBe(jobs.length)
    const admin = await board.account('admin@example.com', 'admin')
    for (const status of STATUSES) {
      const { length } = await jsonList(board.get(`/jobs.json?status=${status}`, { as: admin }))
      expect([status, length]).toEqual([status, status === 'active' ? jobs.length : 1])
    }
    expect(await jsonList(board.get('/jobs.json'))).toHaveLength(jobs.length)
    board.clock.now += 5 * 86_400_000
    expect(await jsonList(board.get('/jobs.json?status=scheduled', { as: admin }))).toHaveLength(1)
    board.clock.now += 86_400_000
    expect(await jsonList(board.get('/jobs.json?q=harvest'))).toHaveLength(1)
  } finally {
    await board.close()
  }
})
