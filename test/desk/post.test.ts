import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/clock.ts'
import { PASSWORD, START, TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, openFixtureBoard } from '../helpers/fixtures.ts'
import { logoFile } from '../helpers/forms.ts'
import { MailServer } from '../helpers/mail.ts'
import { Visitor } from '../helpers/visitor.ts'

const EMAIL = 'new@example.com'
const VALID = {
  email: EMAIL,
  title: 'Carpenter',
  description: 'Builds boats.',
  category_id: '1',
  term_id: '2',
  arrangement: 'onsite',
  location: 'Bergen, Norway',
  company: 'Fjord',
  company_website: 'https://fjord.example',
  application_type: 'url',
  application_url: 'https://fjord.example/apply',
  plan_id: '1',
}

let server: MailServer
let fixture: FixtureBoard
let visitor: Visitor

beforeAll(async () => {
  server = await MailServer.start()
})
afterAll(() => server.stop())
beforeEach(async () => {
  server.mails.length = 0
  fixture = await openFixtureBoard(
    '--registration',
    'open',
    '--approve',
    'none',
    '--digest',
    'off',
    ...server.flags,
  )
  visitor = new Visitor(fixture.test)
})
afterEach(() => fixture.test.close())

const read = () => fixture.test.board.store.read
const job = () => read().jobs.all().at(-1)

async function enter(fields: Record<string, string | Blob> = {}, who = visitor) {
  await who.get('/post')
  return await who.submit('/post', { ...VALID, ...fields })
}

const link = async (number = 1) =>
  /\/post\/confirm\?token=[\w-]{43}/.exec((await server.mail(number)).text)?.[0] ?? ''

