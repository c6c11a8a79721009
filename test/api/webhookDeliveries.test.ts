import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.ts'
import { type FixtureBoard, JOB_FIELDS, openFixtureBoard } from '../helpers/fixtures.ts'
import { MailServer } from '../helpers/mail.ts'
import { TestReceiver, verify } from '../helpers/receiver.ts'
import { jsonList, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
let receiver: TestReceiver
let secret: string

beforeEach(async () => {
  receiver = new TestReceiver()
  fixture = await openFixtureBoard('--webhook-private', 'on')
  // The libraries compare the time of a message with the real one.
  fixture.test.clock.now = Date.now()
  secret = String((await create())['secret'])
})
afterEach(async () => {
  await fixture.test.close()
  await receiver.stop()
})

const as = () => ({ as: fixture.admin })
const create = (fields: object = {}) =>
  jsonObject(fixture.test.post('/webhooks.json', { ...as(), body: { url: receiver.url, ...fields } }))
const update = (body: object) => jsonObject(fixture.test.put('/webhooks/1.json', { ...as(), body }))
const read = () => jsonObject(fixture.test.get('/webhooks/1.json', as()))
const deliveries = () => jsonList(fixture.test.get('/webhooks/1/deliveries.json', as()))
const idle = () => fixture.test.board.webhooks.whenIdle()
const lastSeq = () => fixture.test.board.store.read.journal.lastId
const addCategory = (name: string) => fixture.test.post('/categories.json', { ...as(), body: { name } })
const addCategories = async (count: number) => {
  for (let at = 1; at <= count; at++) await addCategory(`Category ${at}`)
}
/** Moves the clock, and sends what is due then. */
const pass = async (ms: number) => {
  fixture.test.clock.now += ms
  await idle()
}
const respondWith = (status: number, headers: Record<string, string> = {}) => {
  receiver.respond = () => new Response('secret@example.com', { status, headers })
}

describe('a change', () => {
  test('is sent at once, signed, as the change feed shows it', async () => {
    const after = lastSeq()
    await fixture.test.post('/jobs.json', { as: fixture.owner, body: JOB_FIELDS })
    await receiver.wait(2)
    for (const message of receiver.messages) verify(secret, message)
    const { items } = await jsonObject(fixture.test.get(`/changes.json?after=${after}`, as()))
    const changes = items as { type: string; at: string }[] // the change feed's items
    expect(receiver.messages.map(({ body }) => body)).toEqual(
      changes.map(change => ({ type: change.type, timestamp: change.at, data: change })) as never,
    )
    const [first, second] = receiver.messages
    const id = first?.id
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Corkboard/dev',
    })
    expect(id).toMatch(/^msg_[0-9a-z]+_\d+$/)
    expect(second?.id).not.toBe(String(id))
    await idle()
    expect(await read()).toMatchObject({ position: after + 2, attempts: 0, error: null })
    expect(await deliveries()).toMatchObject([
      { seq: after + 2, type: 'job.published', status: 'delivered', response_status: 200, attempt: 1 },
      { seq: after + 1, type: 'job.created', id, status: 'delivered', error: null },
    ])
  })

  test('is sent in order to each webhook that wants it, however others respond', async () => {
    const slow = new TestReceiver()
    const release = Promise.withResolvers<void>()
    slow.respond = () => release.promise.then(() => new Response())
    await create({ url: slow.url, types: ['category.updated', 'category.created'] })
    await addCategories(30)
    await fixture.test.put('/terms/1.json', { ...as(), body: { name: 'Short' } })
    await receiver.wait(31)
    expect(slow.messages).toHaveLength(1)
    release.resolve()
    await slow.wait(30)
    await idle()
    expect(receiver.seqs).toEqual(receiver.seqs.toSorted((a, b) => a - b))
    expect(slow.seqs).toEqual(receiver.seqs.slice(0, 30))
    expect(receiver.types.at(-1)).toBe('term.updated')
    expect(slow.messages.map(({ text }) => text)).toEqual(
      receiver.messages.slice(0, 30).map(({ text }) => text),
    )
    expect(await deliveries()).toHaveLength(31)
    await slow.stop()
  })

  test('shows the record as it is when it is sent, or null if it was deleted', async () => {
    await update({ status: 'disabled' })
    await addCategory('Gone')
    await addCategory('Old')
    await fixture.test.delete('/categories/3.json', as())
    await fixture.test.put('/categories/4.json', { ...as(), body: { name: 'New' } })
    await update({ status: 'enabled' })
    await receiver.wait(4)
    expect(receiver.messages.map(({ body }) => body.data.data)).toEqual([
      null,
      { id: 4, name: 'New' },
      null,
      { id: 4, name: 'New' },
    ])
  })

  test('of a person who was deleted meanwhile has no address', async () => {
    await update({ status: 'disabled' })
    const person = await fixture.test.account('person@example.com')
    await fixture.test.delete(`/users/${person.id}.json`, as())
    await update({ status: 'enabled' })
    await receiver.wait(2)
    expect(receiver.types).toEqual(['user.created', 'user.deleted'])
    expect(receiver.messages.map(({ text }) => text).join()).not.toContain('person@')
  })

  test('is encoded again for other webhooks once the record has changed', async () => {
    const slow = new TestReceiver()
    const release = Promise.withResolvers<void>()
    slow.respond = () => release.promise.then(() => new Response())
    await create({ url: slow.url })
    await addCategories(2)
    await receiver.wait(2)
    await fixture.test.put('/categories/4.json', { ...as(), body: { name: 'Renamed' } })
    release.resolve()
    await slow.wait(3)
    expect(receiver.messages[1]?.body.data.data).toMatchObject({ name: 'Category 2' })
    expect(slow.messages[1]?.body.data.data).toMatchObject({ name: 'Renamed' })
    await slow.stop()
  })

  test('with a large record is cut', async () => {
    const body = { ...JOB_FIELDS, description: 'ä'.repeat(60_000) }
    await fixture.test.post('/jobs.json', { as: fixture.owner, body })
    await receiver.wait(1)
    const [message] = receiver.messages
    expect(Buffer.byteLength(message?.text ?? '')).toBeLessThan(20_000)
    expect(message?.body.data.shortened).toEqual(['description'])
    expect(message?.body.data.data).toMatchObject({ title: JOB_FIELDS.title })
  })
})

