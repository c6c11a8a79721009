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
let courier: MailDelivery
let log: Log
/** The subjects of what was sent, in order. */
let sent: string[]
/** What befalls a message on its way. */
let way: (message: Message) => Promise<void>
let isUp: boolean

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-courier-'))
  store = await Store.open(folder)
  now = START
  logged = []
  sent = []
  isUp = true
  way = async () => {
    if (!isUp) throw new Error('421 come back later')
  }
  courier = open()
  store.subscribe(changes => courier.applyChanges(changes))
})

afterEach(async () => {
  await courier.close()
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
      await way(message)
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

/** In these tests a reset says its address, and an account nothing. */
function messageOf(letter: MailContent): Message | undefined {
  if (letter.kind === 'account') return undefined
  const subject = letter.kind === 'reset' ? letter.email : letter.kind
  return { id: '<1@example.com>', to: 'a@example.com', subject, parts: [paragraph('Hello')] }
}

const post = (...letters: MailContent[]) =>
  store.write(tables => {
    const outbox = new Outbox(true, () => now)
    for (const letter of letters) outbox.enqueue(tables, letter)
  })

const reset = (email: string): MailContent => ({ kind: 'reset', email })
const digest: MailContent = { kind: 'digest', subscriberId: 1, since: 0, until: 1 }
const left = () => store.read.mails.all()

/** Lets everything happen that is due. */
async function settle(): Promise<void> {
  courier.sendDue()
  await courier.whenIdle()
}

describe('a mail', () => {
  test('leaves once its transaction is committed, and its row goes', async () => {
    await post(reset('a'))
    await courier.whenIdle()
    expect([sent, left()]).toEqual([['a'], []])
  })

  test('does not leave if the transaction fails', async () => {
    const failing = store.write(tables => {
      new Outbox(true, () => now).enqueue(tables, reset('a'))
      throw new Error('no')
    })
    expect(failing).rejects.toThrow('no')
    await failing.catch(() => {})
    await settle()
    expect([sent, left()]).toEqual([[], []])
  })

  test('that has nothing to say any more is dropped', async () => {
    await post({ kind: 'account', userId: 1 })
    await courier.whenIdle()
    expect([sent, left()]).toEqual([[], []])
  })

  test('that was queued before a restart leaves after it', async () => {
    isUp = false
    await post(reset('a'))
    await courier.whenIdle()
    await courier.close()
    isUp = true
    courier = open()
    await settle()
    expect(sent).toEqual([])
    now += MINUTE
    await settle()
    expect([sent, left()]).toEqual([['a'], []])
  })

  test('is not sent again where only its row could not be removed', async () => {
    const broken = spyOn(store, 'write')
    way = async () => {
      broken.mockRejectedValue(new Error('the disk is full'))
    }
    await post(reset('a'))
    await courier.whenIdle()
    expect([sent, left().length]).toEqual([['a'], 1])
    broken.mockRestore()
    now += HOUR
    await settle()
    expect([sent, left()]).toEqual([['a'], []])
  })
})

describe('a server that is down', () => {
  test('is tried again with growing gaps for three days; then the mail is kept as failed', async () => {
    isUp = false
    await post(reset('a'))
    await courier.whenIdle()
    const moments = [START]
    for (let mail = left()[0]; mail && !mail.failed; mail = left()[0]) {
      now = mail.dueAt - 1
      await settle()
      expect(left()[0]?.attempts).toBe(moments.length)
      now = mail.dueAt
      moments.push(now)
      await settle()
    }
    const gaps = moments.slice(1).map((moment, index) => (moment - (moments[index] ?? 0)) / MINUTE)
    expect(gaps.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360])
    expect(now).toBe(START + 3 * DAY)
    expect(left()).toMatchObject([
      { failed: true, lastError: '421 come back later', attempts: moments.length },
    ])
    isUp = true
    now += 30 * DAY
    await settle()
    expect(sent).toEqual([])
    await log.flush()
    expect(logged.filter(line => line.includes('was given up'))).toHaveLength(1)
  })

  test('leaves no address and no control character in the log or the store', async () => {
    way = async () => {
      throw new Error('550 <anna@example.com>\r\n\u001b[2Jerror: all is lost')
    }
    await post(reset('a'))
    await courier.whenIdle()
    expect(left()).toMatchObject([{ lastError: '550 <[address]> [2Jerror: all is lost' }])
    await log.flush()
    expect(logged.join()).toContain('"reason":"550 <[address]> [2Jerror: all is lost"')
    expect(logged.join()).not.toMatch(/anna|\\u001b|\\n/)
  })

  test('is given its three days from the first attempt, not from when the mail was written', async () => {
    await courier.close()
    await post(reset('a'))
    now += 10 * DAY
    isUp = false
    courier = open()
    await settle()
    expect(left()).toMatchObject([{ failed: false, attempts: 1, dueAt: now + MINUTE }])
    isUp = true
    now += MINUTE
    await settle()
    expect(sent).toEqual(['a'])
  })
})

describe('many mails', () => {
  test('leave at most four at a time', async () => {
    let together = 0
    let most = 0
    way = async () => {
      most = Math.max(most, ++together)
      await Bun.sleep(1)
      together--
    }
    await post(...Array.from({ length: 20 }, (_, index) => reset(String(index))))
    await courier.whenIdle()
    expect([sent.length, most]).toEqual([20, 4])
  })

  test('of a digest let those pass that somebody waits for', async () => {
    way = () => Bun.sleep(1)
    await post(...Array.from({ length: 12 }, () => digest), reset('a'))
    await courier.whenIdle()
    expect(sent.indexOf('a')).toBeLessThan(5)
    expect(sent).toHaveLength(13)
  })

  test('do not hold up one another where one fails', async () => {
    way = async ({ subject }) => {
      if (subject === '3') throw new Error('550 no such mailbox')
    }
    await post(...Array.from({ length: 9 }, (_, index) => reset(String(index))))
    await courier.whenIdle()
    expect([sent.length, left().length]).toEqual([8, 1])
  })
})
