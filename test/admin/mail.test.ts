import { afterEach, beforeEach, expect, test } from 'bun:test'
import { AdminSite } from '../helpers/adminSite.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open('--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'board@example.com')
})
afterEach(() => site.board.close())

const mails = () => site.board.board.store.read.mails

/** Stores a mail to the employer that failed. */
const addFailed = () =>
  site.board.board.store.write(
    tables =>
      tables.mails.insert({
        content: { kind: 'registered', userId: site.owner.id },
        createdAt: site.board.clock.now,
        attempts: 9,
        triedSince: 0,
        dueAt: 0,
        failed: true,
        lastError: 'the mail server refused the recipient (SMTP 550)',
      }).id,
  )

test('failed e-mails are shown with their reason, and counted in the menu and on the overview', async () => {
  await addFailed()
  const page = await site.browser.get('/admin/mail')
  expect(page.texts('tbody tr th')[0]).toStartWith('An account exists already')
  expect(page.html).toContain('owner@example.com')
  expect(page.texts('tbody .pill')).toEqual(['Failed'])
  expect(page.html).toContain('the mail server refused the recipient (SMTP 550)')
  expect(page.texts('.tabs a')).toEqual(['All 1', 'Failed 1'])
  expect(page.texts('.sections [aria-current]')).toEqual(['E-mail 1 waiting'])
  expect((await site.browser.get('/admin/mail?status=failed')).texts('tbody tr th')).toHaveLength(1)
  expect((await site.browser.get('/admin')).texts('.attention a')).toContain('1 e-mail could not be sent')
})

test('a failed e-mail is sent again, or deleted after asking', async () => {
  const id = await addFailed()
  await site.browser.get('/admin/mail')
  expect((await site.browser.submit(`/admin/mail/${id}/resend`)).location).toBe('/admin/mail?done=resent')
  expect(mails().get(id)?.failed).toBe(false)
  const page = await site.browser.get('/admin/mail?status=failed')
  expect([page.texts('.empty'), page.texts('.tabs a')]).toEqual([
    ['No e-mail has failed.'],
    ['All 1', 'Failed 0'],
  ])
  expect((await site.browser.get(`/admin/mail/${id}/delete`)).html).toContain('to owner@example.com')
  await site.browser.submit(`/admin/mail/${id}/delete`)
  expect(mails().count).toBe(0)
})

test('a test e-mail goes to the administrator', async () => {
  await site.browser.get('/admin/mail')
  expect((await site.browser.submit('/admin/mail/test')).location).toBe('/admin/mail?done=sent')
  expect(mails().all()).toMatchObject([{ content: { kind: 'test', userId: site.admin.id } }])
})

test('a board without a mail server says how to set one up', async () => {
  await site.board.close()
  site = await AdminSite.open()
  const page = await site.browser.get('/admin/mail')
  expect(page.html).toContain('Start it with --smtp-url')
  expect(page.html).not.toContain('/admin/mail/test')
})