describe('a failed delivery', () => {
  test('is tried again with the same id, and holds up the changes after it', async () => {
    respondWith(500)
    await addCategories(2)
    await idle()
    expect(await read()).toMatchObject({
      attempts: 1,
      status: 'enabled',
      error: 'the receiver responded with status 500',
      next_attempt_at: expect.any(String),
    })
    await pass(4 * SECOND)
    expect(receiver.messages).toHaveLength(1)
    await pass(2 * SECOND)
    expect(receiver.messages).toHaveLength(2)
    receiver.respond = () => new Response()
    await pass(6 * MINUTE)
    const ids = receiver.messages.map(({ id }) => id)
    expect(ids).toHaveLength(4)
    expect([ids[1], ids[2]]).toEqual([ids[0], ids[0]])
    expect(ids[3]).not.toBe(ids[0])
    expect((await deliveries()).map(({ attempt, status }) => `${attempt} ${status}`)).toEqual([
      '1 delivered',
      '3 delivered',
      '2 failed',
      '1 failed',
    ])
    const text = JSON.stringify(await deliveries()) + fixture.test.logged.join('\n')
    expect(text).not.toMatch(/secret@|whsec|127\.0\.0\.1/)
  })

  test('waits as long as the receiver asks', async () => {
    respondWith(429, { 'retry-after': '600' })
    await addCategories(1)
    await idle()
    await pass(599 * SECOND)
    expect(receiver.messages).toHaveLength(1)
    await pass(SECOND)
    expect(receiver.messages).toHaveLength(2)
  })

  test('is tried at once when the webhook is enabled again or gets another URL', async () => {
    respondWith(503)
    await addCategories(1)
    await idle()
    await update({ status: 'enabled' })
    await idle()
    expect(receiver.messages).toHaveLength(2)
    await update({ url: `${receiver.url}/other` })
    await idle()
    expect(receiver.messages).toHaveLength(3)
    expect(await read()).toMatchObject({ attempts: 1 })
  })

  test('is forgotten when the webhook is disabled, and what is being sent then still counts', async () => {
    respondWith(503)
    await addCategories(1)
    await idle()
    expect(await update({ status: 'disabled' })).toMatchObject({ attempts: 0, error: null })
    const release = Promise.withResolvers<void>()
    receiver.respond = () => release.promise.then(() => new Response())
    await update({ status: 'enabled' })
    await receiver.wait(2)
    await update({ status: 'disabled' })
    release.resolve()
    await idle()
    await update({ status: 'enabled' })
    await idle()
    expect(receiver.messages).toHaveLength(2)
    expect(await read()).toMatchObject({ position: lastSeq() })
  })

  test('with 410 disables the webhook, and nothing is lost', async () => {
    respondWith(410)
    await addCategories(3)
    await idle()
    expect(await read()).toMatchObject({ status: 'disabled', attempts: 1 })
    await pass(2 * DAY)
    expect(receiver.messages).toHaveLength(1)
    receiver.respond = () => new Response()
    await update({ status: 'enabled' })
    await idle()
    expect(receiver.seqs.slice(1)).toEqual([lastSeq() - 2, lastSeq() - 1, lastSeq()])
  })

  test('is failing after ten tries; later it continues where it stopped', async () => {
    const server = await MailServer.start()
    fixture = { ...fixture, test: await fixture.test.reopen('--webhook-private', 'on', ...server.flags) }
    respondWith(500)
    await addCategories(2)
    await idle()
    for (let tries = 1; tries < 10; tries++) await pass(27 * HOUR)
    expect(receiver.messages).toHaveLength(10)
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(1)
    expect(await read()).toMatchObject({ status: 'failing', attempts: 10, next_attempt_at: null })
    const mail = await server.mail(1)
    expect(mail.envelope.to).toEqual(['admin@example.com'])
    expect(mail.header('Subject')).toBe('A webhook of Corkboard has stopped: 127.0.0.1')
    expect(mail.text).toContain('the receiver responded with status 500')
    expect(mail.text).not.toContain('/hook\n')
    await pass(30 * DAY)
    expect(receiver.messages).toHaveLength(10)
    receiver.respond = () => new Response()
    await update({ status: 'enabled' })
    await idle()
    expect(receiver.seqs.slice(10)).toEqual([lastSeq() - 1, lastSeq()])
    await server.stop()
  })
})

