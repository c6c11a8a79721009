import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { AdminSite } from '../helpers/adminSite.ts'
import { PASSWORD } from '../helpers/board.ts'
import { Visitor } from '../helpers/visitor.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open()
})
afterEach(() => site.board.close())

const users = () => site.board.board.store.read.users
const subscribers = () => site.board.board.store.read.subscribers

/** Subscribes an address as a visitor does, and returns the id. */
async function subscribe(email: string) {
  await site.board.post('/subscribers.json', { body: { email } })
  return subscribers().findIdBy('email', email) ?? 0
}

describe('the list of users', () => {
  test('finds people by a part of the address, and shows role, jobs and who is not confirmed', async () => {
    await site.post()
    const { id } = await site.board.account('new@example.org')
    await site.board.put(`/users/${id}.json`, { as: site.admin, body: { email_confirmed: false } })
    const page = await site.browser.get('/admin/users')
    expect(page.texts('tbody th a')).toEqual(['new@example.org', 'owner@example.com', 'admin@example.com'])
    expect(page.texts('tbody .pill')).toEqual([
      ...['Employer', 'Not confirmed', 'Employer', 'Confirmed'],
      ...['Administrator', 'Confirmed'],
    ])
    expect(page.texts('tbody td a').filter(text => text.endsWith('job'))).toEqual(['1 job'])
    const found = await site.browser.get('/admin/users?q=OWNER')
    expect(found.texts('tbody th a')).toEqual(['owner@example.com'])
    expect((await site.browser.get(`/admin/jobs?owner=${site.owner.id}`)).texts('tbody th a')).toHaveLength(1)
    expect((await site.browser.get(`/admin/jobs?owner=${id}`)).texts('tbody th a')).toEqual([])
    await site.browser.get('/admin/users')
    await site.browser.submit(`/admin/users/${id}/confirm`)
    expect(users().get(id)?.confirmed).toBe(true)
  })

  test('has pages', async () => {
    await site.board.board.store.write(({ subscribers: table }) => {
      const times = { createdAt: 0, updatedAt: 0, digestedUntil: 0 }
      for (let at = 1; at <= 60; at++)
        table.insert({ email: `p${at}@example.com`, confirmed: true, ...times })
    })
    const first = await site.browser.get('/admin/subscribers')
    expect(first.texts('tbody th')[0]).toBe('p60@example.com')
    const last = await site.browser.get('/admin/subscribers?page=3')
    expect(last.texts('tbody th').at(-1)).toBe('p1@example.com')
    expect(last.texts('tbody th')).toHaveLength(10)
    const found = await site.browser.get('/admin/subscribers?q=p5&page=2')
    expect(found.texts('tbody th')).toHaveLength(11)
  })

  test('can be downloaded, and no address becomes a formula', async () => {
    await site.board.account('=2+3@example.com')
    const { response, html } = await site.browser.get('/admin/users.csv')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="users.csv"')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(html.split('\r\n')).toEqual([
      'id,email,role,email_confirmed,jobs,created_at',
      '1,admin@example.com,admin,true,0,2026-01-10T18:21:59+00:00',
      '2,owner@example.com,user,true,0,2026-01-10T18:21:59+00:00',
      `3,'=2+3@example.com,user,true,0,2026-01-10T18:21:59+00:00`,
      '',
    ])
  })
})

