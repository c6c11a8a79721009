import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR } from '../../src/base/clock.ts'
import { listImports } from '../../src/features/imports/actions.ts'
import { AdminSite } from '../helpers/adminSite.ts'
import { waitUntil } from '../helpers/fixtures.ts'
import { jobBody } from '../helpers/references.ts'
import { Visitor } from '../helpers/visitor.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open()
})
afterEach(() => site.board.close())

const jobs = () => site.board.board.store.read.jobs

const named = (title: string) => {
  const { category_id: _c, term_id: _t, plan_id: _p, ...fields } = jobBody(site.references, { title })
  return { ...fields, category: 'Gardens', term: 'Seasonal' }
}

/** Uploads rows, waits for the import, and returns its page. */
async function upload(rows: readonly object[], fields: Readonly<Record<string, string>> = {}) {
  const file = new File([JSON.stringify(rows)], 'jobs.json')
  const sent = await site.fill('/admin/data/import', {
    dry_run: 'false',
    keep_going: 'false',
    ...fields,
    file,
  })
  expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/^\/admin\/data\/imports\/\d+$/)])
  expect(['2', null]).toContain((await site.browser.get(sent.location)).response.headers.get('refresh'))
  await waitUntil(() => listImports(site.board.board)[0]?.endedAt !== null)
  const page = await site.browser.get(sent.location)
  expect(page.response.headers.has('refresh')).toBe(false)
  return page
}

test('a check lists the rows that would be rejected, and changes nothing', async () => {
  const page = await upload([named('Gardener'), { ...named('Florist'), description: '' }], {
    dry_run: 'true',
  })
  expect(page.heading).toBe('jobs.json')
  expect(page.texts('.pill')).toEqual(['Checked'])
  expect(page.html).toContain('1 of 2 rows can be imported.')
  expect(page.texts('.records tbody th')).toEqual(['Row 2'])
  expect(page.texts('.records tbody td bdi')).toEqual(['Florist', 'description is required.'])
  expect(jobs().count).toBe(0)
})

test('a checked file can be imported once, by who checked it and within an hour', async () => {
  const page = await upload([named('Gardener'), { ...named('Florist'), description: '' }], {
    dry_run: 'true',
  })
  const path = '/admin/data/imports/1/import'
  expect(page.html).toContain('Import the other rows')
  const second = await site.board.account('second@example.com', 'admin')
  const other = new Visitor(site.board)
  await other.signIn(second.email)
  expect((await other.get('/admin/data/imports/1')).html).not.toContain(path)
  expect((await other.submit(path, {})).status).toBe(409)
  expect(jobs().count).toBe(0)

  const sent = await site.browser.submit(path, {})
  expect([sent.status, sent.location]).toEqual([303, '/admin/data/imports/2'])
  await waitUntil(() => listImports(site.board.board)[0]?.endedAt !== null)
  expect((await site.browser.get(sent.location)).html).toContain('Imported 1 of 2 rows.')
  expect((await site.browser.get('/admin/data/imports/1')).html).not.toContain(path)
  expect((await site.browser.submit(path, {})).status).toBe(409)
  expect(jobs().count).toBe(1)

  const again = await upload([named('Cook')], { dry_run: 'true' })
  expect(again.html).toContain('/admin/data/imports/3/import')
  site.board.clock.now += HOUR
  expect((await site.browser.submit('/admin/data/imports/3/import', {})).status).toBe(409)
  expect(jobs().count).toBe(1)
})

test('an import shows its result, and stays in the list', async () => {
  const page = await upload([named('Gardener'), named('Florist')])
  expect(page.texts('.pill')).toEqual(['Imported'])
  expect(page.html).toContain('Imported 2 rows.')
  expect(page.texts('.facts-list dd')).toEqual(['2', '0', '2', 'Gardens', 'Seasonal', 'Imported'])
  expect(jobs().count).toBe(2)
  const list = await site.browser.get('/admin/data')
  expect(list.texts('.records tbody th a')).toEqual(['jobs.json'])
  expect((await site.browser.get('/admin/data/imports/99')).status).toBe(404)
})

test('an upload that is no import brings the form back', async () => {
  const missing = await site.fill('/admin/data/import', { file: new File([], '') })
  expect([missing.status, missing.errors]).toEqual([422, ['File is required.']])
  const wrong = await site.fill('/admin/data/import', { file: new File(['<html>'], 'jobs.json') })
  expect([wrong.status, wrong.values('#summary a', 'href')]).toEqual([422, ['#file']])
  expect((await site.browser.get('/admin/data')).texts('.records tbody th a')).toEqual([])
})

test('an export and a backup can be downloaded', async () => {
  await site.post({ title: 'Porter' })
  const exported = await site.browser.get('/admin/data/export')
  expect(exported.response.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.jsonl"$/)
  expect(exported.html).toContain('Porter')
  const backup = await site.browser.get('/admin/data/backup')
  expect(backup.response.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.tar"$/)
  await waitUntil(() => site.board.board.store.lastBackupAt !== undefined)
  expect((await site.browser.get('/admin/data')).html).toContain('The last backup is of 10 January 2026.')
})

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'corkboard-backups-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

test('a backup is made in the folder of the daily backups, if there is one', async () => {
  const page = await site.browser.get('/admin/data')
  expect(page.html).toContain('Start the board with --backup-dir')
  expect((await site.browser.submit('/admin/data/backup')).status).toBe(409)
  await using backups = await temporaryFolder()
  await site.board.close()
  site = await AdminSite.open('--backup-dir', backups.path)
  await site.browser.get('/admin/data')
  expect((await site.browser.submit('/admin/data/backup')).location).toBe('/admin/data?done=backedUp')
  expect((await site.browser.get('/admin/data')).texts('.records tbody th')).toEqual(
    await readdir(backups.path),
  )
})
