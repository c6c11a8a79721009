import { afterEach, beforeEach, expect, test } from 'bun:test'
import { AdminSite } from '../helpers/adminSite.ts'
import { TestReceiver, verify } from '../helpers/receiver.ts'

let site: AdminSite
let receiver: TestReceiver
beforeEach(async () => {
  receiver = new TestReceiver()
  site = await AdminSite.open('--webhook-private', 'on')
  // The libraries compare the time of a message with the real one.
  site.board.clock.now = Date.now()
  await site.browser.signIn(site.admin.email)
})
afterEach(async () => {
  await site.board.close()
  await receiver.stop()
})

const row = () => site.board.board.store.read.webhooks.get(1)
const get = (path = '/1') => site.browser.get(`/admin/webhooks${path}`)
const press = async (verb: string) => {
  await get()
  return await site.browser.submit(`/admin/webhooks/1/${verb}`)
}
const create = (fields: Readonly<Record<string, string>> = {}) =>
  site.fill('/admin/webhooks/new', { url: receiver.url, description: 'Newsletter', ...fields })
const addCategory = (name: string) => site.board.post('/categories.json', { as: site.admin, body: { name } })

test('a webhook is created with a secret that is shown once, also after a double click', async () => {
  expect((await get('')).texts('.empty')).toEqual(['There is no webhook yet.'])
  const path = '/admin/webhooks/new'
  await site.browser.get(path)
  const fields = {
    ...site.browser.hiddenFields(),
    url: receiver.url,
    'types:category.created': 'on',
    'types:job.published': 'on',
  }
  const [page, second] = [await site.browser.post(path, fields), await site.browser.post(path, fields)]
  const [secret = ''] = page.values('main input[readonly]')
  expect(secret).toStartWith('whsec_')
  expect(second.html).toBe(page.html)
  expect(site.board.board.store.read.webhooks.all()).toMatchObject([
    { types: ['job.published', 'category.created'].toSorted(), secret },
  ])
  const shown = await get()
  expect(shown.html).not.toContain(secret)
  expect(shown.html).toContain('It is sent these changes: category.created, job.published.')
  await addCategory('One')
  await receiver.wait(1)
  const [message] = receiver.messages
  if (message) verify(secret, message)
  await site.board.board.webhooks.whenIdle()
  const after = await get()
  expect(after.texts('tbody th')[0]).toStartWith('category.created')
  expect(after.texts('tbody .pill')).toEqual(['Delivered'])
  expect((await get('')).texts('tbody td')).toContain('2 types')
})

test('a form that is rejected comes back with its values', async () => {
  const page = await create({ url: 'https://169.254.169.254/', 'types:job.closed': 'on' })
  expect(page.status).toBe(422)
  expect(page.errors).toEqual(['URL leads to an address that no receiver can have.'])
  expect(page.values('input[checked]', 'name')).toEqual(['types:job.closed'])
  expect(page.values('#url')).toEqual(['https://169.254.169.254/'])
})

test('a webhook is edited, and deleted after asking', async () => {
  await create({ 'types:job.closed': 'on' })
  const page = await get('/1/edit')
  expect(page.values('input[checked]', 'name')).toEqual(['types:job.closed'])
  const fields = { url: `${receiver.url}/2`, description: '' }
  expect((await site.browser.submit('/admin/webhooks/1/edit', fields)).location).toBe(
    '/admin/webhooks/1?done=saved',
  )
  expect(row()).toMatchObject({ url: `${receiver.url}/2`, description: null, types: [] })
  expect((await get('/1/delete')).html).toContain('Nothing more is sent to')
  expect((await site.browser.submit('/admin/webhooks/1/delete')).location).toBe(
    '/admin/webhooks?done=deleted',
  )
  expect(row()).toBeUndefined()
  expect((await get()).status).toBe(404)
})

test('a webhook with errors needs attention, and shows the reason', async () => {
  await create()
  receiver.respond = () => new Response('', { status: 500 })
  await addCategory('One')
  await site.board.board.webhooks.whenIdle()
  expect((await site.browser.get('/admin')).texts('.attention a')).toContain('1 webhook with errors')
  expect((await get('')).texts('.sections [aria-current]')).toEqual(['Webhooks 1 waiting'])
  const page = await get()
  expect(page.html).toContain('The next change failed 1 time: the receiver responded with status 500.')
  expect(page.texts('tbody .pill')).toEqual(['Failed'])
  receiver.respond = () => new Response()
  expect((await press('enable')).location).toBe('/admin/webhooks/1?done=enabled')
  await site.board.board.webhooks.whenIdle()
  expect((await site.browser.get('/admin')).html).not.toContain('1 webhook with errors')
  expect((await get()).texts('tbody .pill')).toEqual(['Delivered', 'Failed'])
})

test('a webhook is tested, disabled, replayed, and gets another secret', async () => {
  await create()
  expect((await press('test')).location).toBe('/admin/webhooks/1?done=delivered')
  receiver.respond = () => Response.redirect('https://example.com')
  expect((await press('test')).location).toBe('/admin/webhooks/1?done=undelivered')
  expect((await get()).html).toContain('redirects are not followed')
  receiver.respond = () => new Response()
  await press('disable')
  await addCategory('One')
  await addCategory('Two')
  await site.board.board.webhooks.whenIdle()
  expect(receiver.messages).toHaveLength(2)
  const after = site.board.board.store.read.journal.lastId - 1
  await site.fill('/admin/webhooks/1/replay', { after: String(after) })
  await press('enable')
  await receiver.wait(3)
  expect(receiver.messages[2]?.body.data.data).toMatchObject({ name: 'Two' })
  const before = row()?.secret
  const page = await site.fill('/admin/webhooks/1/secret')
  expect(page.values('main input[readonly]')).toEqual([String(row()?.secret)])
  expect(row()?.secret).not.toBe(before)
})
