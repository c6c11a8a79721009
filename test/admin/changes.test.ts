import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { AdminSite } from '../helpers/adminSite.ts'
import { START } from '../helpers/board.ts'
import { insertJobs, logosIn, writeLogo } from '../helpers/fixtures.ts'
import { logoFile } from '../helpers/forms.ts'
import { STATES } from '../helpers/jobStates.ts'
import { png } from '../helpers/pictures.ts'
import { jobBody } from '../helpers/references.ts'
import { jsonObject } from '../helpers/responses.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open()
})
afterEach(() => site.board.close())

const read = () => site.board.board.store.read
const lastSeq = () => read().journal.lastId
const api = (method: string, path: string, body?: object) =>
  site.board.request(method, path, { as: site.admin, ...(body && { body }) })
/** Returns the path of the page that puts back the last change with columns. */
const lastPath = () =>
  `/admin/changes/${
    read()
      .journal.all()
      .findLast(({ before }) => before)?.id
  }/put-back`
const sentences = async (query = '') => (await site.browser.get(`/admin/changes${query}`)).texts('.sentence')

describe('the page of changes', () => {
  test('has a sentence for each, the newest first, with the values and who made it', async () => {
    const id = await site.post({ title: 'Night nurse', salary: 4000 })
    await api('PUT', `/jobs/${id}.json`, { salary: 4500, location: 'Bergen' })
    await site.board.put(`/jobs/${id}/close.json`, { as: site.owner })
    const page = await site.browser.get('/admin/changes')
    expect(page.texts('.sentence').slice(0, 4)).toEqual([
      'owner@example.com closed Night nurse',
      'admin@example.com changed the location and salary of Night nurse',
      'owner@example.com published Night nurse',
      'owner@example.com posted Night nurse',
    ])
    expect(page.html).toContain('Salary: 4,000 → 4,500')
    expect(page.values('.sentence a', 'href').slice(0, 2)).toEqual([
      `/admin/changes?actor=user-${site.owner.id}`,
      `/admin/changes?record=job-${id}`,
    ])
  })

  test('can be of one kind, one record, or one person', async () => {
    const first = await site.post({ title: 'Nurse' })
    await site.post({ title: 'Cook' })
    await api('PUT', `/jobs/${first}.json`, { title: 'Doctor' })
    expect(await sentences('?kind=category')).toEqual(['Bees was added', 'Care & <Cure> was added'])
    expect(await sentences(`?record=job-${first}`)).toEqual([
      'admin@example.com changed the title of Doctor',
      'owner@example.com published Doctor',
      'owner@example.com posted Doctor',
    ])
    expect((await sentences(`?actor=user-${site.owner.id}`)).every(text => text.startsWith('owner@'))).toBe(
      true,
    )
    const list = await site.browser.get('/admin/jobs')
    expect(list.values('td.do a', 'href')).toContain(`/admin/changes?record=job-${first}`)
    const figures = await site.browser.get(`/account/jobs/${first}`)
    expect(figures.values('main a', 'href')).toContain(`/admin/changes?record=job-${first}`)
    for (const query of ['?record=job-x', '?record=none-1', '?actor=user-', '?kind=__proto__', '?before=x'])
      expect((await site.browser.get(`/admin/changes${query}`)).status).toBe(200)
  })

  test('is read in pages', async () => {
    await site.board.board.store.write(({ terms }) => {
      for (let at = 1; at <= 60; at++) terms.insert({ name: `Term ${at}` })
    })
    const all: string[] = []
    let path = '/admin/changes?kind=term'
    for (let number = 0; number < 5 && path !== ''; number++) {
      const page = await site.browser.get(path)
      all.push(...page.texts('.sentence'))
      path = (page.values('nav.pages a[rel=next]', 'href')[0] ?? '').replaceAll('&amp;', '&')
    }
    expect(all).toHaveLength(61)
    expect(all[0]).toBe('Term 60 was added')
  })

  test('looks up addresses, and escapes titles', async () => {
    const id = await site.post({ title: '<script>alert(1)</script>' })
    await site.board.delete(`/users/${site.owner.id}.json`, { as: site.admin })
    const page = await site.browser.get(`/admin/changes?record=job-${id}`)
    expect(page.texts('.sentence').at(-1)).toBe('A deleted account posted <script>alert(1)</script>')
    expect(page.html).not.toContain('<script>alert')
    expect((await site.browser.get('/admin/changes?kind=user')).html).not.toContain('owner@example.com')
  })

  test('is for administrators only', async () => {
    expect((await site.board.get('/admin/changes')).headers.get('location')).toContain('/sign-in')
  })
})

