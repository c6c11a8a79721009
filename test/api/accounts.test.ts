import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { type Account, basic, PASSWORD, TestBoard } from '../helpers/board.ts'
import { MailServer } from '../helpers/mail.ts'
import { addMinimalRecords, FREE, PAID, postJob } from '../helpers/minimalBoard.ts'

const EMPLOYER = 'employer@example.com'

let server: MailServer
let board: TestBoard
let admin: Account

beforeEach(async () => {
  server = await MailServer.start()
  board = await TestBoard.open('--registration', 'open', ...server.flags)
  await addMinimalRecords(board)
  admin = await board.account('admin@example.com', 'admin')
})

afterEach(async () => {
  await board.close()
  await server.stop()
})

const register = (body: object) => board.post('/users.json', { body })
const employer = (password = PASSWORD): Account => ({
  id: 2,
  email: EMPLOYER,
  authorization: basic(EMPLOYER, password),
})
const REGISTERED = { message: "Check your inbox. We've sent you an e-mail with the next step." }
const me = (as: Account) => board.get('/users/me.json', { as })
const confirm = (token: string) => board.post(`/users/confirm.json?token=${token}`)
const stored = () => board.board.store.read.users.get(2)

/** Registers an employer and confirms the address. */
async function registered(): Promise<Account> {
  await register({ email: EMPLOYER, password: PASSWORD })
  await confirm((await server.mail(1)).token)
  return employer()
}

