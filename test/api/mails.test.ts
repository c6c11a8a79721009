import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/clock.ts'
import type { MailContent, MailRow } from '../../src/store/rows.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { MailServer } from '../helpers/mail.ts'
import { fieldErrors, idsOf, jsonList, jsonObject, statusOf } from '../helpers/responses.ts'

let server: MailServer
let fixture: FixtureBoard

beforeEach(async () => {
  server = await MailServer.start()
  server.onMail = () => {
    throw Object.assign(new Error('no such mailbox secret@example.com'), { responseCode: 550 })
  }
  fixture = await openFixtureBoard(...server.flags)
})
afterEach(async () => {
  await fixture.test.close()
  await server.stop()
})

const as = () => ({ as: fixture.admin })
const list = (query = '') => fixture.test.get(`/mails.json${query}`, as())
const mailer = () => fixture.test.board.mail

/** Queues a mail that is not due yet. */
const enqueue = (content: MailContent, columns: Partial<MailRow> = {}) =>
  fixture.test.board.store.write(
    ({ mails }) =>
      mails.insert({
        content,
        createdAt: fixture.test.clock.now,
        attempts: 0,
        triedSince: null,
        dueAt: fixture.test.clock.now + DAY,
        failed: false,
        lastError: '',
        ...columns,
      }).id,
  )

describe('the list of e-mails', () => {
  test('shows each with its recipient, what it is about, and why it failed', async () => {
    const { owner, admin } = fixture
    const [jobId = 0] = await insertJobs(fixture.test.board, [{ userId: owner.id }])
    await enqueue({ kind: 'approved', userId: owner.id, jobId })
    await enqueue({ kind: 'deleted', userId: 999, title: 'Gone' })
    await enqueue({ kind: 'reset', email: 'stranger@example.com' })
    const failed = { failed: true, attempts: 20, lastError: 'the mail server refused the recipient' }
    await enqueue({ kind: 'reset', email: admin.email }, failed)
    const queued = {
      status: 'queued',
      created_at: '2026-01-10T18:21:59+00:00',
      attempts: 0,
      next_attempt_at: '2026-01-11T18:21:59+00:00',
      error: null,
    }
    expect(await jsonList(list())).toEqual([
      {
        id: 4,
        kind: 'reset',
        recipient: admin.email,
        subject: 'Reset a password',
        status: 'failed',
        created_at: '2026-01-10T18:21:59+00:00',
        attempts: 20,
        next_attempt_at: null,
        error: 'the mail server refused the recipient',
      },
      { id: 3, kind: 'reset', recipient: null, subject: 'Reset a password', ...queued },
      { id: 2, kind: 'deleted', recipient: null, subject: 'Job not approved: Gone', ...queued },
      { id: 1, kind: 'approved', recipient: owner.email, subject: 'Job approved: Nurse', ...queued },
    ])
    expect(await idsOf(list('?status=queued'))).toEqual([3, 2, 1])
    expect(await idsOf(list('?status=failed'))).toEqual([4])
    const page = await list('?status=queued&per_page=2&page=2')
    expect(page.headers.get('x-total-count')).toBe('3')
    expect(await idsOf(page)).toEqual([1])
    expect(await fieldErrors(list('?status=sent'))).toHaveProperty('status')
  })

  test('has neither tokens nor links nor the words of the mail server', async () => {
    await fixture.test.post('/password-resets.json', { body: { email: fixture.owner.email } })
    await mailer().whenIdle()
    const [mail] = await jsonList(list())
    expect(mail).toMatchObject({ attempts: 1, status: 'queued', recipient: fixture.owner.email })
    expect(mail?.['error']).toContain('SMTP 550')
    const text = JSON.stringify(mail) + fixture.test.logged.join('\n')
    expect(text).not.toMatch(/secret@|https?:\/\/|[\w-]{43}/)
  })
})

describe('an e-mail', () => {
  const resend = (id: number) => fixture.test.put(`/mails/${id}/resend.json`, as())

  test('that has failed is queued again, with three days of attempts', async () => {
    const content = { kind: 'reset', email: fixture.owner.email } as const
    const tried = { triedSince: 0, attempts: 20, failed: true, lastError: 'no' }
    const id = await enqueue(content, tried)
    expect((await resend(id)).status).toBe(200)
    await mailer().whenIdle()
    expect((await jsonList(list()))[0]).toMatchObject({ id, status: 'queued', attempts: 1 })
    fixture.test.clock.now += MINUTE
    server.onMail = () => {}
    await mailer().runDue()
    expect((await server.mail(1)).token).toBeString()
    await mailer().whenIdle()
    expect(await jsonList(list())).toEqual([])
  })

  test('that is queued is sent now, and keeps its attempts if that fails', async () => {
    const id = await enqueue({ kind: 'registered', userId: fixture.owner.id }, { attempts: 3, triedSince: 0 })
    await resend(id)
    await mailer().whenIdle()
    expect((await jsonList(list()))[0]).toMatchObject({ id, attempts: 4 })
  })

  test('is not limited as requested e-mails are, because it was counted before', async () => {
    server.onMail = () => {}
    const failed = { triedSince: 0, failed: true }
    for (let at = 0; at < 7; at++)
      await resend(await enqueue({ kind: 'reset', email: fixture.owner.email }, failed))
    expect((await server.mail(7)).envelope.to).toEqual([fixture.owner.email])
  })

  test('can be deleted, and then is not sent', async () => {
    const id = await enqueue({ kind: 'registered', userId: fixture.owner.id })
    const remove = () => statusOf(fixture.test.delete(`/mails/${id}.json`, as()))
    expect(await remove()).toBe(200)
    expect(await remove()).toBe(404)
    expect(await statusOf(resend(id))).toBe(404)
    fixture.test.clock.now += 2 * DAY
    await mailer().runDue()
    expect(server.mails).toHaveLength(0)
  })
})

describe('a test e-mail', () => {
  const send = (board = fixture) => board.test.post('/mails/test.json', { as: board.admin })

  test('reaches the administrator who asks for it', async () => {
    server.onMail = () => {}
    const response = await send()
    expect(response.status).toBe(202)
    expect(await jsonObject(response)).toEqual({
      message: "We're sending a test e-mail to admin@example.com.",
    })
    const mail = await server.mail(1)
    expect(mail.envelope.to).toEqual(['admin@example.com'])
    expect(mail.header('Subject')).toBe('Test e-mail from Corkboard')
    expect(mail.text).toContain('E-mail works.')
  })

  test('shows in the list why it fails', async () => {
    await send()
    await mailer().whenIdle()
    expect((await jsonList(list()))[0]).toMatchObject({ kind: 'test', subject: 'Test e-mail', attempts: 1 })
  })

  test('is refused on a board without a mail server', async () => {
    const silent = await openFixtureBoard()
    const response = await send(silent)
    expect(response.status).toBe(409)
    expect(await jsonObject(response)).toEqual({
      error: 'This board sends no e-mail: it was started without --smtp-url.',
    })
    await silent.test.close()
  })
})