describe('an account', () => {
  test('is added, and can sign in', async () => {
    const fields = { email: 'Eva@Example.com', password: 'long enough', role: 'admin' }
    expect((await site.fill('/admin/users/new', fields)).location).toBe('/admin/users?done=added')
    expect((await new Visitor(site.board).signIn('eva@example.com', 'long enough')).status).toBe(303)
    const again = await site.fill('/admin/users/new', fields)
    expect([again.status, again.errors]).toEqual([
      422,
      ['E-mail address is already the address of an account.'],
    ])
    expect([again.values('#email'), again.values('#password')]).toEqual([['Eva@Example.com'], ['']])
  })

  test('is changed, and keeps its password if no new one is entered', async () => {
    const path = `/admin/users/${site.owner.id}/edit`
    expect((await site.browser.get(path)).values('#email')).toEqual(['owner@example.com'])
    const fields = { email: 'new@example.com', role: 'user', password: '' }
    expect((await site.browser.submit(path, fields)).location).toBe('/admin/users?done=saved')
    expect((await new Visitor(site.board).signIn('new@example.com', PASSWORD)).status).toBe(303)
    await site.fill(path, { ...fields, password: 'another one' })
    expect((await new Visitor(site.board).signIn('new@example.com', 'another one')).status).toBe(303)
  })

  test('of an administrator who changes their own stays signed in', async () => {
    const path = `/admin/users/${site.admin.id}/edit`
    const saved = await site.fill(path, { email: site.admin.email, role: 'admin', password: 'another one' })
    expect((await site.browser.get(saved.location)).texts('.done')).toEqual(['Your changes are saved.'])
  })

  test('is deleted after asking, and its jobs stay', async () => {
    const job = await site.post()
    const path = `/admin/users/${site.owner.id}/delete`
    const asked = await site.browser.get(path)
    expect(asked.html).toContain('owner@example.com')
    expect(asked.html).toContain('1 job will stay')
    expect((await site.browser.submit(path)).location).toBe('/admin/users?done=deleted')
    expect(users().has(site.owner.id)).toBe(false)
    expect(await site.job(job)).toMatchObject({ user: null, status: 'active' })
  })

  test('that is the last administrator stays one', async () => {
    const message = ['This is the last administrator. Add another one first.']
    const deleted = await site.fill(`/admin/users/${site.admin.id}/delete`)
    expect([deleted.status, deleted.texts('#summary h2')]).toEqual([409, message])
    const fields = { email: site.admin.email, role: 'user', password: '' }
    const demoted = await site.fill(`/admin/users/${site.admin.id}/edit`, fields)
    expect([demoted.status, demoted.texts('#summary h2')]).toEqual([409, message])
    expect(users().get(site.admin.id)?.role).toBe('admin')
  })
})

describe('a subscriber', () => {
  test('is found, confirmed and deleted', async () => {
    const id = await subscribe('joao@example.org')
    await subscribe('ana@example.org')
    const page = await site.browser.get('/admin/subscribers?q=joao')
    expect(page.texts('tbody th')).toEqual(['joao@example.org'])
    expect(page.texts('tbody .pill')).toEqual(['Not confirmed'])
    expect(page.html).not.toContain('Resend')
    await site.browser.submit(`/admin/subscribers/${id}/confirm`)
    expect(subscribers().get(id)?.confirmed).toBe(true)
    expect((await site.browser.get(`/admin/subscribers/${id}/delete`)).html).toContain('joao@example.org')
    await site.browser.submit(`/admin/subscribers/${id}/delete`)
    expect(subscribers().has(id)).toBe(false)
    const { html } = await site.browser.get('/admin/subscribers.csv')
    expect(html.split('\r\n')[1]).toBe('2,ana@example.org,false,2026-01-10T18:21:59+00:00')
  })

  test('is added with or without confirmation', async () => {
    await site.fill('/admin/subscribers/new', { email: 'a@example.com', email_confirmed: 'true' })
    await site.fill('/admin/subscribers/new', { email: 'b@example.com', email_confirmed: 'false' })
    expect(subscribers().all()).toMatchObject([{ confirmed: true }, { confirmed: false }])
    const wrong = await site.fill('/admin/subscribers/new', { email: 'nobody', email_confirmed: 'false' })
    expect([wrong.status, wrong.values('#summary a', 'href')]).toEqual([422, ['#email']])
  })
})

test('a subscriber gets the link to confirm again, and no link if an administrator confirms', async () => {
  await site.board.close()
  site = await AdminSite.open('--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'board@example.com')
  const mails = () => site.board.board.store.read.mails.all().map(({ content }) => content)
  await site.fill('/admin/subscribers/new', { email: 'a@example.com', email_confirmed: 'true' })
  expect(mails()).toEqual([])
  const added = await site.fill('/admin/subscribers/new', {
    email: 'b@example.com',
    email_confirmed: 'false',
  })
  expect(added.location).toBe('/admin/subscribers?done=invited')
  const { id = 0 } = subscribers().findBy('email', 'b@example.com') ?? {}
  await site.browser.get('/admin/subscribers')
  const sent = await site.browser.submit(`/admin/subscribers/${id}/resend`)
  expect(sent.location).toBe('/admin/subscribers?done=linkSent')
  expect(mails()).toEqual([1, 2].map(() => ({ kind: 'subscription', subscriberId: id })))
})