describe('open registration', () => {
  test('lets an administrator confirm an address, and nobody else', async () => {
    await register({ email: EMPLOYER, password: PASSWORD })
    const body = { email_confirmed: true }
    expect((await board.put('/users/2.json', { as: employer(), body })).status).toBe(403)
    const confirmed = await board.put('/users/2.json', { as: admin, body })
    expect(confirmed.status).toBe(200)
    expect(stored()).toMatchObject({ email: EMPLOYER, confirmed: true })
    expect((await postJob(board, employer())).status).toBe(201)
    const moved = { email: 'other@example.com', email_confirmed: true }
    await board.put('/users/2.json', { as: employer(), body: moved })
    expect(stored()).toMatchObject({ email: moved.email, confirmed: false })
  })

  test('creates an account that can post once its address is confirmed', async () => {
    const response = await register({ email: 'Employer@Example.com', password: PASSWORD })
    expect([response.status, response.headers.get('location')]).toEqual([202, null])
    expect(await response.json()).toEqual(REGISTERED)
    expect(await (await me(employer())).json()).toMatchObject({ id: 2, email: EMPLOYER, role: 'user' })
    const early = await postJob(board, employer())
    expect(early.status).toBe(403)
    expect(await early.json()).toEqual({
      error:
        'Confirm your e-mail address first, with the link that was sent to it. If you have none, request a password reset (POST /password-resets.json), which confirms it too.',
    })
    const mail = await server.mail(1)
    expect(mail.envelope.to).toEqual([EMPLOYER])
    const linkPage = await board.get(`/users/confirm.json?token=${mail.token}`, {
      headers: { accept: 'text/html' },
    })
    expect(await linkPage.text()).toContain('Yes, confirm it</button>')
    expect(stored()?.confirmed).toBeFalse()
    expect((await confirm(mail.token)).status).toBe(200)
    expect((await confirm(mail.token)).status).toBe(200)
    expect((await postJob(board, employer())).status).toBe(201)
  })

  test('always gives the role of a user', async () => {
    for (const role of ['admin', 'king', 7, null])
      expect((await register({ email: `r${role}@example.com`, password: PASSWORD, role })).status).toBe(202)
    const byUser = await board.post('/users.json', {
      as: await board.account('user@example.com'),
      body: { email: 'friend@example.com', password: PASSWORD, role: 'admin' },
    })
    expect([byUser.status, await byUser.json()]).toEqual([202, REGISTERED])
    const admins = board.board.store.read.users.all().filter(({ role }) => role === 'admin')
    expect(admins.map(({ email }) => email)).toEqual(['admin@example.com'])
  })

  test('lets administrators create confirmed accounts of any role', async () => {
    const body = { email: EMPLOYER, password: PASSWORD, role: 'admin' }
    expect(await (await board.post('/users.json', { as: admin, body })).json()).toMatchObject({
      role: 'admin',
    })
    expect(stored()?.confirmed).toBeTrue()
    expect(board.board.store.read.mails.all()).toEqual([])
  })

  test('reveals only by e-mail that an address has an account', async () => {
    await registered()
    const before = board.board.store.read.users.all()
    const again = await register({ email: 'EMPLOYER@example.com', password: 'another word' })
    expect([again.status, await again.json()]).toEqual([202, REGISTERED])
    const mail = await server.mail(2)
    expect(mail.envelope.to).toEqual([EMPLOYER])
    expect(mail.header('Subject')).toBe('You already have an account at Corkboard')
    // neither the password nor anything else has changed
    expect(board.board.store.read.users.all()).toEqual(before)
    expect((await me(employer())).status).toBe(200)
    expect((await me(employer('another word'))).status).toBe(401)
    // the e-mail contains a reset link
    const body = { password: 'another word' }
    expect((await board.put(`/password-resets/${mail.token}.json`, { body })).status).toBe(200)
    expect((await me(employer('another word'))).status).toBe(200)
  })

  test('never confirms an account that somebody else registered with the same address', async () => {
    await register({ email: EMPLOYER, password: 'a password of somebody else' })
    await register({ email: EMPLOYER, password: PASSWORD })
    const mail = await server.mail(2)
    expect(mail.text).not.toContain('/users/confirm')
    expect((await confirm(mail.token)).status).toBe(404)
    expect(stored()?.confirmed).toBeFalse()
  })

  test('sends that e-mail at most five times a day', async () => {
    await registered()
    for (let time = 1; time <= 7; time++) {
      expect((await register({ email: EMPLOYER, password: PASSWORD })).status).toBe(202)
      await board.board.mail.whenIdle()
    }
    expect(server.mails).toHaveLength(1 + 5)
  })

  test('does one write and one password hash, whether the address has an account or not', async () => {
    const { store, accounts } = board.board
    const hashes = spyOn(accounts.passwords, 'hash')
    const writes = spyOn(store, 'write')
    const work = []
    for (const email of [EMPLOYER, EMPLOYER, 'admin@example.com']) {
      await register({ email, password: PASSWORD })
      work.push([hashes.mock.calls.length, writes.mock.calls.length])
      await board.board.mail.whenIdle()
      hashes.mockClear()
      writes.mockClear()
    }
    // the first write of each is the request's; those of mail delivery follow later
    expect(work.map(([hash]) => hash)).toEqual([1, 1, 1])
    expect(new Set(work.map(([, write]) => write)).size).toBe(1)
  })

  test('names every other error', async () => {
    const wrong = await register({ email: EMPLOYER, password: 'short' })
    expect([wrong.status, await wrong.json()]).toEqual([
      422,
      { error: expect.any(String), errors: { password: ['must have at least 8 characters'] } },
    ])
  })

  test('creates one account from two simultaneous requests', async () => {
    const body = { email: EMPLOYER, password: PASSWORD }
    const statuses = (await Promise.all([register(body), register(body)])).map(({ status }) => status)
    expect(statuses).toEqual([202, 202])
    expect(board.board.store.read.users.all()).toHaveLength(2)
  })

  test('allows ten requests a minute', async () => {
    for (let time = 1; time <= 10; time++) expect((await register({})).status).toBe(422)
    expect((await register({})).status).toBe(429)
  })

  test('is limited to administrators when registration is closed', async () => {
    const closed = await TestBoard.open(...server.flags)
    const body = { email: EMPLOYER, password: PASSWORD }
    expect((await closed.post('/users.json', { body })).status).toBe(401)
    const user = await closed.account('user@example.com')
    expect((await closed.post('/users.json', { as: user, body })).status).toBe(403)
    await closed.close()
  })
})

