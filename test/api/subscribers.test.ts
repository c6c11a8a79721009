import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { BASE_URL, START, TestBoard } from '../helpers/board.ts'
import { MailServer } from '../helpers/mail.ts'
import { HTML } from '../helpers/website.ts'

const READER = 'reader@example.com'

let server: MailServer
let board: TestBoard

beforeEach(async () => {
  server = await MailServer.start()
  board = await TestBoard.open(...server.flags)
})

afterEach(async () => {
  await board.close()
  await server.stop()
})

const subscribe = (email: unknown = READER) => board.post('/subscribers.json', { body: { email } })

/** Subscribes and returns the token from the e-mail. */
async function signUp(email = READER): Promise<string> {
  const before = server.mails.length
  await subscribe(email)
  return (await server.mail(before + 1)).token
}

const confirm = (token: string) => board.post(`/subscribers/confirm.json?token=${token}`)
const stored = (email = READER) => board.board.store.read.subscribers.findBy('email', email)

/** Resolves when no mail is being delivered. */
async function settle(): Promise<void> {
  await board.board.mail.whenIdle()
}

describe('signing up', () => {
  test('sends a link, which confirms', async () => {
    const response = await subscribe(' Reader@Example.com ')
    expect(response.status).toBe(202)
    expect(stored()).toMatchObject({ email: READER, confirmed: false })
    const mail = await server.mail(1)
    expect(mail.envelope).toEqual({ from: 'board@example.com', to: [READER] })
    expect(mail.header('From')).toBe('Corkboard <board@example.com>')
    expect(mail.header('To')).toBe(READER)
    expect(mail.header('Auto-Submitted')).toBe('auto-generated')
    expect(mail.text).toContain(`${BASE_URL}/subscribers/confirm?token=${mail.token}`)
    expect(mail.html).toContain(`href="${BASE_URL}/subscribers/confirm?token=${mail.token}"`)
    expect((await confirm(mail.token)).status).toBe(200)
    expect(stored()?.confirmed).toBeTrue()
    expect((await confirm(mail.token)).status).toBe(200)
  })

  test('responds the same to a new, known or confirmed address', async () => {
    const respond = async () => {
      const response = await subscribe()
      return [response.status, await response.json(), [...response.headers.keys()].toSorted()]
    }
    const fresh = await respond()
    expect(await respond()).toEqual(fresh)
    await confirm((await server.mail(1)).token)
    expect(await respond()).toEqual(fresh)
  })

  test('does one write for every address, so that timing reveals nothing', async () => {
    const { store } = board.board
    const written = async (email: string) => {
      const tables: string[][] = []
      const before = store.read.mails.all().length
      // The journal has an entry only if something changes, in the same transaction.
      store.subscribe(changes =>
        tables.push(changes.map(({ table }) => table).filter(table => table !== 'journal')),
      )
      await subscribe(email)
      return [tables[0], before]
    }
    const fresh = await written(READER)
    await confirm((await server.mail(1)).token)
    await settle()
    expect(await written(READER)).toEqual(fresh)
    expect(fresh).toEqual([['subscribers', 'mails'], 0])
  })

  test('sends nothing to a confirmed subscriber', async () => {
    await confirm(await signUp())
    await subscribe()
    await settle()
    expect(server.mails).toHaveLength(1)
    expect(board.board.store.read.mails.all()).toEqual([])
  })

  test('sends at most five e-mails a day to an address', async () => {
    for (let time = 1; time <= 7; time++) {
      board.clock.now += 60_000
      expect((await subscribe()).status).toBe(202)
      await settle()
    }
    expect(server.mails).toHaveLength(5)
    board.clock.now += DAY
    await signUp()
    expect(server.mails).toHaveLength(6)
  })

  test.each([
    ['', 'is required'],
    ['nobody', 'must be an e-mail address, such as jobs@example.com'],
    ['a@example.com\r\nBcc: all@example.com', 'must be one line, without control characters'],
    ['a@example.com, b@example.com', 'must be an e-mail address, such as jobs@example.com'],
    [['a@example.com'], 'must be text'],
  ])('%j is refused', async (email, fault) => {
    const response = await subscribe(email)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { email: [fault] } })
    expect(board.board.store.read.mails.all()).toEqual([])
  })

  test('accepts a form, wrapped or not', async () => {
    await board.post('/subscribers.json', { body: new URLSearchParams({ 'job[email]': READER }) })
    await board.post('/subscribers.json', { body: new URLSearchParams({ email: 'other@example.com' }) })
    expect(board.board.store.read.subscribers.all().map(({ email }) => email)).toEqual([
      READER,
      'other@example.com',
    ])
  })

  test('allows ten requests a minute from one address', async () => {
    for (let time = 1; time <= 10; time++) expect((await subscribe(`r${time}@example.com`)).status).toBe(202)
    const refused = await subscribe('r11@example.com')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(stored('r11@example.com')).toBeUndefined()
  })
})

