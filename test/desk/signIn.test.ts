import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { changeUser, removeUser } from '../../src/accounts/users.ts'
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts'
import { type Account, TestBoard } from '../helpers/board.ts'
import { MailServer } from '../helpers/mail.ts'
import { Visitor } from '../helpers/visitor.ts'

let server: MailServer
let board: TestBoard
let owner: Account
let visitor: Visitor

beforeAll(async () => {
  server = await MailServer.start()
})
afterAll(() => server.stop())
beforeEach(async () => {
  server.mails.length = 0
  board = await TestBoard.open('--registration', 'open', '--digest', 'off', ...server.flags)
  owner = await board.account('owner@example.com')
  visitor = new Visitor(board)
})
afterEach(() => board.close())

const sessions = () => board.board.store.read.sessions.all()
const isSignedIn = async (of = visitor) => (await of.get('/')).html.includes('owner@example.com')

describe('Signing in', () => {
  test('starts a session, whose cookie is not readable and whose token is not stored', async () => {
    const page = await visitor.signIn(owner.email)
    expect([page.status, page.location]).toEqual([303, '/account'])
    const cookie = page.response.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^__Host-corkboard=[\w-]{43}; Max-Age=7776000; HttpOnly; SameSite=Lax; Path=\/; Secure$/,
    )
    const token = visitor.cookie.split('=')[1] ?? ''
    expect(sessions()).toHaveLength(1)
    expect(JSON.stringify(sessions())).not.toContain(token)
    expect(await isSignedIn()).toBeTrue()
  })

  test('has no cookie prefix where the base URL is http', async () => {
    const plain = await TestBoard.open('--base-url', 'http://127.0.0.1:3000')
    await plain.account('owner@example.com')
    const page = await new Visitor(plain).signIn('owner@example.com')
    await plain.close()
    expect(page.response.headers.get('set-cookie')).toMatch(
      /^corkboard=[\w-]{43}; Max-Age=7776000; HttpOnly; SameSite=Lax; Path=\/$/,
    )
  })

  test('brings the form back if the password is wrong, without the password and without a Basic prompt', async () => {
    const page = await visitor.signIn(owner.email, 'wrong horse')
    expect(page.status).toBe(422)
    expect(page.response.headers.get('www-authenticate')).toBeNull()
    expect(page.response.headers.get('cache-control')).toBe('private, no-store')
    expect(page.texts('#summary h2')).toEqual(['Invalid Email or password.'])
    expect(page.values('#email')).toEqual([owner.email])
    expect(page.html).not.toContain('wrong horse')
    expect(sessions()).toBeEmpty()
  })

  test('names the fields that are missing, and links to them', async () => {
    const page = await visitor.submit('/sign-in', { email: 'owner@' })
    expect(page.errors).toEqual([
      'E-mail address must be an e-mail address, such as jobs@example.com.',
      'Password is required.',
    ])
    expect(page.values('#summary li a', 'href')).toEqual(['#email', '#password'])
    expect(page.values('#email', 'aria-invalid')).toEqual(['true'])
    expect(page.values('#email', 'aria-describedby')).toEqual(['email-error'])
    expect(page.texts('#password-error')).toEqual(['Password is required.'])
    expect(page.values('#summary', 'autofocus')).toHaveLength(1)
  })

  test('has the failure limit of the API', async () => {
    for (let failure = 0; failure < 10; failure++)
      await visitor.signIn(`nobody${failure}@example.com`, 'wrong')
    const basic = await board.get('/users/me.json', { headers: { authorization: 'Basic eDp5' } })
    expect(basic.status).toBe(429)
    board.clock.now += MINUTE
    for (let failure = 0; failure < 10; failure++)
      await board.get('/users/me.json', { headers: { authorization: `Basic ${btoa(`x:${failure}`)}` } })
    const page = await visitor.signIn(owner.email)
    expect([page.status, Number(page.response.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(page.values('#email')).toEqual([owner.email])
  })

  test.each([
    ['/account/settings', '/account/settings'],
    ['//evil.example', '/account'],
    ['/\\evil.example', '/account'],
    ['https://evil.example', '/account'],
    ['/post\r\nx: y', '/account'],
  ])('leads back to %j: %s', async (next, path) => {
    await visitor.get(`/sign-in?next=${encodeURIComponent(next)}`)
    expect(
      (await visitor.submit('/sign-in', { email: owner.email, password: 'correct horse' })).location,
    ).toBe(path)
  })

  test('always starts a new session, and ignores a token that somebody else chose', async () => {
    visitor.cookie = `__Host-corkboard=${'a'.repeat(43)}`
    await visitor.signIn(owner.email)
    expect(visitor.cookie).not.toContain('aaaa')
    const first = visitor.cookie
    await visitor.signIn(owner.email)
    expect(visitor.cookie).not.toBe(first)
    expect(sessions()).toHaveLength(1)
    visitor.cookie = first
    expect(await isSignedIn()).toBeFalse()
  })

  test('is refused when another site sends the form', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const page = await new Visitor(board, headers).signIn(owner.email)
      expect(page.status).toBe(403)
    }
    expect(sessions()).toBeEmpty()
  })
})