describe('Posting a job without an account', () => {
  test('saves a draft that nobody sees, and the mailed link creates the account, signs in and posts', async () => {
    const page = await enter({ logo: logoFile() })
    expect([page.status, page.location]).toEqual([303, '/check-inbox?after=post'])
    expect((await visitor.get(page.location)).texts('main p')[0]).toContain(
      'Click the link in it to post the job.',
    )
    expect(job()).toMatchObject({ userId: null, submittedAt: null, claimEmail: EMAIL })
    expect((await visitor.get(`/jobs/${job()?.id}`)).status).toBe(404)
    expect(read().users.findBy('email', EMAIL)).toBeUndefined()
    const path = await link()
    expect((await server.mail(1)).text).not.toContain('Carpenter')
    const asked = await visitor.get(path)
    expect([asked.texts('main p')[0], asked.texts('main form button')]).toEqual([
      `Post “Carpenter” as ${EMAIL}?`,
      ['Post the job'],
    ])
    expect(job()?.userId).toBeNull()
    const done = await visitor.submit(path)
    expect(done.location).toBe(`/account?done=submit&job=${job()?.id}`)
    expect((await visitor.get(done.location)).texts('[role=status]')).toEqual([
      'The job "Carpenter" is submitted.',
    ])
    expect(job()).toMatchObject({ publishedAt: START, claimEmail: null })
    expect(job()?.logo).not.toBe('')
    expect(read().users.findBy('email', EMAIL)).toMatchObject({ confirmed: true, role: 'user' })
    const elsewhere = new Visitor(fixture.test, { 'x-forwarded-for': '203.0.113.9' })
    expect((await elsewhere.post(path)).status).toBe(404)
  })

  test('comes back with every entry and the logo if something is wrong', async () => {
    const page = await enter({ email: 'new@', title: '', application_url: '', logo: logoFile() })
    expect(page.status).toBe(422)
    expect(page.errors).toEqual([
      'Title is required.',
      'Page for applications is required.',
      'Your e-mail address must be an e-mail address, such as jobs@example.com.',
    ])
    expect([page.values('#email'), page.values('#company'), page.texts('.kept bdi')]).toEqual([
      ['new@'],
      ['Fjord'],
      ['logo.png'],
    ])
    expect([read().jobs.count, read().mails.count]).toEqual([0, 0])
    expect((await visitor.submit('/post', VALID)).status).toBe(303)
    expect(job()?.logo).not.toBe('')
  })

  test('of an address with an account says the same, and the link leads through signing in', async () => {
    expect((await enter({ email: fixture.owner.email })).location).toBe('/check-inbox?after=post')
    expect((await server.mail(1)).text).toContain('You already have an account')
    const path = await link()
    expect(job()?.userId).toBeNull()
    const asked = await visitor.get(path)
    expect(asked.location).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
    expect((await visitor.post(path)).location).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
    expect(job()?.userId).toBeNull()
    await visitor.get(asked.location)
    const signedIn = await visitor.submit('/sign-in', { email: fixture.owner.email, password: PASSWORD })
    expect(signedIn.location).toBe(path)
    await visitor.get(path)
    const done = await visitor.submit(path)
    expect(done.location).toBe(`/account?done=submit&job=${job()?.id}`)
    expect(done.response.headers.has('set-cookie')).toBeFalse()
    expect(job()).toMatchObject({ userId: fixture.owner.id, publishedAt: START })
  })

  test('replaces the password of an unconfirmed account, which somebody else may have chosen', async () => {
    await visitor.get('/register')
    await visitor.submit('/register', { email: EMAIL, password: 'attackers horse' })
    await server.mail(1)
    await enter()
    await visitor.post(await link(2))
    expect(job()?.userId).toBe(read().users.findBy('email', EMAIL)?.id ?? 0)
    expect((await new Visitor(fixture.test).signIn(EMAIL, 'attackers horse')).status).toBe(422)
  })

  test('happens once after a double click', async () => {
    await visitor.get('/post')
    const fields = { ...visitor.hiddenFields(), ...VALID }
    await Promise.all([1, 2].map(() => visitor.post('/post', fields)))
    expect([read().jobs.count, read().jobs.all().length]).toEqual([1, 1])
  })

  test('shows what is missing if the job can no longer be submitted', async () => {
    await enter()
    const path = await link()
    await fixture.test.board.store.write(({ plans }) => {
      const plan = plans.get(1)
      if (plan) plans.update(plan, { archived: true })
    })
    const done = await visitor.post(path)
    expect(done.location).toBe(`/account/jobs/${job()?.id}/edit?check=1`)
    expect((await visitor.get(done.location)).errors).toEqual(['Plan matches a plan that is archived.'])
  })

  test('is deleted with its link after a week', async () => {
    await enter()
    const path = await link()
    fixture.test.clock.now += 7 * DAY
    expect((await visitor.get(path)).status).toBe(404)
    await fixture.test.board.mail.runDue()
    expect(read().jobs.count).toBe(0)
  })

  test('is limited to 20 drafts a day for each network, and to 5 mails for each mailbox', async () => {
    for (let count = 0; count < 20; count++) {
      if (count % 10 === 9) fixture.test.clock.now += MINUTE
      expect((await enter({ title: `Job ${count}` })).status).toBe(303)
    }
    fixture.test.clock.now += MINUTE
    const page = await enter({ title: 'One more' })
    expect([page.status, page.values('#title')]).toEqual([429, ['One more']])
    await fixture.test.board.mail.whenIdle()
    expect(server.mails).toHaveLength(5)
    const elsewhere = new Visitor(fixture.test, { 'x-forwarded-for': '203.0.113.9' })
    expect((await enter({ email: 'other@example.com' }, elsewhere)).status).toBe(303)
  })

  test('is refused from another site', async () => {
    const hostile = new Visitor(fixture.test, { origin: 'https://hostile.example' })
    expect((await enter({}, hostile)).status).toBe(403)
    expect(read().jobs.count).toBe(0)
  })

  test('is not offered where registration is closed', async () => {
    const closed = await openFixtureBoard()
    const one = new Visitor(closed.test)
    expect((await one.get('/post')).location).toBe('/sign-in?next=%2Fpost')
    expect((await one.post('/post', VALID)).location).toBe('/sign-in?next=%2Fpost')
    expect((await one.post('/post/preview', VALID)).status).toBe(303)
    await closed.test.close()
  })

  test('has a preview', async () => {
    await visitor.get('/post')
    expect((await visitor.submit('/post/preview', VALID)).heading).toBe('Carpenter')
  })
})

test('An account whose address is not confirmed sees what to do, and can get another link', async () => {
  await visitor.get('/register')
  await visitor.submit('/register', { email: EMAIL, password: PASSWORD })
  await visitor.signIn(EMAIL)
  const page = await visitor.get('/account')
  expect(page.texts('.notice-bar p')[0]).toContain('Confirm your e-mail address to post jobs')
  await visitor.submit('/account/confirmation')
  expect((await server.mail(2)).text).toContain('/users/confirm?token=')
  await visitor.get('/post')
  const refused = await visitor.submit('/post', VALID)
  expect([refused.status, refused.values('#title')]).toEqual([403, ['Carpenter']])
})

test('An empty board says what has to be created first', async () => {
  const board = await TestBoard.open()
  await board.account('admin@example.com', 'admin')
  const admin = new Visitor(board)
  await admin.signIn('admin@example.com')
  const page = await admin.get('/post')
  await board.close()
  expect(page.texts('.notice-bar')[0]).toContain('a category, an employment type, a plan first.')
})
