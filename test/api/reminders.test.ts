import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, SECOND } from '../../src/base/clock.ts'
import type { JobRow } from '../../src/store/rows.ts'
import { START } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard, PLAN_ID } from '../helpers/fixtures.ts'
import { STATES } from '../helpers/jobStates.ts'
import { MailServer } from '../helpers/mail.ts'
import { statusOf } from '../helpers/responses.ts'

let server: MailServer
let fixture: FixtureBoard
let flags: string[]

beforeEach(async () => {
  server = await MailServer.start()
})
afterEach(async () => {
  await fixture.test.close()
  await server.stop()
})

const END = START + 30 * DAY
type Facts = Partial<Omit<JobRow, 'id'>>

/** Opens a board that sends mail, with jobs of the owner that expire at END. */
async function open(jobs: readonly Facts[], ...more: string[]) {
  flags = [...server.flags, '--digest', 'off', ...more]
  fixture = await openFixtureBoard(...flags)
  const own = { userId: fixture.owner.id, expiresAt: END }
  return await insertJobs(
    fixture.test.board,
    jobs.map(job => ({ ...own, ...job })),
  )
}

async function restart(...more: string[]) {
  fixture = { ...fixture, test: await fixture.test.reopen(...flags, ...more) }
}

/** Moves the clock, and does what is due then. */
async function at(moment: number) {
  fixture.test.clock.now = moment
  await run()
}

async function run() {
  const { mail } = fixture.test.board
  await mail.runDue()
  await mail.whenIdle()
}

/** Returns the subjects of the mails so far, and forgets them. */
const subjects = () => server.mails.splice(0).map(mail => mail.header('Subject'))

const IN_A_WEEK = 'Your job expires in 7 days: Nurse'
const IN_A_DAY = 'Your job expires within a day: Nurse'
const EXPIRED = 'Your job has expired: Nurse'

describe('the owner of a job gets a mail', () => {
  test('7 days and 1 day before its end, and at it, each once, despite restarts', async () => {
    await open([{}])
    for (const [moment, subject] of [
      [END - 7 * DAY, IN_A_WEEK],
      [END - DAY, IN_A_DAY],
      [END, EXPIRED],
    ] as const) {
      await at(moment - 1)
      expect(subjects()).toEqual([])
      await at(moment)
      expect(subjects()).toEqual([subject])
      await run()
      await restart()
      await run()
      await at(moment + HOUR)
      expect(subjects()).toEqual([])
    }
    await at(END + 400 * DAY)
    expect(subjects()).toEqual([])
  })

  test.each<[string, Facts]>([
    ['a draft', { ...STATES.draft, expiresAt: END }],
    ['a pending job', { pending: true }],
    ['a refused job', { refusal: 'No.' }],
    ['a filled job', { filledAt: START }],
    ['a closed job', { closedAt: START }],
    ['a job without an end', { expiresAt: null }],
    ['a job without an owner', { userId: null }],
    [
      'a job that is not published yet',
      { publishAt: END + DAY, publishedAt: END + DAY, expiresAt: END + 31 * DAY },
    ],
  ])('not about %s', async (_, facts) => {
    await open([facts])
    await restart('--mail-owners', 'on')
    for (const moment of [END - 7 * DAY, END - DAY, END]) await at(moment)
    expect(subjects().filter(subject => !subject?.includes('draft'))).toEqual([])
  })

  test.each([
    [14, [7, 1, 0]],
    [8, [7, 1, 0]],
    [7, [1, 0]],
    [1, [0]],
  ])('of a plan of %i days only after the publication', async (days, before) => {
    await open([{ expiresAt: START + days * DAY }])
    const reminded: number[] = []
    for (let hour = 0; hour <= 24 * days; hour += 6) {
      await at(START + hour * HOUR)
      for (const _ of subjects()) reminded.push(days - hour / 24)
    }
    expect(reminded).toEqual(before)
  })

  test('again before the new end of a job that was renewed', async () => {
    await open([{}])
    await at(END - 7 * DAY)
    await at(END - DAY)
    await fixture.test.put('/jobs/1/renew.json', { as: fixture.owner })
    await at(END)
    expect(subjects()).toEqual([IN_A_WEEK, IN_A_DAY])
    for (const before of [7, 1, 0]) await at(END + (30 - before) * DAY)
    expect(subjects()).toEqual([IN_A_WEEK, IN_A_DAY, EXPIRED])
  })

  test('not at once when a job is renewed for a short time', async () => {
    await open([{}])
    await fixture.test.put('/plans/1.json', { as: fixture.admin, body: { period: 7 } })
    await at(END)
    subjects()
    await fixture.test.put('/jobs/1/renew.json', { as: fixture.owner })
    await at(END + HOUR)
    expect(subjects()).toEqual([])
    await at(END + 6 * DAY)
    await at(END + 7 * DAY)
    expect(subjects()).toEqual([IN_A_DAY, EXPIRED])
  })

  test('only about the last reminder that is due if the board was down', async () => {
    await open([{}])
    fixture.test.clock.now = END - HOUR
    await restart()
    await run()
    expect(subjects()).toEqual([IN_A_DAY])
    fixture.test.clock.now = END + 2 * DAY
    await restart()
    await run()
    expect(subjects()).toEqual([EXPIRED])
  })

  test('not more than a week late', async () => {
    await open([{}, { expiresAt: END + SECOND }])
    fixture.test.clock.now = END + 7 * DAY + SECOND
    await restart()
    await run()
    expect(subjects()).toEqual([EXPIRED])
  })

  test('once if the mail server was down from one reminder to the next', async () => {
    await open([{}])
    server.onMail = () => {
      throw new Error('busy')
    }
    await at(END - DAY)
    await at(END + HOUR)
    server.onMail = () => {}
    await at(END + 2 * HOUR)
    await at(END + 6 * HOUR)
    expect(subjects()).toEqual([EXPIRED])
  })

  test('neither if the administrator has turned these mails off, nor without a mail server', async () => {
    await open([{}, { ...STATES.draft, expiresAt: null }], '--mail-owners', 'off')
    for (const moment of [END - 7 * DAY, END, START + 90 * DAY]) await at(moment)
    expect(subjects()).toEqual([])
    // Old drafts are deleted all the same.
    expect(await statusOf(fixture.test.get('/jobs/2.json', { as: fixture.owner }))).toBe(404)
  })

  test('for as many jobs as expire at once', async () => {
    await open(Array.from({ length: 130 }, () => ({})))
    await at(END)
    expect(subjects()).toHaveLength(130)
  })

  test('with its statistics and links to pages, in which nothing is markup', async () => {
    await open([{ title: 'Nurse & <b>', company: '<i>Clinic</i>' }], '--name', 'Jobs & <Co>')
    const visitor = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    await fixture.test.get('/jobs/1.json', { headers: visitor })
    await fixture.test.get('/jobs/1/apply', { headers: visitor })
    await at(END - 7 * DAY)
    const [mail] = server.mails
    expect(mail?.envelope.to).toEqual([fixture.owner.email])
    expect(mail?.text.trimEnd().replaceAll(/token=[\w-]{43}/g, 'token=TOKEN')).toBe(
      `Your job at Jobs & <Co> expires on 9 February 2026:

* Nurse & <b>
  <i>Clinic</i>, Oslo (Remote)
  https://board.example.com/jobs/1

So far: shown 0 times in lists, read 1 time, 1 click on Apply.

Renew this job:
https://board.example.com/jobs/1/renew?token=TOKEN

The link is valid for 30 days and needs no sign-in.`,
    )
    expect(mail?.html).toContain('Nurse &amp; &lt;b&gt;</a><br>&lt;i&gt;Clinic&lt;/i&gt;')
    expect(mail?.html).not.toMatch(/<b>|<i>/)
  })
})