describe('a link in an e-mail', () => {
  test('does nothing on GET', async () => {
    const token = await signUp()
    for (const headers of [{}, HTML]) {
      const response = await board.get(`/subscribers/confirm.json?token=${token}`, { headers })
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(response.headers.get('vary')).toContain('Accept')
    }
    expect(stored()?.confirmed).toBeFalse()
  })

  test('is a page with a button in a browser', async () => {
    const path = `/subscribers/confirm.json?token=${await signUp()}`
    const response = await board.get(path, { headers: HTML })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('Yes, send me new jobs</button>')
    const done = await board.post(path, { headers: HTML, body: new URLSearchParams() })
    expect(await done.text()).toContain(`new jobs will be sent to ${READER}.`)
    expect(stored()?.confirmed).toBeTrue()
  })

  test('gets a JSON message that explains what to do', async () => {
    const response = await board.get(`/subscribers/confirm.json?token=${await signUp()}`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      message:
        'Start getting new jobs by e-mail? To choose "Yes, send me new jobs", send a POST to this address.',
    })
  })

  test.each(['?token=', '', `?token=${'A'.repeat(43)}`, '?token=%00'])(
    'with %j is 404, as JSON and as a page',
    async query => {
      const path = `/subscribers/confirm.json${query}`
      const responses = [await board.get(path), await board.post(path)]
      for (const response of responses) {
        expect(response.status).toBe(404)
        expect(await response.json()).toHaveProperty('error')
      }
      const pages = [await board.get(path, { headers: HTML }), await board.post(path, { headers: HTML })]
      for (const page of pages) {
        expect(page.status).toBe(404)
        expect(await page.text()).toContain('Subscribe again')
      }
    },
  )

  test('is valid for seven days', async () => {
    const token = await signUp()
    board.clock.now += 7 * DAY - 1
    expect((await board.get(`/subscribers/confirm.json?token=${token}`)).status).toBe(200)
    board.clock.now += 1
    expect((await confirm(token)).status).toBe(404)
    expect(stored()?.confirmed).toBeFalse()
  })

  test('is deleted when it expires', async () => {
    await signUp()
    board.clock.now += 7 * DAY
    await board.board.mail.runDue()
    expect(board.board.store.read.tokens.all()).toEqual([])
  })

  test.each([
    ['text/html', true],
    ['application/json;q=0.9, text/html', true],
    ['application/json, text/html;q=0.9', false],
    ['text/html;q=0, */*', false],
    ['*/*', false],
    ['application/xhtml+xml', false],
  ])('with Accept: %s is a page: %p', async (accept, isPage) => {
    const response = await board.get('/subscribers/confirm.json?token=x', { headers: { accept } })
    expect(response.headers.get('content-type')).toStartWith(isPage ? 'text/html' : 'application/json')
  })

  test('works only for its purpose', async () => {
    const token = await signUp()
    expect((await board.post(`/subscribers/unsubscribe.json?token=${token}`)).status).toBe(404)
    expect((await board.post(`/users/confirm.json?token=${token}`)).status).toBe(404)
    const reset = await board.put(`/password-resets/${token}.json`, { body: { password: 'another word' } })
    expect(reset.status).toBe(404)
    expect(stored()).toMatchObject({ confirmed: false })
  })

  test('is not stored in any table or file', async () => {
    const token = await signUp()
    await settle()
    const bytes = Buffer.from(await Bun.file(`${board.folder}/data/data.mdb`).bytes())
    expect(bytes.includes(READER)).toBeTrue()
    expect(bytes.includes(token)).toBeFalse()
    expect(board.logged.join('\n')).not.toContain(token)
  })

  test('allows only GET and POST at its path', async () => {
    const response = await board.put('/subscribers/confirm.json', {
      as: await board.account('a@x.org', 'admin'),
    })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })
})

