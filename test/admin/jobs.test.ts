import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { AdminSite } from '../helpers/adminSite.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open('--approve', 'all')
})
afterEach(() => site.board.close())

const rows = () => 'tbody tr th a'

describe('the inbox', () => {
  test('lists pending jobs, and approves one', async () => {
    const id = await site.post({ title: 'Porter' })
    const page = await site.browser.get('/admin/inbox')
    expect(page.texts(rows())).toEqual(['Porter'])
    expect(page.texts('.sections [aria-current]')[0]).toStartWith('Inbox 1')
    const done = await site.browser.submit(`/admin/jobs/${id}/approve`)
    expect([done.status, done.location]).toEqual([303, '/admin/inbox?done=approved'])
    expect(await site.job(id)).toMatchObject({ status: 'active' })
    const after = await site.browser.get(done.location)
    expect(after.texts('.done')).toEqual(['Approved.'])
    expect(after.texts('.empty')).toEqual(['No job is awaiting approval.'])
  })

  test('refuses a job with a reason, and asks for one', async () => {
    const id = await site.post({ title: 'Porter' })
    const missing = await site.fill(`/admin/jobs/${id}/refuse`, { reason: ' ' })
    expect([missing.status, missing.errors]).toEqual([422, ['Reason is required.']])
    expect((await site.fill(`/admin/jobs/${id}/refuse`, { reason: 'No employer.' })).status).toBe(303)
    expect(await site.job(id)).toMatchObject({ status: 'refused', refusal: 'No employer.' })
  })
})

describe('the list of jobs', () => {
  test('finds jobs in any status by title, company and number, and filters by status', async () => {
    const porter = await site.post({ title: 'Night Porter', company: 'Hotel Mar' })
    await site.post({ title: 'Cook', company: 'Hotel Mar' })
    await site.board.put(`/jobs/${porter}/approve.json`, { as: site.admin })
    const titles = async (query: string) =>
      (await site.browser.get(`/admin/jobs${query}`)).texts(rows()).toSorted()
    expect(await titles('')).toEqual(['Cook', 'Night Porter'])
    expect(await titles('?q=PORT')).toEqual(['Night Porter'])
    expect(await titles('?q=hotel')).toEqual(['Cook', 'Night Porter'])
    expect(await titles(`?q=${porter}`)).toEqual(['Night Porter'])
    expect(await titles('?status=pending')).toEqual(['Cook'])
    expect(await titles('?q=zebra')).toEqual([])
    const tabs = (await site.browser.get('/admin/jobs')).texts('.tabs a')
    expect(tabs).toEqual(['All 2', 'Pending 1', 'Active 1'])
  })

  test('has pages of 25', async () => {
    for (let at = 0; at < 26; at++) await site.post({ title: `Job ${at}` })
    const first = await site.browser.get('/admin/jobs?q=job')
    expect(first.texts(rows())).toHaveLength(25)
    expect(first.values('.pages a', 'href')).toEqual(['/admin/jobs?q=job&amp;page=2'])
    expect((await site.browser.get('/admin/jobs?q=job&page=2')).texts(rows())).toHaveLength(1)
    expect((await site.browser.get('/admin/jobs?q=job&page=99')).texts(rows())).toHaveLength(1)
  })

  test('deletes a job after asking', async () => {
    const id = await site.post({ title: 'Porter' })
    const asked = await site.browser.get(`/admin/jobs/${id}/delete`)
    expect(asked.html).toContain('Porter')
    expect(await site.job(id)).toMatchObject({ id })
    expect((await site.browser.submit(`/admin/jobs/${id}/delete`)).status).toBe(303)
    expect(await site.job(id)).toEqual({ error: 'Job not found.' })
  })
})

describe('an action on several jobs', () => {
  const select = (action: string, ids: readonly number[]) =>
    `/admin/jobs/bulk?do=${action}&${ids.map(id => `job_${id}=on`).join('&')}`

  test('lists them before it changes them', async () => {
    const ids = [await site.post({ title: 'One' }), await site.post({ title: 'Two' })]
    const path = select('approve', ids)
    const asked = await site.browser.get(path)
    expect(asked.heading).toBe('Approve these jobs?')
    for (const title of ['One', 'Two']) expect(asked.html).toContain(title)
    for (const id of ids) expect(await site.job(id)).toMatchObject({ status: 'pending' })
    expect((await site.browser.submit(path)).location).toBe('/admin/jobs?done=approved')
    for (const id of ids) expect(await site.job(id)).toMatchObject({ status: 'active' })
  })

  test('says which could not be changed, and why', async () => {
    const id = await site.post({ title: 'One' })
    await site.board.delete(`/jobs/${id}.json`, { as: site.admin })
    const page = await site.fill(select('close', [id]))
    expect(page.status).toBe(409)
    expect(page.texts('#summary h2')).toEqual([`Job ${id}: Job not found.`])
  })

  test('needs jobs to be selected, at most a hundred', async () => {
    expect((await site.browser.get('/admin/jobs/bulk?do=approve')).heading).toBe('Select at least one job')
    const many = Array.from({ length: 101 }, (_, at) => at + 1)
    expect((await site.browser.get(select('close', many))).heading).toBe('Select at most 100 jobs')
    expect((await site.browser.get('/admin/jobs/bulk?do=paint&job_1=on')).status).toBe(404)
  })
})
