import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.ts'
import { type Account, TestBoard } from '../helpers/board.ts'
import { MailServer } from '../helpers/mail.ts'
import { addMinimalRecords, PAID, postJob } from '../helpers/minimalBoard.ts'

const READER = 'reader@example.com'
const MONDAY = Date.UTC(2026, 0, 12, 7)
const WEEK = 7 * DAY

let server: MailServer
let board: TestBoard
let admin: Account

async function open(...flags: string[]): Promise<void> {
  board = await TestBoard.open(...server.flags, ...flags)
  await addMinimalRecords(board)
  admin = await board.account('admin@example.com', 'admin')
}

beforeEach(async () => {
  server = await MailServer.start()
})

afterEach(async () => {
  await board.close()
  await server.stop()
})

async function subscriber(email = READER): Promise<void> {
  await board.post('/subscribers.json', { body: { email } })
  const { id } = board.board.store.read.subscribers.findBy('email', email) ?? { id: 0 }
  await board.board.mail.whenIdle()
  await board.put(`/subscribers/${id}.json`, { as: admin, body: { email_confirmed: true } })
  server.mails.length = 0
}

/** Moves the clock and runs what is due then. */
async function at(moment: number): Promise<void> {
  board.clock.now = moment
  await board.board.mail.runDue()
  await board.board.mail.whenIdle()
}

const subjects = () => server.mails.map(mail => mail.header('Subject'))