describe('putting back', () => {
  test('a deleted job gives the same job, without its logo', async () => {
    const id = await site.post({ title: 'Night nurse' })
    await site.fill(`/account/jobs/${id}/edit`, { logo: logoFile(png(8, 8)) })
    expect(logosIn(site.board.folder)).toHaveLength(1)
    const before = await site.job(id)
    await api('DELETE', `/jobs/${id}.json`)
    const asked = await site.browser.get(lastPath())
    expect(asked.html).toContain('Night nurse comes back as it was.')
    expect(asked.html).toContain('Logos are deleted')
    expect((await site.browser.submit(lastPath())).location).toBe('/admin/changes?done=putBack')
    expect({ ...(await site.job(id)), logo: '', preview_image_url: '' }).toEqual({
      ...before,
      logo: '',
      preview_image_url: '',
    })
    expect(read().jobs.get(id)?.logo).toBe('')
    expect((await site.board.get(`/jobs/${id}.json`)).status).toBe(200)
    expect((await sentences())[1]).toBe('admin@example.com put back Night nurse')
    const feed = await jsonObject(site.board.get(`/jobs/changes.json`))
    expect(feed).toMatchObject({
      items: [{}, { type: 'job.changed' }, { type: 'job.closed' }, { type: 'job.published' }],
    })
    expect(site.board.board.store.findIntegrityErrors()).toEqual([])
  })

  test('twice, or after a change, is refused, and shows what would happen now', async () => {
    const id = await site.post({ salary: 4000 })
    await api('PUT', `/jobs/${id}.json`, { salary: 4500 })
    const path = lastPath()
    expect((await site.browser.get(path)).html).toContain('Salary: 4,500 → 4,000')
    await api('PUT', `/jobs/${id}.json`, { salary: 5000 })
    const stale = await site.browser.submit(path)
    expect([stale.status, stale.html.includes('Salary: 5,000 → 4,000')]).toEqual([409, true])
    expect((await site.browser.submit(path)).status).toBe(303)
    expect(await site.job(id)).toMatchObject({ salary: '4000' })
    const again = await site.browser.get(path)
    expect([again.texts('h1'), again.html.includes('already as it was')]).toEqual([
      ["This can't be put back"],
      true,
    ])
    expect((await site.browser.submit(path)).status).toBe(409)
    expect((await site.browser.get('/admin/changes/99999/put-back')).status).toBe(404)
  })

  test('a category gives its jobs back too, except those whose employment type was deleted', async () => {
    const { category } = site.references
    const term = Number((await jsonObject(api('POST', '/terms.json', { name: 'Seasonal' })))['id'])
    const kept = await site.post({ title: 'Nurse' })
    const lost = await site.post({ title: 'Cook', term_id: term })
    await api('DELETE', `/categories/${category}.json`)
    const path = lastPath()
    await api('DELETE', `/terms/${term}.json`)
    const deletion = read()
      .journal.all()
      .find(({ jobId, type }) => jobId === kept && type === 'job.deleted')
    const alone = await site.browser.get(`/admin/changes/${deletion?.id}/put-back`)
    expect(alone.texts('main form p')[0]).toContain('Put back the category first.')
    expect(alone.texts('main form button')).toEqual([])
    const asked = await site.browser.get(path)
    expect(asked.html).toContain('with 1 job that was deleted with it')
    expect(asked.html).toContain('Cook stays deleted.')
    const last = lastSeq()
    await site.browser.submit(path)
    expect(read().categories.has(category)).toBe(true)
    expect([read().jobs.has(kept), read().jobs.has(lost)]).toEqual([true, false])
    expect(
      read()
        .journal.after(last, 9)
        .map(({ type }) => type),
    ).toEqual(['category.created', 'job.created', 'job.published'])
    expect((await site.board.get(`/jobs.json?category=${category}`)).headers.get('x-total-count')).toBe('1')
  })

  test('a record whose name is taken, or that is too old, is refused with the reason', async () => {
    const { id } = await jsonObject(api('POST', '/terms.json', { name: 'Seasonal' }))
    await api('DELETE', `/terms/${String(id)}.json`)
    const path = lastPath()
    await api('POST', '/terms.json', { name: 'SEASONAL' })
    expect((await site.browser.get(path)).html).toContain('has the same name now')
    site.board.clock.now = START + 31 * DAY
    await site.browser.signIn(site.admin.email)
    expect((await site.browser.get(path)).html).toContain('more than 30 days old')
    expect(await sentences('?kind=term')).toContain('admin@example.com deleted the employment type Seasonal')
  })

  test('a role is possible, but not an address, a deleted account, or the last administrator', async () => {
    const { id } = await site.board.account('third@example.com', 'admin')
    await api('PUT', `/users/${id}.json`, { role: 'user' })
    await site.fill(lastPath())
    expect(read().users.get(id)?.role).toBe('admin')
    await api('PUT', `/users/${id}.json`, { email: 'other@x.example' })
    const address = await site.browser.get(lastPath())
    expect(address.texts('main form button')).toEqual([])
    expect(address.html).toContain('Only the role of an account can be put back')
    await api('DELETE', `/users/${id}.json`)
    expect((await sentences(`?record=user-${id}`)).join()).not.toContain('password')
    const erased = await site.browser.get(lastPath())
    expect([erased.texts('main form button').length, erased.html.includes('it was erased')]).toEqual([
      0,
      true,
    ])
  })

  test('a closed job gives it its status back, unless that has changed since', async () => {
    const id = await site.post()
    await api('PUT', `/jobs/${id}/close.json`)
    const closing = lastPath()
    await site.fill(closing)
    expect(await site.job(id)).toMatchObject({ status: 'active', closed_at: null })
    await api('PUT', `/jobs/${id}/close.json`)
    await api('PUT', `/jobs/${id}/reopen.json`)
    await api('PUT', `/jobs/${id}/fill.json`)
    const late = await site.browser.get(closing)
    expect([late.texts('main form button').length, late.html.includes('status has changed since')]).toEqual([
      0,
      true,
    ])
  })

  test('a scheduled job after its time publishes it now', async () => {
    const [id = 0] = await insertJobs(site.board.board, [{ ...STATES.scheduled, ...site.references }])
    await site.board.board.store.write(({ jobs }) => void jobs.remove(id))
    site.board.clock.now = START + 20 * DAY
    await site.browser.signIn(site.admin.email)
    await site.fill(lastPath())
    expect(read().jobs.get(id)?.publishedAt).toBe(START + 20 * DAY)
  })

  test('an earlier value is refused if the job would be incomplete', async () => {
    const body = { draft: true, title: 'Nurse' }
    const { id } = await jsonObject(site.board.post('/jobs.json', { as: site.owner, body }))
    const job = Number(id)
    await site.board.put(`/jobs/${job}.json`, { as: site.owner, body: jobBody(site.references) })
    const path = lastPath()
    await site.board.put(`/jobs/${job}/submit.json`, { as: site.owner })
    const asked = await site.browser.get(path)
    expect([
      asked.texts('main form button').length,
      asked.html.includes('The job would be incomplete'),
    ]).toEqual([0, true])
  })

  test('never gives a job to an account that was deleted', async () => {
    const id = await site.post()
    await api('DELETE', `/users/${site.owner.id}.json`)
    const change = read()
      .journal.all()
      .findLast(({ jobId, type }) => jobId === id && type === 'job.updated')
    const asked = await site.browser.get(`/admin/changes/${change?.id}/put-back`)
    expect(asked.texts('main form p')[0]).toContain('the earlier account was deleted')
    expect(asked.texts('main form button')).toEqual([])
  })

  test('at the same time happens once', async () => {
    const [id = 0] = await insertJobs(site.board.board, [{ logo: await writeLogo(site.board) }])
    await api('DELETE', `/jobs/${id}.json`)
    const path = lastPath()
    await site.browser.get(path)
    const both = await Promise.all([site.browser.submit(path), site.browser.submit(path)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409])
    expect(read().jobs.has(id)).toBe(true)
  })
})