describe('a changed address', () => {
  test('must be confirmed if the user changed it, and invalidates links sent to the old one', async () => {
    const user = await registered()
    await board.post('/password-resets.json', { body: { email: EMPLOYER } })
    const reset = (await server.mail(2)).token
    await board.put('/users/2.json', { as: user, body: { email: 'new@example.com' } })
    expect(stored()).toMatchObject({ email: 'new@example.com', confirmed: false })
    expect((await confirm((await server.mail(1)).token)).status).toBe(404)
    const body = { password: 'another word' }
    expect((await board.put(`/password-resets/${reset}.json`, { body })).status).toBe(404)
    const moved = { ...user, authorization: basic('new@example.com', PASSWORD) }
    expect((await postJob(board, moved)).status).toBe(403)
    const mail = await server.mail(3)
    expect(mail.envelope.to).toEqual(['new@example.com'])
    await confirm(mail.token)
    expect((await postJob(board, moved)).status).toBe(201)
  })

  test('gets at most five e-mails a day, however often the user changes it', async () => {
    const user = await registered()
    for (let time = 1; time <= 6; time++) {
      const from = time === 1 ? EMPLOYER : `to${time - 1}@example.com`
      const as = { ...user, authorization: basic(from, PASSWORD) }
      expect(
        (await board.put('/users/2.json', { as, body: { email: `to${time}@example.com` } })).status,
      ).toBe(200)
      await board.board.mail.whenIdle()
    }
    expect(server.mails).toHaveLength(5)
  })

  test('stays confirmed if it is unchanged or not sent', async () => {
    const user = await registered()
    await board.put('/users/2.json', { as: user, body: { email: ` ${EMPLOYER.toUpperCase()}` } })
    await board.put('/users/2.json', { as: user, body: { password: 'another word' } })
    expect(stored()?.confirmed).toBeTrue()
  })

  test('is confirmed if an administrator changes it, but not if they send back the same one', async () => {
    await register({ email: EMPLOYER, password: PASSWORD })
    await board.put('/users/2.json', { as: admin, body: { password: 'another word', email: EMPLOYER } })
    expect(stored()?.confirmed).toBeFalse()
    await board.put('/users/2.json', { as: admin, body: { email: 'known@example.com' } })
    expect(stored()?.confirmed).toBeTrue()
  })
})

describe('a pending job', () => {
  test('is announced to every administrator, and its approval to its owner', async () => {
    await board.account('second@example.com', 'admin')
    const user = await registered()
    const posted = await postJob(board, user, { plan_id: PAID, title: 'Surgeon' })
    expect(await posted.json()).toMatchObject({ status: 'pending', expires_at: null })
    await server.mail(3)
    const mails = server.mails.slice(1)
    expect(new Set(mails.map(({ envelope }) => envelope.to[0]))).toEqual(
      new Set(['admin@example.com', 'second@example.com']),
    )
    expect(mails[0]?.header('Subject')).toBe('A job is awaiting your approval: Surgeon')
    expect(mails[0]?.text).toContain(`${EMPLOYER} posted a job`)
    expect(mails[0]?.text).toContain('https://board.example.com/admin/inbox')
    await board.put('/jobs/1/approve.json', { as: admin })
    await board.put('/jobs/1/approve.json', { as: admin })
    const approved = await server.mail(4)
    expect(approved.envelope.to).toEqual([EMPLOYER])
    expect(approved.header('Subject')).toBe('Your job is online: Surgeon')
    await board.board.mail.whenIdle()
    expect(server.mails).toHaveLength(4)
  })

  test.each([
    ['is deleted by an administrator', '/jobs/1.json'],
    ['goes with its category', '/categories/1.json'],
    ['goes with its term', '/terms/1.json'],
  ])('is announced to its owner as refused if %s', async (_, path) => {
    const user = await registered()
    await postJob(board, user, { plan_id: PAID, title: 'Surgeon' })
    await server.mail(2)
    expect((await board.delete(path, { as: admin })).status).toBe(200)
    const refused = await server.mail(3)
    expect(refused.envelope.to).toEqual([EMPLOYER])
    expect(refused.header('Subject')).toBe('Your job was not approved: Surgeon')
  })

  test('is not announced if its owner deletes it, nor is a job that was never pending', async () => {
    const user = await registered()
    server.onMail = () => {
      throw new Error('not now')
    }
    await postJob(board, user, { plan_id: PAID })
    await board.delete('/jobs/1.json', { as: user })
    await postJob(board, user, { plan_id: FREE })
    await board.delete('/jobs/2.json', { as: admin })
    await board.board.mail.whenIdle()
    server.onMail = () => {}
    board.clock.now += DAY
    await board.board.mail.runDue()
    await board.board.mail.whenIdle()
    expect(server.mails).toHaveLength(1)
    expect(board.board.store.read.mails.all()).toEqual([])
  })

  test('has its title as plain text in every e-mail, whatever it contains', async () => {
    const title = '<b>Ward</b> — Bcc: x@y.org \u{1f9f7}'
    await postJob(board, await registered(), { plan_id: PAID, title })
    const mail = await server.mail(2)
    expect(mail.html).toContain('&lt;b&gt;Ward&lt;/b&gt;')
    expect(mail.html).not.toContain('<b>')
    expect(mail.header('Bcc')).toBeUndefined()
    expect(mail.envelope.to).toEqual(['admin@example.com'])
    expect(mail.header('Subject')).toMatch(/^[ -~]+$/)
  })
})