describe('a weekly digest', () => {
  beforeEach(async () => {
    await open()
    await subscriber()
  })

  test('lists the jobs of the week on Monday at seven, newest first', async () => {
    await postJob(board, admin, { title: 'Porter' })
    board.clock.now += HOUR
    await postJob(board, admin, { title: 'Cook & <b>baker</b>', company: 'Café', arrangement: 'onsite' })
    await at(MONDAY)
    expect(subjects()).toEqual([])
    await at(MONDAY + MINUTE)
    expect(subjects()).toEqual(['2 new jobs at Corkboard'])
    const [mail] = server.mails
    expect(mail?.envelope.to).toEqual([READER])
    expect(mail?.text).toContain(
      '* Cook & <b>baker</b>\n  Café, Leeds (On-site)\n  https://board.example.com/jobs/2\n\n* Porter\n',
    )
    expect(mail?.html).toContain('Cook &amp; &lt;b&gt;baker&lt;/b&gt;</a><br>Café, Leeds (On-site)')
  })

  test('is sent once, despite restarts, and again only when there are new jobs', async () => {
    await postJob(board, admin)
    await at(MONDAY + HOUR)
    await at(MONDAY + 2 * DAY)
    board = await board.reopen(...server.flags)
    await at(MONDAY + 3 * DAY)
    expect(subjects()).toEqual(['1 new job at Corkboard'])
    await at(MONDAY + WEEK + HOUR)
    expect(server.mails).toHaveLength(1)
    await postJob(board, admin, { title: 'Porter' })
    board = await board.reopen(...server.flags)
    await at(MONDAY + 2 * WEEK + MINUTE)
    expect(server.mails).toHaveLength(2)
    expect(server.mails[1]?.text).toContain('Porter')
    expect(server.mails[1]?.text).not.toContain('Night nurse')
  })

  test('includes a job that appears at the very end of a period only in the next digest', async () => {
    await postJob(board, admin, { title: 'Cook' })
    board.clock.now = MONDAY
    await postJob(board, admin, { title: 'Porter' })
    await at(MONDAY + MINUTE)
    await at(MONDAY + WEEK + MINUTE)
    expect(server.mails.map(({ text }) => text.match(/^\* .*$/gm))).toEqual([['* Cook'], ['* Porter']])
  })

  test('includes nothing older for a subscriber who joined after the end of a period', async () => {
    board.clock.now = MONDAY + 10 * SECOND
    await postJob(board, admin, { title: 'Before' })
    board.clock.now += SECOND
    await subscriber('late@example.com')
    await at(MONDAY + HOUR)
    await at(MONDAY + WEEK + HOUR)
    expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([[READER]])
  })

  test('leaves out earlier, deleted and pending jobs', async () => {
    const user = await board.account('user@example.com')
    board = await board.reopen(...server.flags, '--approve', 'paid', '--mail-owners', 'off')
    await postJob(board, admin, { title: 'Gone' })
    await board.delete('/jobs/1.json', { as: admin })
    await postJob(board, admin, { title: 'Ended' })
    await board.put('/jobs/2.json', { as: admin, body: { expires_at: '2026-01-11T00:00:00Z' } })
    await postJob(board, user, { title: 'Waits', plan_id: PAID })
    await board.board.mail.whenIdle()
    server.mails.length = 0
    await at(MONDAY + HOUR)
    expect(subjects()).toEqual([])
    await board.put('/jobs/3/approve.json', { as: admin })
    await board.board.mail.whenIdle()
    server.mails.length = 0
    await at(MONDAY + WEEK + HOUR)
    expect(subjects()).toEqual(['1 new job at Corkboard'])
  })

  test('is sent to confirmed subscribers, from their confirmation on', async () => {
    for (const email of ['late@example.com', 'next@example.com'])
      await board.post('/subscribers.json', { body: { email } })
    await postJob(board, admin, { title: 'Before' })
    board.clock.now += SECOND
    await subscriber('next@example.com')
    await postJob(board, admin, { title: 'After' })
    await at(MONDAY + HOUR)
    const recipients = server.mails.map(
      ({ envelope, text }) => [envelope.to[0], text.includes('Before')] as const,
    )
    expect(recipients).toHaveLength(2)
    expect(new Map(recipients)).toEqual(
      new Map([
        ['next@example.com', false],
        [READER, true],
      ]),
    )
  })

  test('lists fifty jobs, and the number of others', async () => {
    for (let number = 1; number <= 52; number++) await postJob(board, admin, { title: `Job ${number}` })
    await at(MONDAY + HOUR)
    expect(subjects()).toEqual(['52 new jobs at Corkboard'])
    const text = server.mails[0]?.text ?? ''
    expect([text.includes('* Job 3\n'), text.includes('* Job 2\n')]).toEqual([true, false])
    expect(text).toContain('… and 2 more: https://board.example.com/')
  })

  test('can be unsubscribed from with one POST by the mail program', async () => {
    await postJob(board, admin)
    await at(MONDAY + HOUR)
    const [mail] = server.mails
    expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const url = /^<(https:\/\/board\.example\.com(\S+))>$/.exec(mail?.header('List-Unsubscribe') ?? '')
    expect(mail?.text).toContain(url?.[1] ?? 'no link')
    const path = url?.[2] ?? ''
    expect((await board.get(path)).status).toBe(200)
    expect((await board.get(path, { headers: { accept: 'text/html' } })).status).toBe(200)
    expect(board.board.store.read.subscribers.all()).toHaveLength(1)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await board.post(path, { body })).status).toBe(200)
    expect(board.board.store.read.subscribers.all()).toEqual([])
    expect(board.board.store.read.tokens.all()).toEqual([])
    expect((await board.post(path, { body })).status).toBe(404)
    await postJob(board, admin)
    await at(MONDAY + WEEK + HOUR)
    expect(server.mails).toHaveLength(1)
  })

  test.each([
    ['was erased', (path: string) => board.delete(path, { as: admin })],
    [
      'is confirmed no more',
      (path: string) => board.put(path, { as: admin, body: { email_confirmed: false } }),
    ],
  ])('that is queued is not sent to a subscriber who %s meanwhile', async (_, leave) => {
    server.onMail = () => {
      throw new Error('not now')
    }
    await postJob(board, admin)
    await at(MONDAY + HOUR)
    expect(board.board.store.read.mails.all()).toHaveLength(1)
    await leave('/subscribers/1.json')
    server.onMail = () => {}
    await at(MONDAY + 2 * HOUR)
    expect(server.mails).toEqual([])
    expect(board.board.store.read.mails.all()).toEqual([])
  })

  test('is sent late if the board was down', async () => {
    await postJob(board, admin)
    board.clock.now = MONDAY + WEEK + 2 * DAY
    board = await board.reopen(...server.flags)
    await board.board.mail.whenIdle()
    expect(subjects()).toEqual(['1 new job at Corkboard'])
  })

  test('is sent once to each of many subscribers', async () => {
    await board.board.store.write(tables => {
      for (let number = 1; number <= 1200; number++) {
        const now = board.clock.now
        const row = { confirmed: number % 2 === 0, createdAt: now, updatedAt: now, digestedUntil: now }
        tables.subscribers.insert({ ...row, email: `r${number}@example.com` })
      }
    })
    await postJob(board, admin)
    // the mail server is stopped: only the queue matters
    await server.stop()
    board.clock.now = MONDAY + HOUR
    await board.board.mail.runDue()
    const letters = board.board.store.read.mails.all().map(({ content: letter }) => letter)
    const addressees = letters.map(letter => (letter.kind === 'digest' ? letter.subscriberId : 0))
    expect([addressees.length, new Set(addressees).size]).toEqual([601, 601])
    await board.board.mail.runDue()
    expect(board.board.store.read.mails.all()).toHaveLength(601)
    server = await MailServer.start()
  })
})

test('a daily digest is sent every day', async () => {
  await open('--digest', 'daily')
  await subscriber()
  await postJob(board, admin)
  await at(Date.UTC(2026, 0, 11, 7, 1))
  await postJob(board, admin)
  await at(Date.UTC(2026, 0, 12, 7, 1))
  expect(server.mails).toHaveLength(2)
})

test('no digest is sent if digests are off', async () => {
  await open('--digest', 'off')
  await subscriber()
  await postJob(board, admin)
  await at(MONDAY + WEEK)
  expect(server.mails).toEqual([])
})

test('without pages, e-mails link to the jobs as JSON', async () => {
  await open('--pages', 'off', '--digest', 'daily')
  await subscriber()
  for (let number = 1; number <= 51; number++) await postJob(board, admin)
  await at(Date.UTC(2026, 0, 11, 7, 1))
  const [mail] = server.mails
  expect(mail?.text).toContain('  https://board.example.com/jobs/51.json\n')
  expect(mail?.text).toContain('… and 1 more: https://board.example.com/jobs.json')
})
