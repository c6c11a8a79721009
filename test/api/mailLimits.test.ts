import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts'
import type { Message } from '../../src/mail/message.ts'
import { Smtp } from '../../src/mail/smtp.ts'
import { TestBoard } from '../helpers/board.ts'

const FLAGS = [
  '--smtp-url',
  'smtp://127.0.0.1:1',
  '--mail-from',
  'board@example.com',
  '--registration',
  'open',
]

let board: TestBoard
let sent: Message[]

beforeEach(async () => {
  sent = []
  // hundreds of connections to the mail server would take seconds
  spyOn(Smtp.prototype, 'send').mockImplementation(message => Promise.resolve(void sent.push(message)))
  board = await TestBoard.open(...FLAGS)
})

afterEach(async () => {
  await board.close()
  mock.restore()
})

const rest = () => board.board.mail.whenIdle()
const addressees = () => sent.map(({ to }) => to)

/** Requests an e-mail with a link, as a visitor does. */
async function ask(email: string, path = '/subscribers.json'): Promise<unknown> {
  const response = await board.post(path, { body: { email } })
  return [response.status, await response.json()]
}

/** Does the same for many addresses, without the limit for one visitor. */
async function subscribeAll(emails: readonly string[]): Promise<void> {
  const { store, mail } = board.board
  await store.write(tables => {
    const { now } = board.clock
    for (const email of emails) {
      const columns = { confirmed: false, createdAt: now, updatedAt: now, digestedUntil: now }
      const { id } = tables.subscribers.insert({ email, ...columns })
      mail.outbox.enqueue(tables, { kind: 'subscription', subscriberId: id })
    }
  })
  await rest()
}

async function wait(time: number): Promise<void> {
  board.clock.now += time
  await board.board.mail.runDue()
  await rest()
}

const numbered = (count: number, domain: string, from = 1) =>
  Array.from({ length: count }, (_, index) => `reader${from + index}@${domain}`)

describe('one mailbox', () => {
  test('gets five e-mails a day, whatever tags its address has, and every request gets the same response', async () => {
    const responses = new Set<string>()
    for (let tag = 1; tag <= 30; tag++) {
      responses.add(JSON.stringify(await ask(`anna+${tag}@example.com`)))
      board.clock.now += 10_000
    }
    await rest()
    expect(responses.size).toBe(1)
    expect(addressees()).toEqual([1, 2, 3, 4, 5].map(tag => `anna+${tag}@example.com`))
    expect(board.board.store.read.mails.all()).toEqual([])
    await wait(DAY)
    await ask('anna+31@example.com')
    await rest()
    expect(sent).toHaveLength(6)
  })

  test('ignores dots at Gmail, but not elsewhere', async () => {
    await subscribeAll(['anna@gmail.com', 'a.nna@gmail.com', 'an.na@gmail.com', 'ann.a@googlemail.com'])
    await subscribeAll(['a.n.na@gmail.com', 'a.n.n.a@gmail.com', 'anna@example.com', 'hanna@gmail.com'])
    expect(addressees().filter(email => /gmail|googlemail/.test(email))).toHaveLength(6)
    expect(addressees()).not.toContain('a.n.n.a@gmail.com')
    expect(addressees()).toContain('hanna@gmail.com')
  })

  test('has a separate limit for each kind of e-mail', async () => {
    await subscribeAll([1, 2, 3, 4, 5, 6].map(tag => `anna+${tag}@example.com`))
    await board.account('anna@example.com')
    await ask('anna@example.com', '/password-resets.json')
    await rest()
    expect(sent).toHaveLength(6)
    expect(sent[5]?.subject).toBe('Reset your password for Corkboard')
  })

  test('is limited across a restart', async () => {
    await subscribeAll([1, 2, 3].map(tag => `anna+${tag}@example.com`))
    board = await board.reopen(...FLAGS)
    await subscribeAll([4, 5, 6, 7].map(tag => `anna+${tag}@example.com`))
    expect(sent).toHaveLength(5)
  })

  test('is limited for accounts too', async () => {
    for (let tag = 1; tag <= 7; tag++)
      await board.post('/users.json', {
        body: { email: `anna+${tag}@example.com`, password: 'correct horse' },
      })
    await rest()
    expect(sent).toHaveLength(5)
  })
})

describe('one domain', () => {
  test('gets a hundred e-mails an hour; further ones wait without delaying other domains', async () => {
    await subscribeAll(numbered(130, 'example.com'))
    await subscribeAll(['reader@example.org'])
    expect(sent).toHaveLength(101)
    expect(addressees()).toContain('reader@example.org')
    await wait(HOUR - MINUTE)
    expect(sent).toHaveLength(101)
    await wait(20 * MINUTE)
    expect(new Set(addressees()).size).toBe(131)
    expect(board.board.store.read.mails.all()).toEqual([])
    expect(board.logged.filter(line => line.includes('could not be sent'))).toEqual([])
  })

  test('keeps its count and waiting e-mails across a restart', async () => {
    await subscribeAll(numbered(103, 'example.com'))
    board = await board.reopen(...FLAGS)
    await rest()
    expect(sent).toHaveLength(100)
    await wait(2 * HOUR)
    expect(new Set(addressees()).size).toBe(103)
  })

  test('delays an e-mail by a day at most', async () => {
    await subscribeAll(numbered(101, 'example.com'))
    await wait(DAY - MINUTE)
    await subscribeAll(numbered(100, 'example.com', 200))
    const before = sent.length
    expect(before).toBe(200)
    await board.board.store.write(tables => {
      const [mail] = tables.mails.all()
      if (mail) tables.mails.update(mail, { createdAt: board.clock.now - DAY })
    })
    await wait(20 * MINUTE)
    expect(sent).toHaveLength(before)
    expect(board.board.store.read.mails.all()).toEqual([])
  })
})
