import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { BASE_URL, TestBoard } from '../helpers/board.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { png } from '../helpers/pictures.ts'
import { createReferences, jobBody } from '../helpers/references.ts'
import { HTML, Website } from '../helpers/website.ts'

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(1)</script>'{{7*7}}{% raw %}`

let site: Website
beforeAll(async () => {
  site = await Website.open()
})
afterAll(() => site.board.close())

describe('a posting', () => {
  test('shows the job, other jobs of the company, and where to apply', async () => {
    const id = await site.post({ title: 'Porter', company: 'Sundown Ltd', description: '# Hello\n\n**you**' })
    const other = await site.post({ title: 'Driver', company: 'SUNDOWN Ltd' })
    const html = await site.page(`/jobs/${id}`)
    expect(textsOf(html, 'h1')).toEqual(['Porter'])
    expect(textsOf(html, '.prose h2')).toEqual(['Hello'])
    expect(textsOf(html, '.prose strong')).toEqual(['you'])
    expect(valuesOf(html, '.more[aria-labelledby=more] .card a', 'href')).toEqual([`/jobs/${other}`])
    // beside the text, and again at its end
    const applyLinks = valuesOf(html, '.apply a', 'href')
    expect(applyLinks).toHaveLength(2)
    expect(new Set(applyLinks)).toEqual(new Set([`/jobs/${id}/apply`]))
    expect(new Set(valuesOf(html, '.apply a', 'rel'))).toEqual(new Set(['nofollow noopener external']))
    expect(valuesOf(html, 'link[rel=canonical]', 'href')).toEqual([`${BASE_URL}/jobs/${id}`])
    const job = (await (await site.board.get(`/jobs/${id}.json`)).json()) as { preview_image_url: string }
    expect(valuesOf(html, 'meta[property="og:image"]', 'content')).toEqual([job.preview_image_url])
    expect(valuesOf(html, 'meta[name=description]', 'content')).toEqual(['Hello you'])
  })

  test('shows place, salary and workplace below the title, and can be shared', async () => {
    const salary = { salary: 30, salary_currency: 'EUR', salary_period: 'hourly' }
    const id = await site.post({ title: 'Welder', location: 'US, KY,', arrangement: 'onsite', ...salary })
    const html = await site.page(`/jobs/${id}`)
    expect(textsOf(html, 'article header .facts li')).toEqual(['Kentucky, US', '€30 an hour', 'On-site'])
    expect(valuesOf(html, '.share a', 'href')).toEqual([
      `${BASE_URL}/jobs/${id}`,
      expect.stringMatching(/^mailto:\?subject=Welder%20at%20.*&amp;body=https?%3A/),
    ])
  })

  test('links to all jobs of its company and category, but not of an unnamed company', async () => {
    const ids = []
    for (const company of ['Kiln', 'Kiln', 'Kiln', 'Kiln', 'Kiln', 'Confidential', 'Confidential'])
      ids.push(await site.post({ company, category_id: site.references.other }))
    const html = await site.page(`/jobs/${ids[0]}`)
    expect(textsOf(html, '.more[aria-labelledby=more] .card')).toHaveLength(3)
    expect(textsOf(html, '.more > p a')).toEqual([
      'All 5 jobs at Kiln',
      expect.stringMatching(/^All \d+ jobs in /),
    ])
    expect(valuesOf(html, '.more > p a', 'href')[0]).toBe('/?company=Kiln')
    const unnamed = await site.page(`/jobs/${ids[5]}`)
    expect(textsOf(unnamed, '.more h2').join()).not.toContain('Confidential')
    expect(textsOf(unnamed, '.more > p a')).toHaveLength(1)
    for (const id of ids) await site.board.delete(`/jobs/${id}.json`, { as: site.owner })
  })

  test('of hostile text is harmless on every page and feed', async () => {
    const fields = {
      company: HOSTILE,
      location: HOSTILE,
      description: `${HOSTILE}\n\n[x](javascript:alert(1))`,
    }
    const id = await site.post({ ...fields, title: HOSTILE.slice(0, 64) })
    for (const path of [`/jobs/${id}`, '/', `/?q=${encodeURIComponent(HOSTILE)}`, `/jobs/999999`]) {
      const html = await (await site.board.get(path, { headers: HTML })).text()
      expect(valuesOf(html, 'script', 'src').filter(Boolean)).toHaveLength(1)
      expect(valuesOf(html, 'script:not([src]):not([type="application/ld+json"])', 'src')).toEqual([])
      expect(valuesOf(html, 'img', 'onerror').filter(Boolean)).toEqual([])
      expect(valuesOf(html, '[href^="javascript:"]', 'href')).toEqual([])
      expect(html).not.toMatch(/<script>|<img src=x/)
    }
    expect(textsOf(await site.page(`/jobs/${id}`), 'header .facts li')[0]).toContain('{{7*7}}{% raw %}')
    const feed = await (await site.board.get('/feed.xml')).text()
    expect(feed).not.toMatch(/<script|<img/)
  })

  test("has structured data that can't end its script element", async () => {
    const title = '</script><!--<script>&amp;'
    const id = await site.post({ title, description: `${title}\u2028`, company: title })
    const [json = ''] = textsOf(await site.page(`/jobs/${id}`), 'script[type="application/ld+json"]')
    expect(JSON.parse(json)).toMatchObject({
      title,
      description: '<p>&lt;/script&gt;&lt;!--&lt;script&gt;&amp;\u2028</p>\n',
      hiringOrganization: { name: title },
    })
  })

  test('loads its logo from the host of the page', async () => {
    const body = formOf({ ...jobBody(site.references, { title: 'Painter' }), logo: logoFile(png(8, 8)) })
    const response = await site.board.post('/jobs.json', { as: site.owner, body })
    const { id, logo } = (await response.json()) as { id: number; logo: string }
    expect(valuesOf(await site.page(`/jobs/${id}`), 'img.logo', 'src')).toEqual([logo.slice(BASE_URL.length)])
    expect(valuesOf(await site.page('/?q=painter'), '.card img.logo', 'src')).toEqual([
      logo.slice(BASE_URL.length),
    ])
  })

  test('is 410 with similar jobs if it expired, and 404 if it never existed', async () => {
    const id = await site.post({
      title: 'Short stay',
      plan_id: site.references.brief,
      category_id: site.references.other,
    })
    const alike = await site.post({ title: 'Long stay', category_id: site.references.other })
    expect(textsOf(await site.page(`/jobs/${id}`), 'h1')).toEqual(['Short stay'])
    site.board.clock.now += DAY
    const html = await site.page(`/jobs/${id}`, 410)
    expect(valuesOf(html, '.more .card a', 'href')).toEqual([`/jobs/${alike}`])
    expect(html).not.toContain('Short stay')
    expect(textsOf(await site.page('/'), '.card h2 a')).not.toContain('Short stay')
    expect((await site.board.get(`/jobs/${id}`)).status).toBe(410)
    expect((await site.board.get(`/jobs/${id}`, { as: site.owner })).status).toBe(200)
    expect((await site.board.get(`/jobs/${id}.json`)).status).toBe(404)
    const missing = await site.page('/jobs/999999', 404)
    expect(textsOf(missing, '.more .card')).not.toBeEmpty()
  })

  test('that is pending is visible to its owner only', async () => {
    const reviewedBoard = await TestBoard.open('--approve', 'all')
    const account = await reviewedBoard.account('owner@example.com')
    await reviewedBoard.post('/jobs.json', {
      as: account,
      body: jobBody(await createReferences(reviewedBoard)),
    })
    const [strangerResponse, ownerResponse] = [
      await reviewedBoard.get('/jobs/1'),
      await reviewedBoard.get('/jobs/1', { as: account }),
    ]
    const [list, map] = [
      await (await reviewedBoard.get('/')).text(),
      await (await reviewedBoard.get('/sitemap.xml')).text(),
    ]
    await reviewedBoard.close()
    expect([strangerResponse.status, ownerResponse.status]).toEqual([404, 200])
    expect(ownerResponse.headers.get('cache-control')).toBe('private, no-store')
    expect(textsOf(list, '.card')).toEqual([])
    expect(map).not.toContain('/jobs/')
  })
})

test('administrators see the jobs without structured data, and what is missing', async () => {
  const remote = await site.post({ location: 'Anywhere' })
  const onsite = await site.post({ location: 'Atlanta, GA', arrangement: 'onsite' })
  const response = await site.board.get('/structured-data.json?per_page=2', { as: site.admin })
  const jobs = (await response.json()) as { id: number; missing: string[] }[]
  expect(jobs.map(({ id, missing }) => [id, missing])).toEqual([
    [onsite, ['jobLocation.address.addressCountry']],
    [remote, ['applicantLocationRequirements']],
  ])
  expect((await site.board.get('/structured-data.json', { as: site.owner })).status).toBe(403)
  expect((await site.board.get('/structured-data.json')).status).toBe(401)
})
