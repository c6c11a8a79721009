import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts'
import { Log } from '../../src/http/log.ts'
import { MailDelivery } from '../../src/mail/delivery.ts'
import { type Message, paragraph } from '../../src/mail/message.ts'
import { Outbox } from '../../src/mail/outbox.ts'
import type { MailContent } from '../../src/store/rows.ts'
import { Store } from '../../src/store/store.ts'
import { START } from '../helpers/board.ts'

let folder: string
let store: Store
let now: number
let logged: string[]
let delivery: MailDelivery
let log: Log
/** The subjects of the sent messages, in order. */
let sent: string[]
/** Stands for the mail server. */
let receive: (message: Message) => Promise<void>
let isUp: boolean

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-delivery-'))
  store = await Store.open(folder)
  now = START
  logged = []
  sent = []
  isUp = true
  receive = async () => {
    if (!isUp) throw new Error('421 come back later')
  }
  delivery = open()
  store.subscribe(changes => delivery.applyChanges(changes))
})

afterEach(async () => {
  await delivery.close()
  await store.close()
  await rm(folder, { recursive: true })
})

function open(): MailDelivery {
  const sink = {
    write: (text: string) => void logged.push(...text.split('\n').filter(Boolean)),
    flush: () => {},
  }
  const transport = {
    send: async (message: Message) => {
      await receive(message)
      sent.push(message.subject)
    },
    close: () => {},
  }
  log = new Log(sink, 'json', 'info', () => now)
  return new MailDelivery(
    store,
    () => now,
    log,
    async mail => messageOf(mail.content),
    transport,
  )
}

/** Writes test messages: the subject of a reset is its address, and an account has no message. */
function messageOf(content: MailContent): Message | undefined {
  if (content.kind === 'account') return undefined
  const subject = content.kind === 'reset' ? content.email : content.kind
  return { id: '<1@example.com>', to: 'a@example.com', subject, parts: [paragraph('Hello')] }
}

const enqueue = (...contents: MailContent[]) =>
  store.write(tables => {
    const outbox = new Outbox(true, () => now)
    for (const content of contents) outbox.enqueue(tables, content)
  })

const reset = (email: string): MailContent => ({ kind: 'reset', email })
const digest: MailContent = { kind: 'digest', subscriberId: 1, since: 0, until: 1 }
const queued = () => store.read.mails.all()

/** Sends the mails that are due. */
async function sendDue(): Promise<void> {
  delivery.sendDue()
  await delivery.whenIdle()
}

describe('a mail', () => {
  test('is sent once its transaction is committed, and then its row is removed', async () => {
    await enqueue(reset('a'))
    await delivery.whenIdle()
    expect([sent, queued()]).toEqual([['a'], []])
  })

  test('is not sent if the transaction fails', async () => {
    const failing = store.write(tables => {
      new Outbox(true, () => now).enqueue(tables, reset('a'))
      throw new Error('no')
    })
    expect(failing).rejects.toThrow('no')
    await failing.catch(() => {})
    await sendDue()
    expect([sent, queued()]).toEqual([[], []])
  })

  test('is dropped if it has no content any more', async () => {
    await enqueue({ kind: 'account', userId: 1 })
    await delivery.whenIdle()
    expect([sent, queued()]).toEqual([[], []])
  })

  test('that was queued before a restart is sent after it', async () => {
    isUp = false
    await enqueue(reset('a'))
    await delivery.whenIdle()
    await delivery.close()
    isUp = true
    delivery = open()
    await sendDue()
    expect(sent).toEqual([])
    now += MINUTE
    await sendDue()
    expect([sent, queued()]).toEqual([['a'], []])
  })

  test('is not sent again if only its row could not be removed', async () => {
    const broken = spyOn(store, 'write')
    receive = async () => {
      broken.mockRejectedValue(new Error('the disk is full'))
    }
    await enqueue(reset('a'))
    await delivery.whenIdle()
    expect([sent, queued().length]).toEqual([['a'], 1])
    broken.mockRestore()
    now += HOUR
    await sendDue()
    expect([sent, queued()]).toEqual([['a'], []])
  })
})

describe('a mail that fails', () => {
  test('is tried again at growing intervals for three days, and then stays as failed', async () => {
    isUp = false
    await enqueue(reset('a'))
    await delivery.whenIdle()
    const moments = [START]
    for (let mail = queued()[0]; mail && !mail.failed; mail = queued()[0]) {
      now = mail.dueAt - 1
      await sendDue()
      expect(queued()[0]?.attempts).toBe(moments.length)
      now = mail.dueAt
      moments.push(now)
      await sendDue()
    }
    const intervals = moments.slice(1).map((moment, index) => (moment - (moments[index] ?? 0)) / MINUTE)
    expect(intervals.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360])
    expect(now).toBe(START + 3 * DAY)
    expect(queued()).toMatchObject([
      { failed: true, lastError: '421 come back later', attempts: moments.length },
    ])
    isUp = true
    now += 30 * DAY
    await sendDue()
    expect(sent).toEqual([])
    await log.flush()
    expect(logged.filter(line => line.includes('will not be tried again'))).toHaveLength(1)
  })

  test('leaves no addresses or control characters in the log or the store', async () => {
    receive = async () => {
      throw new Error('550 <anna@example.com>\r\n\u001b[2Jerror: all is lost')
    }
    await enqueue(reset('a'))
    await delivery.whenIdle()
    expect(queued()).toMatchObject([{ lastError: '550 <[address]> [2Jerror: all is lost' }])
    await log.flush()
    expect(logged.join()).toContain('"reason":"550 <[address]> [2Jerror: all is lost"')
    expect(logged.join()).not.toMatch(/anna|\\u001b|\\n/)
  })

  test('is tried for three days from the first attempt, not from its creation', async () => {
    await delivery.close()
    await enqueue(reset('a'))
    now += 10 * DAY
    isUp = false
    delivery = open()
    await sendDue()
    expect(queued()).toMatchObject([{ failed: false, attempts: 1, dueAt: now + MINUTE }])
    isUp = true
    now += MINUTE
    await sendDue()
    expect(sent).toEqual(['a'])
  })
})

describe('many mails', () => {
  test('are sent at most four at a time', async () => {
    let current = 0
    let maximum = 0
    receive = async () => {
      maximum = Math.max(maximum, ++current)
      await Bun.sleep(1)
      current--
    }
    await enqueue(...Array.from({ length: 20 }, (_, index) => reset(String(index))))
    await delivery.whenIdle()
    expect([sent.length, maximum]).toEqual([20, 4])
  })

  test('of a digest do not delay a mail that someone is waiting for', async () => {
    receive = () => Bun.sleep(1)
    await enqueue(...Array.from({ length: 12 }, () => digest), reset('a'))
    await delivery.whenIdle()
    expect(sent.indexOf('a')).toBeLessThan(5)
    expect(sent).toHaveLength(13)
  })

  test('are sent although one fails', async () => {
    receive = async ({ subject }) => {
      if (subject === '3') throw new Error('550 no such mailbox')
    }
    await enqueue(...Array.from({ length: 9 }, (_, index) => reset(String(index))))
    await delivery.whenIdle()
    expect([sent.length, queued().length]).toEqual([8, 1])
  })
})
