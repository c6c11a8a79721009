import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/clock.ts'
import { START, TestBoard } from '../helpers/board.ts'
import { insertJobs } from '../helpers/fixtures.ts'
import { MailServer } from '../helpers/mail.ts'
import { addMinimalRecords } from '../helpers/minimalBoard.ts'

const MONTH = 30 * DAY

let server: MailServer
let board: TestBoard

beforeEach(async () => {
  server = await MailServer.start()
  board = await TestBoard.open(...server.flags, '--registration', 'open')
})

afterEach(async () => {
  await board.close()
  await server.stop()
})

const tables = () => board.board.store.read
const subscribers = () =>
  tables()
    .subscribers.all()
    .map(({ email }) => email)
const accounts = () =>
  tables()
    .users.all()
    .map(({ email }) => email)
const subscribe = (email: string) => board.post('/subscribers.json', { body: { email } })
const register = (email: string) => board.post('/users.json', { body: { email, password: 'correct horse' } })

/** Moves the clock and runs what is due then. */
async function at(moment: number): Promise<void> {
  await board.board.mail.whenIdle()
  board.clock.now = moment
  await board.board.mail.runDue()
  await board.board.mail.whenIdle()
}

describe('a subscriber', () => {
  test('is deleted after 30 days if unconfirmed, and otherwise kept', async () => {
    await subscribe('silent@example.com')
    await subscribe('reader@example.com')
    const { token } = await server.mail(2)
    expect((await board.post(`/subscribers/confirm.json?token=${token}`)).status).toBe(200)
    await at(START + MONTH - HOUR)
    expect(subscribers()).toEqual(['silent@example.com', 'reader@example.com'])
    await at(START + MONTH + DAY)
    expect(subscribers()).toEqual(['reader@example.com'])
    expect(tables().tokens.all()).toEqual([])
    await at(START + 10 * MONTH)
    expect(subscribers()).toEqual(['reader@example.com'])
  })

  test('is deleted with undelivered mails', async () => {
    server.onMail = () => {
      throw new Error('not here')
    }
    await subscribe('silent@example.com')
    for (const day of [0, 1, 3, 29]) await at(START + day * DAY)
    expect(tables().mails.all()).toMatchObject([{ failed: true }])
    await at(START + MONTH + DAY)
    expect(subscribers()).toEqual([])
    expect(tables().mails.all()).toEqual([])
  })

  test('has another 30 days after subscribing again', async () => {
    await subscribe('late@example.com')
    await at(START + MONTH - DAY)
    await subscribe('late@example.com')
    await at(START + MONTH + 3 * DAY)
    const { token } = await server.mail(2)
    expect((await board.post(`/subscribers/confirm.json?token=${token}`)).status).toBe(200)
    await at(START + 3 * MONTH)
    expect(subscribers()).toEqual(['late@example.com'])
  })

  test('is deleted on a board without mail too', async () => {
    board = await board.reopen()
    await subscribe('silent@example.com')
    await at(START + MONTH + DAY)
    expect(subscribers()).toEqual([])
  })

  test('is deleted with many others while the board keeps responding', async () => {
    await board.board.store.write(all => {
      const moments = { createdAt: START, updatedAt: START, digestedUntil: START }
      for (let number = 1; number <= 450; number++)
        all.subscribers.insert({ email: `r${number}@example.com`, confirmed: number % 9 === 0, ...moments })
    })
    const removed: number[] = []
    board.board.store.subscribe(changes =>
      removed.push(changes.filter(({ table }) => table === 'subscribers').length),
    )
    await at(START + MONTH)
    expect(tables().subscribers.count).toBe(50)
    expect(removed.length).toBeGreaterThan(3)
    expect(Math.max(...removed)).toBeLessThanOrEqual(100)
  })
})

describe('an account', () => {
  test('that was never confirmed is deleted after 30 days', async () => {
    const admin = await board.account('admin@example.com', 'admin')
    await register('silent@example.com')
    await register('employer@example.com')
    const { token } = await server.mail(2)
    expect((await board.post(`/users/confirm.json?token=${token}`)).status).toBe(200)
    await at(START + MONTH - HOUR)
    expect(accounts()).toEqual([admin.email, 'silent@example.com', 'employer@example.com'])
    await at(START + MONTH + DAY)
    expect(accounts()).toEqual([admin.email, 'employer@example.com'])
  })

  test('is kept if it owns a job or has a valid link', async () => {
    await addMinimalRecords(board)
    for (const email of ['owner@example.com', 'asks@example.com']) await register(email)
    await insertJobs(board.board, [{ userId: 1 }])
    await at(START + MONTH - HOUR)
    await board.post('/password-resets.json', { body: { email: 'asks@example.com' } })
    await at(START + MONTH + HOUR)
    expect(accounts()).toEqual(['owner@example.com', 'asks@example.com'])
    await at(START + MONTH + 2 * DAY)
    expect(accounts()).toEqual(['owner@example.com'])
  })
})

test('deleting an account deletes its mails and its address', async () => {
  server.onMail = () => {
    throw new Error('not here')
  }
  const admin = await board.account('admin@example.com', 'admin')
  const user = await board.account('gone@example.com')
  await board.post('/password-resets.json', { body: { email: user.email } })
  for (const day of [0, 1, 4]) await at(START + day * DAY)
  expect(tables().mails.all()).toMatchObject([{ failed: true, content: { email: user.email } }])
  expect((await board.delete(`/users/${user.id}.json`, { as: admin })).status).toBe(200)
  await at(START + 6 * DAY)
  expect(tables().mails.all()).toEqual([])
})
