import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { HTML, Website } from '../helpers/website.ts'

let site: Website
beforeAll(async () => {
  site = await Website.open()
})
afterAll(() => site.board.close())

const asAdmin = () => ({ as: site.admin, headers: HTML })

describe('the page of a filled job', () => {
  test('says so for 30 days, without a link to apply, structured data or an entry in search engines', async () => {
    const id = await site.post({ title: 'Porter' })
    expect(valuesOf(await site.page(`/jobs/${id}`), 'meta[name=robots]', 'content')).toEqual([])
    await site.board.put(`/jobs/${id}/fill.json`, { as: site.admin })
    for (const days of [0, 29]) {
      site.board.clock.now += days * DAY
      const html = await site.page(`/jobs/${id}`)
      expect(textsOf(html, 'article > header .banner')).toEqual(['This job has been filled.'])
      expect(textsOf(html, '.apply')).toEqual([])
      expect(textsOf(html, 'script[type="application/ld+json"]')).toEqual([])
      expect(valuesOf(html, 'meta[name=robots]', 'content')).toEqual(['noindex'])
    }
    expect((await site.board.get(`/jobs/${id}.json`)).status).toBe(404)
    expect((await site.board.get(`/jobs/${id}/apply`, { headers: HTML })).status).toBe(410)
    site.board.clock.now += DAY
    expect((await site.board.get(`/jobs/${id}`, { headers: HTML })).status).toBe(410)
  })

  test('is that of an open job again once the job is reopened', async () => {
    const id = await site.post({ title: 'Cook' })
    await site.board.put(`/jobs/${id}/fill.json`, { as: site.admin })
    await site.page(`/jobs/${id}`)
    await site.board.put(`/jobs/${id}/reopen.json`, { as: site.admin })
    const html = await site.page(`/jobs/${id}`)
    expect(textsOf(html, '.banner')).toEqual([])
    expect(textsOf(html, '.apply')).toHaveLength(2)
  })
})

test('the page of a closed job is gone, and that of a draft is for its owner and administrators', async () => {
  const id = await site.post({ title: 'Baker' })
  await site.board.put(`/jobs/${id}/close.json`, { as: site.admin })
  expect((await site.board.get(`/jobs/${id}`, { headers: HTML })).status).toBe(410)
  const draft = { title: 'Only a title', draft: true }
  const saved = await site.board.post('/jobs.json', { as: site.admin, body: draft })
  const { id: draftId } = (await saved.json()) as { id: number }
  expect((await site.board.get(`/jobs/${draftId}`, { headers: HTML })).status).toBe(404)
  const page = await site.board.get(`/jobs/${draftId}`, asAdmin())
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const html = await page.text()
  expect(textsOf(html, 'h1')).toEqual(['Only a title'])
  expect(textsOf(html, '.banner')).toEqual(['This job is a draft.'])
})