test('a mail that failed is kept for a month', async () => {
  server.onMail = () => {
    throw new Error('not here')
  }
  await board.account(READER)
  await board.post('/password-resets.json', { body: { email: READER } })
  await settle()
  for (const [days, kept] of [
    [0, { failed: false, attempts: 1 }],
    [3, { failed: true, attempts: 2 }],
    [32, { failed: true, attempts: 2 }],
    [34, undefined],
  ] as const) {
    board.clock.now = START + days * DAY
    await board.board.mail.runDue()
    await settle()
    const [mail] = board.board.store.read.mails.all()
    if (kept) expect(mail).toMatchObject(kept)
    else expect(mail).toBeUndefined()
  }
})

describe('an administrator', () => {
  test('reads, confirms, changes and deletes subscribers; others may not', async () => {
    const admin = await board.account('admin@example.com', 'admin')
    const user = await board.account('user@example.com')
    await signUp()
    const path = '/subscribers/1.json'
    for (const [as, status] of [
      [undefined, 401],
      [user, 403],
    ] as const) {
      const sending = { ...(as && { as }) }
      expect((await board.get('/subscribers.json', sending)).status).toBe(status)
      expect((await board.get(path, sending)).status).toBe(status)
      expect((await board.put(path, { ...sending, body: {} })).status).toBe(status)
      expect((await board.delete(path, sending)).status).toBe(status)
    }
    const subscriber = {
      id: 1,
      email: READER,
      email_confirmed: false,
      created_at: '2026-01-10T18:21:59+00:00',
      updated_at: '2026-01-10T18:21:59+00:00',
    }
    expect(await (await board.get(path, { as: admin })).json()).toEqual(subscriber)
    const list = await board.get('/subscribers.json', { as: admin })
    expect([await list.json(), list.headers.get('x-total-count')]).toEqual([[subscriber], '1'])
    const changed = await board.put(path, { as: admin, body: { email_confirmed: true } })
    expect(await changed.json()).toEqual({ ...subscriber, email_confirmed: true })
    expect((await board.delete(path, { as: admin })).status).toBe(200)
    expect((await board.get(path, { as: admin })).status).toBe(404)
    expect(board.board.store.read.tokens.all()).toEqual([])
  })

  test('who changes an address invalidates its links, and the new one must be confirmed', async () => {
    const admin = await board.account('admin@example.com', 'admin')
    const old = await signUp()
    await confirm(old)
    const moved = await board.put('/subscribers/1.json', { as: admin, body: { email: 'new@example.com' } })
    expect(await moved.json()).toMatchObject({ email: 'new@example.com', email_confirmed: false })
    expect((await confirm(old)).status).toBe(404)
    const mail = await server.mail(2)
    expect(mail.envelope.to).toEqual(['new@example.com'])
    expect((await confirm(mail.token)).status).toBe(200)
  })

  test('can add a confirmed address, and nobody else can', async () => {
    const body = { email: READER, email_confirmed: true }
    expect((await board.post('/subscribers.json', { body })).status).toBe(403)
    expect(board.board.store.read.subscribers.all()).toEqual([])
    const admin = await board.account('admin@example.com', 'admin')
    const added = await board.post('/subscribers.json', { as: admin, body })
    expect([added.status, await added.json()]).toEqual([202, { message: 'The address gets job alerts.' }])
    expect(board.board.store.read.subscribers.all()).toMatchObject([{ email: READER, confirmed: true }])
    expect(board.board.store.read.mails.all()).toEqual([])
  })

  test("can't assign an address that another subscriber has", async () => {
    const admin = await board.account('admin@example.com', 'admin')
    await signUp()
    await signUp('other@example.com')
    const response = await board.put('/subscribers/2.json', { as: admin, body: { email: READER } })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      errors: { email: ['is already the address of a subscriber'] },
    })
  })
})

describe('without a mail server', () => {
  test('a warning is logged, nothing is queued, and an administrator confirms', async () => {
    const silent = await TestBoard.open()
    try {
      const response = await silent.post('/subscribers.json', { body: { email: READER } })
      expect(response.status).toBe(202)
      expect(await response.json()).toEqual({
        message: 'Thanks. An administrator will confirm your address.',
      })
      expect(silent.board.store.read.mails.all()).toEqual([])
      await silent.board.log.flush()
      expect(silent.logged.filter(line => line.includes('this board sends no mail'))).toHaveLength(1)
      const admin = await silent.account('admin@example.com', 'admin')
      const body = { email_confirmed: true }
      const confirmed = await silent.put('/subscribers/1.json', { as: admin, body })
      expect(await confirmed.json()).toMatchObject({ email_confirmed: true })
    } finally {
      await silent.close()
    }
  })
})