describe('a draft that nobody changes', () => {
  const AGE = START + 83 * DAY
  const draft = { ...STATES.draft, expiresAt: null }
  const isThere = () => fixture.test.board.store.read.jobs.has(1)
  const WARNING = 'Your draft will be deleted in a week: Nurse'

  test('is deleted after 90 days, a week after a warning', async () => {
    await open([draft])
    await at(AGE - 1)
    expect(subjects()).toEqual([])
    await at(AGE)
    const [mail] = server.mails
    expect(mail?.text).toContain('You last changed this draft at Corkboard on 10 January 2026.')
    expect(subjects()).toEqual([WARNING])
    await restart()
    await at(AGE + 7 * DAY - 1)
    expect([isThere(), subjects()]).toEqual([true, []])
    await at(AGE + 7 * DAY)
    expect([isThere(), subjects()]).toEqual([false, []])
  })

  test('stays a week after the warning if the board was down', async () => {
    await open([draft])
    await at(START + 200 * DAY)
    expect([isThere(), subjects()]).toEqual([true, [WARNING]])
    await at(START + 207 * DAY)
    expect(isThere()).toBeFalse()
  })

  test('stays if it is saved again, even unchanged, or submitted', async () => {
    await open([{ ...draft, planId: PLAN_ID.endless }])
    await at(AGE)
    await fixture.test.put('/jobs/1.json', { as: fixture.owner, body: { title: 'Nurse' } })
    await at(AGE + 82 * DAY)
    expect([isThere(), subjects()]).toEqual([true, [WARNING]])
    await at(AGE + 83 * DAY)
    expect(subjects()).toEqual([WARNING])
    await fixture.test.put('/jobs/1/submit.json', { as: fixture.owner })
    await at(AGE + 300 * DAY)
    expect([isThere(), subjects()]).toEqual([true, []])
  })

  test('is deleted without a warning if it has no owner', async () => {
    await open([{ ...draft, userId: null }])
    await at(START + 90 * DAY - 1)
    expect(isThere()).toBeTrue()
    await at(START + 90 * DAY)
    expect([isThere(), subjects()]).toEqual([false, []])
  })
})

test('a refusal is mailed with its reason, and a renewal that awaits approval to administrators', async () => {
  await open([{}], '--approve', 'all')
  await at(END - DAY)
  subjects()
  await fixture.test.put('/jobs/1/renew.json', { as: fixture.owner })
  await run()
  expect(server.mails[0]?.text).toContain('owner@example.com renewed a job at Corkboard.')
  subjects()
  const reason = 'Please name <the> employer.\nAnd the "salary".'
  await fixture.test.put('/jobs/1/refuse.json', { as: fixture.admin, body: { reason } })
  await run()
  const [mail] = server.mails
  expect(mail?.header('Subject')).toBe('Your job was not approved: Nurse')
  expect(mail?.text).toContain('> Please name <the> employer.\n> And the "salary".')
  expect(mail?.html).toContain('Please name &lt;the&gt; employer.\nAnd the &quot;salary&quot;.')
  expect(mail?.text).toContain('You can correct the job and submit it again.')
})
