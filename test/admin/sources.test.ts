import { afterEach, beforeEach, expect, test } from 'bun:test'
import { AdminSite } from '../helpers/adminSite.ts'
import { jobBody } from '../helpers/references.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open()
})
afterEach(() => site.board.close())

const posting = (id: number, fields: object = {}) => ({
  ...jobBody(site.references, fields),
  external_id: id,
})
const sync = (set: object[]) =>
  site.board.post('/sources/ats/sync.json', {
    as: site.owner,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(set),
  })

test('sources are listed with their last run, and runs with what they refused and why', async () => {
  expect((await site.browser.get('/admin/sources')).texts('.empty')[0]).toStartWith('There is no source yet.')
  await sync([posting(1), posting(2, { title: '' }), posting(3, { category_id: 99 })])
  const list = await site.browser.get('/admin/sources')
  expect(list.texts('tbody tr > *')).toEqual([
    'ats',
    'owner@example.com',
    '1',
    'just now',
    '2 refused1 created, 0 updated, 0 unchanged, 0 reopened, 0 closed, 0 detached, 2 refused.',
  ])
  const runs = await site.browser.get('/admin/sources/1')
  expect(runs.texts('tbody a')).toEqual(['2 postings'])
  const run = await site.browser.get('/admin/sources/1?run=1')
  expect(run.texts('tbody tr > *')).toEqual([
    ...['Number 2', '2', 'title is required'],
    ...['Number 3', '3', "category_id doesn't match any category"],
  ])
  expect((await site.browser.get('/admin/sources/1?run=9')).texts('tbody a')).toEqual(['2 postings'])
  expect((await site.browser.get('/admin/sources/2')).status).toBe(404)
})

test('a run that failed needs attention until one succeeds', async () => {
  await sync([posting(1)])
  expect((await site.browser.get('/admin')).texts('.attention a')).not.toContain(
    'The last run of 1 source failed',
  )
  expect((await sync([])).status).toBe(409)
  const start = await site.browser.get('/admin')
  expect(start.texts('.attention a')).toContain('The last run of 1 source failed')
  const page = await site.browser.get('/admin/sources/1')
  expect(page.texts('.sections [aria-current]')).toEqual(['Sources 1 waiting'])
  expect(page.texts('tbody .pill')).toEqual(['Failed', 'Done'])
  expect(page.html).toContain('The set is empty, so nothing was changed.')
  expect((await sync([posting(1, { title: '' })])).status).toBe(200)
  expect((await site.browser.get('/admin/sources')).texts('tbody .pill')).toEqual(['Failed'])
  await sync([posting(1)])
  expect((await site.browser.get('/admin/sources')).texts('tbody .pill')).toEqual(['Done'])
  expect((await site.browser.get('/admin')).html).not.toContain('The last run of')
})
