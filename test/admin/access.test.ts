import { afterAll, beforeAll, expect, test } from 'bun:test'
import { AdminSite } from '../helpers/adminSite.ts'
import { dump } from '../helpers/fixtures.ts'
import { jobBody } from '../helpers/references.ts'
import { routesOfBoard } from '../helpers/routes.ts'
import { Visitor } from '../helpers/visitor.ts'

const MAIL = {
  content: { kind: 'registered', userId: 1 },
  createdAt: 0,
  attempts: 0,
  triedSince: null,
  dueAt: 0,
  failed: true,
  lastError: '',
} as const

let site: AdminSite
beforeAll(async () => {
  site = await AdminSite.open()
  await site.post()
  await site.board.board.store.write(({ mails }) => mails.insert(MAIL))
  const webhook = { url: 'https://nowhere.invalid/', status: 'disabled' }
  await site.board.post('/webhooks.json', { as: site.admin, body: webhook })
  await site.board.put('/sources/ats/jobs/1.json', { as: site.admin, body: jobBody(site.references) })
  await site.board.post('/subscribers.json', { body: { email: 'reader@example.com' } })
})
afterAll(() => site.board.close())

/** Returns a path that the route of a template has. */
const pathOf = (template: string) =>
  template.endsWith('/bulk') ? `${template}?do=close&job_1=on` : template.replace('{id}', '1')

const adminRoutes = () => routesOfBoard(site.board.board).filter(({ path }) => path.startsWith('/admin'))

test('every page and button asks a visitor to sign in, and refuses an account that is no administrator', async () => {
  const user = new Visitor(site.board)
  await user.signIn(site.owner.email)
  const visitor = new Visitor(site.board)
  const before = dump(site.board)
  const routes = adminRoutes()
  expect(routes.length).toBeGreaterThan(20)
  for (const { method, path: template } of routes) {
    const path = pathOf(template)
    const send = (who: Visitor) => (method === 'GET' ? who.get(path) : who.post(path))
    const asked = await send(visitor)
    expect([method, path, asked.status]).toEqual([method, path, 303])
    expect(asked.location).toStartWith('/sign-in?next=%2Fadmin')
    const refused = await send(user)
    expect([method, path, refused.status]).toEqual([method, path, 403])
    expect(refused.heading).toBe("You don't have permission to do this")
  }
  expect(dump(site.board)).toEqual(before)
})

test('no form and no button works without the token of the session', async () => {
  const before = dump(site.board)
  for (const { method, path: template } of adminRoutes()) {
    if (method === 'GET') continue
    const path = pathOf(template)
    const fields = path.endsWith('/import') ? { file: new Blob(['[]']) } : {}
    expect([path, (await site.browser.post(path, fields)).status]).toEqual([path, 422])
  }
  expect(dump(site.board)).toEqual(before)
})