describe('A session', () => {
  beforeEach(async () => void (await visitor.signIn(owner.email)))

  test('is ignored at paths of the API and of images', async () => {
    for (const path of ['/users/me.json', '/jobs.json?mine=true'])
      expect((await visitor.get(path)).status).toBe(401)
    expect((await visitor.post('/categories.json', { name: 'x' })).status).toBe(401)
  })

  test('gets pages that are not cached, and anonymous visitors get theirs', async () => {
    for (let round = 0; round < 3; round++) {
      const own = await visitor.get('/')
      expect(own.html).toContain(owner.email)
      expect(own.response.headers.get('cache-control')).toBe('private, no-store')
      const other = await new Visitor(board).get('/')
      expect(other.html).not.toContain(owner.email)
      expect(other.response.headers.get('cache-control')).toBe('no-cache')
      expect(other.response.headers.get('vary')).toContain('Cookie')
    }
  })

  test('ends 14 days after its last use, which is stored every few hours', async () => {
    const [start] = sessions()
    board.clock.now += HOUR
    await isSignedIn()
    expect(sessions()).toEqual(start ? [start] : [])
    board.clock.now += 13 * DAY
    expect(await isSignedIn()).toBeTrue()
    expect(sessions()[0]?.lastUsedAt).toBe(board.clock.now)
    board.clock.now += 14 * DAY
    expect(await isSignedIn()).toBeFalse()
  })

  test('ends after 90 days at most, and is deleted then', async () => {
    for (let day = 0; day < 89; day += 10) {
      expect(await isSignedIn()).toBeTrue()
      board.clock.now += 10 * DAY
    }
    expect(await isSignedIn()).toBeFalse()
    await board.board.mail.runDue()
    expect(sessions()).toBeEmpty()
  })

  test.each(['the password', 'the role', 'the address', 'the account'])(
    'ends with a change of %s',
    async what => {
      const passwordHash = await hashPassword('another horse')
      const changes: Record<string, object> = {
        'the password': { passwordHash },
        'the role': { role: 'admin' },
        'the address': { email: 'new@example.com' },
      }
      await board.board.store.write(tables => {
        if (what === 'the account') removeUser(tables, owner.id)
        else changeUser(tables, board.board.clock, owner.id, changes[what] ?? {})
      })
      expect((await visitor.get('/')).html).not.toContain('Sign out')
      await board.board.mail.runDue()
      board.clock.now += DAY
      await board.board.mail.runDue()
      expect(sessions()).toBeEmpty()
    },
  )

  test('ends by signing out, after which the back button shows nothing', async () => {
    await visitor.get('/')
    const cookie = visitor.cookie
    const page = await visitor.submit('/sign-out')
    expect([page.status, page.location, visitor.cookie]).toEqual([303, '/', ''])
    visitor.cookie = cookie
    expect(await isSignedIn()).toBeFalse()
    expect(sessions()).toBeEmpty()
  })

  test('is not ended by a form without its token', async () => {
    for (const csrf of ['', 'x', Bun.CSRF.generate('other')]) {
      const page = await visitor.post('/sign-out', { csrf })
      expect([page.status, page.texts('#summary h2')]).toEqual([
        422,
        ['This form was open for too long. Please send it again.'],
      ])
    }
    expect(sessions()).toHaveLength(1)
    expect((await visitor.submit('/sign-out')).status).toBe(303)
  })

  test('works beside others, up to 50 of an account', async () => {
    for (let count = 0; count < 51; count++) {
      board.clock.now += 1000
      await new Visitor(board).signIn(owner.email)
    }
    expect(sessions()).toHaveLength(50)
    expect(await isSignedIn()).toBeFalse()
  })
})