describe('a webhook', () => {
  test('continues after a restart, also within its tries', async () => {
    respondWith(500)
    await addCategories(2)
    await idle()
    fixture = { ...fixture, test: await fixture.test.reopen('--webhook-private', 'on') }
    await idle()
    expect(receiver.messages).toHaveLength(1)
    receiver.respond = () => new Response()
    await pass(6 * SECOND)
    expect(receiver.messages).toHaveLength(3)
    expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id as string)
    expect((await deliveries()).at(-2)).toMatchObject({ attempt: 2 })
  })

  test('that hangs is left when the board closes, and told again later', async () => {
    const hanging = Promise.withResolvers<Response>()
    receiver.respond = () => hanging.promise
    await addCategories(1)
    await receiver.wait(1)
    receiver.respond = () => new Response()
    fixture = { ...fixture, test: await fixture.test.reopen('--webhook-private', 'on') }
    await receiver.wait(2)
    expect(receiver.messages[1]?.id).toBe(receiver.messages[0]?.id as string)
    hanging.resolve(new Response())
  })

  test('gets changes again from a seq', async () => {
    await addCategories(3)
    await idle()
    const after = lastSeq() - 2
    await fixture.test.post('/webhooks/1/replay.json', { ...as(), body: { after } })
    await idle()
    expect(receiver.seqs).toEqual([after, after + 1, after + 2, after + 1, after + 2])
    expect(receiver.messages[3]?.id).toBe(receiver.messages[1]?.id as string)
  })

  test('says how many changes were no longer kept', async () => {
    await update({ status: 'disabled' })
    await addCategories(4)
    await pass(91 * DAY)
    await fixture.test.board.journalTimer.run()
    await addCategory('Kept')
    await update({ status: 'enabled' })
    await idle()
    expect(receiver.seqs).toEqual([lastSeq()])
    expect(await read()).toMatchObject({ skipped: 4, position: lastSeq() })
  })

  test('is counted by the metrics', async () => {
    await addCategories(1)
    await idle()
    respondWith(500)
    await addCategory('Failed')
    await idle()
    const text = await (await fixture.test.get('/metrics', as())).text()
    expect(text).toContain('corkboard_webhooks{status="enabled"} 1')
    expect(text).toContain('corkboard_webhook_deliveries_total{result="delivered"} 1')
    expect(text).toContain('corkboard_webhook_deliveries_total{result="failed"} 1')
  })

  test('signs with both secrets for a day after a rotation', async () => {
    const rotated = await jsonObject(fixture.test.put('/webhooks/1/rotate.json', as()))
    await addCategories(1)
    await receiver.wait(1)
    const [message] = receiver.messages
    for (const key of [secret, String(rotated['secret'])]) if (message) verify(key, message)
    fixture.test.clock.now += DAY
    await addCategory('Later')
    await receiver.wait(2)
    expect(receiver.messages[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  })

  test('is tested, also while it is disabled', async () => {
    await update({ status: 'disabled' })
    const sendTest = () => jsonObject(fixture.test.post('/webhooks/1/test.json', as()))
    expect(await sendTest()).toMatchObject({
      type: 'webhook.test',
      status: 'delivered',
      response_status: 200,
    })
    const [message] = receiver.messages
    if (message) verify(secret, message)
    expect(message?.body).toMatchObject({ type: 'webhook.test' })
    respondWith(302)
    expect(await sendTest()).toMatchObject({ status: 'failed', response_status: 302 })
    expect(await read()).toMatchObject({ status: 'disabled', attempts: 0 })
    expect(await deliveries()).toHaveLength(2)
  })
})
