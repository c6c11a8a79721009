import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fillWithSample } from '../../src/cli/sample.ts'
import { TestBoard } from '../helpers/board.ts'
import { Browser, hasBrowser } from '../helpers/browser.ts'
import { insertJobs } from '../helpers/fixtures.ts'
import { Visitor } from '../helpers/visitor.ts'

const ADMIN = 'admin@example.com'
const LONG = `${'x'.repeat(60)}@${'y'.repeat(60)}.example.com`

let board: TestBoard
let server: Bun.Server<undefined>
let base: string
let pending: number
let change: number
let admin: Visitor

beforeAll(async () => {
  if (!hasBrowser) return
  const mail = ['--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'board@example.com']
  ;({ board, server, base } = await TestBoard.serve('--approve', 'all', ...mail))
  await fillWithSample(board.board)
  const account = await board.account(ADMIN, 'admin')
  admin = new Visitor(board)
  await admin.signIn(ADMIN)
  const { id: userId } = await board.account(LONG)
  ;[pending = 0] = await insertJobs(board.board, [{ title: 'x'.repeat(64), userId, pending: true }])
  await board.post('/subscribers.json', { body: { email: LONG } })
  await board.board.store.write(({ jobs }) => {
    const job = jobs.get(1)
    if (job) jobs.update(job, { title: 'x'.repeat(64), location: 'y'.repeat(100), salary: 7 })
  })
  change = board.board.store.read.journal.lastId
  await board.board.store.write(({ mails, days }) => {
    const times = { createdAt: 0, attempts: 9, triedSince: 0, dueAt: 0 }
    const lastError = 'the mail server refused the recipient (SMTP 550 5.1.1)'
    mails.insert({ ...times, content: { kind: 'registered', userId }, failed: true, lastError })
    const { today } = board.board.traffic
    const funnel = { impressions: 5000, views: 900, applyClicks: 80 }
    for (let id = today - 364; id < today; id++)
      days.put({
        id,
        total: id % 97,
        funnel,
        paths: [['/jobs/1', 40]],
        countries: [['Portugal', 30]],
        sources: [],
      })
  })
  const webhook = { url: `https://${'z'.repeat(60)}.example/${'y'.repeat(90)}`, description: 'x'.repeat(60) }
  await board.post('/webhooks.json', { as: account, body: webhook })
  await board.post('/webhooks/1/test.json', { as: account })
  const refused = { external_id: 'x'.repeat(255), title: '' }
  const set = JSON.stringify([refused, { ...refused, external_id: 7 }])
  const json = { 'content-type': 'application/json' }
  await board.post(`/sources/${'z'.repeat(64)}/sync.json`, { as: account, headers: json, body: set })
  const rows = [{ title: 'x'.repeat(64) }, { title: 'Cook' }]
  const headers = { 'content-type': 'application/json' }
  await board.post('/imports.json', { as: account, headers, body: JSON.stringify(rows) })
})

afterAll(async () => {
  if (!hasBrowser) return
  await Browser.end()
  await server.stop(true)
  await board.close()
})

const PATHS = [
  ...['', '/inbox', '/jobs', '/jobs/bulk?do=close&job_1=on', '/jobs/{job}/refuse', '/jobs/{job}/delete'],
  ...['/categories', '/categories/1/edit', '/categories/1/delete', '/terms', '/plans', '/plans/1/edit'],
  ...['/users', '/users/new', '/users/1/edit', '/users/2/delete', '/subscribers', '/subscribers/new'],
  ...['/analytics', '/analytics?days=365', '/mail', '/mail/1/delete', '/data', '/data/import'],
  ...['/webhooks', '/webhooks/new', '/webhooks/1', '/webhooks/1/edit', '/webhooks/1/replay'],
  ...['/sources', '/sources/1', '/sources/1?run=1'],
  ...['/data/imports/1', '/settings', '/changes', '/changes?record=job-1', '/changes/{change}/put-back'],
]
describe.skipIf(!hasBrowser)('a page for administrators', () => {
  let browser: Browser
  beforeAll(async () => {
    if (!hasBrowser) return
    browser = await Browser.open(base)
    await browser.setCookie(admin.cookie)
  })
  afterAll(() => {
    if (hasBrowser) browser.close()
  })

  test.each(PATHS)('/admin%s has no axe violations and no overflow', async path => {
    await browser.go(`/admin${path.replace('{job}', String(pending)).replace('{change}', String(change))}`)
    expect(await browser.faults()).toEqual([])
  })
})