describe('A mailed link', () => {
  const request = async (email: string) => {
    await visitor.get('/sign-in')
    return await visitor.submit('/sign-in/link', { email })
  }
  const link = async (number = 1) =>
    /\/sign-in\/confirm\?token=[\w-]{43}/.exec((await server.mail(number)).text)?.[0] ?? ''

  test('signs in by a button, once, within 15 minutes', async () => {
    const page = await request(owner.email)
    expect([page.status, page.location]).toEqual([303, '/check-inbox?after=sign-in'])
    expect((await visitor.get(page.location)).heading).toBe('Check your inbox')
    const path = await link()
    expect((await visitor.get(path)).texts('main form button')).toEqual(['Sign in'])
    expect(sessions()).toBeEmpty()
    const clicks = await Promise.all([visitor.post(path), visitor.post(path)])
    expect(clicks.map(({ location }) => location)).toEqual(['/account', '/account'])
    expect(sessions()).toHaveLength(1)
    expect(await isSignedIn()).toBeTrue()
    const again = await new Visitor(board, { 'x-forwarded-for': '203.0.113.9' }).post(path)
    expect([again.status, again.texts('main p')[0]]).toEqual([
      404,
      'This link is invalid, used or has expired. Request a new one.',
    ])
    await request(owner.email)
    const late = await link(2)
    board.clock.now += 15 * MINUTE
    expect((await visitor.get(late)).status).toBe(404)
    expect((await visitor.post(late)).status).toBe(404)
  })

  test('is not sent to an unknown address, which gets the same page', async () => {
    const known = (await request(owner.email)).location
    expect((await request('nobody@example.com')).location).toBe(known)
    await board.board.mail.whenIdle()
    expect(server.mails).toHaveLength(1)
  })

  test('ends with a change of the password', async () => {
    await request(owner.email)
    const path = await link()
    const passwordHash = await hashPassword('another horse')
    await board.board.store.write(tables => changeUser(tables, board.board.clock, owner.id, { passwordHash }))
    expect((await visitor.post(path)).status).toBe(404)
  })

  test('confirms the address, and replaces a password that somebody else may have chosen', async () => {
    await visitor.get('/register')
    const page = await visitor.submit('/register', { email: 'new@example.com', password: 'attackers horse' })
    expect([page.status, page.location]).toEqual([303, '/check-inbox?after=register'])
    await server.mail(1)
    await request('new@example.com')
    await visitor.post(await link(2))
    expect(board.board.store.read.users.findBy('email', 'new@example.com')?.confirmed).toBeTrue()
    expect((await new Visitor(board).signIn('new@example.com', 'attackers horse')).status).toBe(422)
  })
})

describe('The pages to create an account and to get a new password', () => {
  test('use the rules and mails of the API', async () => {
    await visitor.get('/register')
    const page = await visitor.submit('/register', { email: 'new@example.com', password: 'short' })
    expect([page.status, page.errors]).toEqual([422, ['Password must have at least 8 characters.']])
    expect(page.values('#email')).toEqual(['new@example.com'])
    await visitor.get('/forgot')
    expect((await visitor.submit('/forgot', { email: owner.email })).location).toBe(
      '/check-inbox?after=forgot',
    )
    expect((await server.mail(1)).text).toContain('/reset/')
  })

  test('are limited for each network', async () => {
    for (let count = 0; count < 10; count++) await visitor.post('/forgot', { email: owner.email })
    const page = await visitor.post('/forgot', { email: owner.email })
    expect([page.status, page.values('#email')]).toEqual([429, [owner.email]])
  })

  test('are not there where registration is closed and the board sends no mail', async () => {
    const closed = await TestBoard.open()
    const one = new Visitor(closed)
    const [register, signIn, forgot] = [
      await one.get('/register'),
      await one.get('/sign-in'),
      await one.get('/forgot'),
    ]
    await closed.close()
    expect(register.status).toBe(404)
    expect(signIn.html).not.toContain('sign-in link')
    expect(signIn.html).not.toContain('Post a job')
    expect(forgot.html).toContain('This board sends no e-mail.')
  })
})
