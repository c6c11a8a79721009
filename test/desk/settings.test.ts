import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { PASSWORD, START } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { Visitor } from '../helpers/visitor.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'

let fixture: FixtureBoard
let visitor: Visitor

beforeEach(async () => {
  fixture = await openFixtureBoard()
  visitor = new Visitor(fixture.test, { 'user-agent': FIREFOX })
  await visitor.signIn(fixture.owner.email)
})
afterEach(() => fixture.test.close())

const read = () => fixture.test.board.store.read
const own = () => read().users.get(fixture.owner.id)

describe('The settings', () => {
  test('list the sessions, and end one or all others', async () => {
    const [second, third] = [new Visitor(fixture.test), new Visitor(fixture.test)]
    await second.signIn(fixture.owner.email)
    await third.signIn(fixture.owner.email)
    const page = await visitor.get('/account/settings')
    expect(page.texts('.rows strong')).toContain('Firefox on Linux')
    expect(page.texts('.rows .pill')).toEqual(['This browser'])
    const [end = ''] = page.values('.rows form', 'action')
    expect((await visitor.submit(end)).location).toBe('/account/settings?done=session')
    expect(read().sessions.count).toBe(2)
    await visitor.get('/account/settings')
    await visitor.submit('/account/sessions/end')
    expect(
      read()
        .sessions.all()
        .map(({ device }) => device),
    ).toEqual(['Firefox on Linux'])
    expect((await third.get('/account')).status).toBe(303)
    expect((await visitor.get('/account')).status).toBe(200)
  })

  test("don't end the session of another account", async () => {
    const other = new Visitor(fixture.test)
    await other.signIn(fixture.other.email)
    const id = read().sessions.all().at(-1)?.id
    await visitor.get('/account/settings')
    expect((await visitor.submit(`/account/sessions/${id}/end`)).status).toBe(404)
    expect((await other.get('/account')).status).toBe(200)
  })

  test('change the password, which ends every other session and keeps this one', async () => {
    const other = new Visitor(fixture.test)
    await other.signIn(fixture.owner.email)
    await visitor.get('/account/password')
    const wrong = await visitor.submit('/account/password', {
      current_password: 'wrong horse',
      password: 'short',
    })
    expect([wrong.status, wrong.errors]).toEqual([
      422,
      ['Current password is wrong.', 'New password must have at least 8 characters.'],
    ])
    const done = await visitor.submit('/account/password', {
      current_password: PASSWORD,
      password: 'another horse',
    })
    expect((await visitor.get(done.location)).texts('[role=status]')).toEqual([
      'Your password has been changed. All other sessions have ended.',
    ])
    expect((await other.get('/account')).status).toBe(303)
    expect(
      read()
        .sessions.all()
        .filter(({ epoch }) => epoch === own()?.epoch),
    ).toHaveLength(1)
    expect((await new Visitor(fixture.test).signIn(fixture.owner.email, 'another horse')).status).toBe(303)
  })

  test('change the address, with the rules of the API', async () => {
    await visitor.get('/account/email')
    const taken = await visitor.submit('/account/email', {
      email: fixture.other.email,
      current_password: PASSWORD,
    })
    expect([taken.status, taken.errors]).toEqual([
      422,
      ['New e-mail address is already the address of an account.'],
    ])
    expect(taken.values('#email')).toEqual([fixture.other.email])
    await visitor.submit('/account/email', { email: 'New@Example.com', current_password: PASSWORD })
    expect(own()?.email).toBe('new@example.com')
    expect((await visitor.get('/account/settings')).html).toContain('new@example.com')
  })

  test('create an access token, which is shown once, and delete it', async () => {
    await visitor.get('/account/tokens/new')
    const fields = { ...visitor.hiddenFields(), name: 'Import', scopes: 'jobs:write', expires_in_days: '90' }
    const [page] = await Promise.all([1, 2].map(() => visitor.post('/account/tokens/new', fields)))
    const [token = ''] = page?.values('main input[readonly]') ?? []
    expect(read().accessTokens.count).toBe(1)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fixture.test.get('/jobs.json?mine=true', { headers })).status).toBe(200)
    const settings = await visitor.get('/account/settings')
    expect(settings.html).not.toContain(token)
    const [path = ''] = settings.values('.rows form', 'action')
    await visitor.submit(path)
    expect((await fixture.test.get('/jobs.json?mine=true', { headers })).status).toBe(401)
  })
})

describe('Deleting an account', () => {
  const insert = () =>
    insertJobs(fixture.test.board, [
      { userId: fixture.owner.id, title: 'Open', expiresAt: START + DAY },
      { userId: fixture.owner.id, title: 'Idea', submittedAt: null, publishedAt: null },
      { userId: fixture.owner.id, title: 'Over', expiresAt: START - DAY },
    ])
  const titles = () =>
    read()
      .jobs.all()
      .map(({ title, closedAt }) => [title, closedAt])

  test('lists what is deleted, and closes the jobs', async () => {
    await insert()
    const page = await visitor.get('/account/delete')
    expect(page.texts('main li')).toEqual([
      'Your account owner@example.com, with its sessions and tokens',
      '1 draft: “Idea”',
      'Closed or kept, as you choose: “Open”',
    ])
    const wrong = await visitor.submit('/account/delete', { jobs: 'close', current_password: 'wrong horse' })
    expect([wrong.status, own()?.email]).toEqual([422, fixture.owner.email])
    const done = await visitor.submit('/account/delete', { jobs: 'close', current_password: PASSWORD })
    expect([done.location, visitor.cookie, own()]).toEqual(['/', '', undefined])
    expect(titles()).toEqual([
      ['Open', START],
      ['Over', null],
    ])
  })

  test('keeps the jobs online', async () => {
    await insert()
    await visitor.get('/account/delete')
    await visitor.submit('/account/delete', { jobs: 'keep', current_password: PASSWORD })
    expect(titles()).toEqual([
      ['Open', null],
      ['Over', null],
    ])
    expect(read().sessions.count).toBe(0)
  })

  test('is refused to the last administrator', async () => {
    const admin = new Visitor(fixture.test)
    await admin.signIn(fixture.admin.email)
    await admin.get('/account/delete')
    const page = await admin.submit('/account/delete', { jobs: 'keep', current_password: PASSWORD })
    expect([page.status, page.texts('#summary h2')]).toEqual([
      409,
      ['This is the last administrator. Add another one first.'],
    ])
  })
})