describe('a password reset', () => {
  const ask = (email: string) => board.post('/password-resets.json', { body: { email } })
  const reset = (token: string, password: unknown) =>
    board.put(`/password-resets/${token}.json`, { body: { password } })

  test('sets a new password once, and ends credentials that were verified with the old one', async () => {
    const user = await registered()
    expect((await me(user)).status).toBe(200)
    expect((await ask(EMPLOYER.toUpperCase())).status).toBe(202)
    const mail = await server.mail(2)
    expect(mail.envelope.to).toEqual([EMPLOYER])
    expect((await reset(mail.token, 'battery staple')).status).toBe(200)
    expect((await me(user)).status).toBe(401)
    expect((await me(employer('battery staple'))).status).toBe(200)
    expect((await reset(mail.token, 'battery staple 2')).status).toBe(404)
  })

  test('gets the same response for every address, but only known ones get an e-mail', async () => {
    await registered()
    const knownResponse = await ask(EMPLOYER)
    const unknown = await ask('nobody@example.com')
    expect([unknown.status, await unknown.json()]).toEqual([knownResponse.status, await knownResponse.json()])
    await board.board.mail.whenIdle()
    expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([[EMPLOYER], [EMPLOYER]])
    expect(board.board.store.read.mails.all()).toEqual([])
  })

  test('confirms the address, because the e-mail arrived', async () => {
    await register({ email: EMPLOYER, password: PASSWORD })
    await ask(EMPLOYER)
    await server.mail(2)
    const mail = server.mails.find(({ text }) => text.includes('new password'))
    await reset(mail?.token ?? '', 'battery staple')
    expect((await postJob(board, employer('battery staple'))).status).toBe(201)
  })

  test('says what is wrong with the password, and can be retried', async () => {
    await registered()
    await ask(EMPLOYER)
    const { token } = await server.mail(2)
    for (const [password, fault] of [
      ['short', 'must have at least 8 characters'],
      [undefined, 'is required'],
      [12345678, 'must be text'],
    ] as const) {
      const response = await reset(token, password)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ errors: { password: [fault] } })
    }
    expect((await reset(token, 'battery staple')).status).toBe(200)
  })

  test('is valid for a day, and until the password changes', async () => {
    const user = await registered()
    await ask(EMPLOYER)
    const late = (await server.mail(2)).token
    board.clock.now += DAY
    expect((await reset(late, 'battery staple')).status).toBe(404)
    await ask(EMPLOYER)
    const overtaken = (await server.mail(3)).token
    await board.put('/users/2.json', { as: user, body: { password: 'battery staple' } })
    expect((await reset(overtaken, 'correct battery')).status).toBe(404)
  })

  test('leaves no token in the log', async () => {
    await registered()
    await ask(EMPLOYER)
    const { token } = await server.mail(2)
    await reset(token, 'battery staple')
    await board.get(`/password-resets/${token}`)
    await board.get(`//password-resets/${token}.json?a=b`)
    await board.board.log.flush()
    expect(board.logged.join('\n')).not.toContain(token)
    expect(board.logged.join('\n')).toContain('"path":"/password-resets/…"')
  })

  test('accepts only PUT at its path', async () => {
    const response = await board.get(`/password-resets/${'A'.repeat(43)}.json`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'PUT, OPTIONS'])
    expect((await board.get('/password-resets/a b.json')).status).toBe(404)
  })

  test('allows ten requests a minute', async () => {
    for (let time = 1; time <= 10; time++) expect((await ask(`a${time}@example.com`)).status).toBe(202)
    expect((await ask(EMPLOYER)).status).toBe(429)
  })
})
