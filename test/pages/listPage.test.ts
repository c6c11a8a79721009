import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BASE_URL, TestBoard } from '../helpers/board.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { createReferences, jobBody } from '../helpers/references.ts'
import { Website } from '../helpers/website.ts'

let site: Website
beforeAll(async () => {
  site = await Website.open()
})
afterAll(() => site.board.close())

describe('the list', () => {
  test('shows the jobs with their main facts, pinned ones first and marked', async () => {
    const plain = await site.post({
      title: 'Carer',
      salary: 120_000,
      salary_currency: 'EUR',
      salary_period: 'yearly',
    })
    const best = await site.post({
      title: 'Matron',
      plan_id: site.references.featured,
      arrangement: 'hybrid',
    })
    await site.post({ title: 'Cook' })
    const html = await site.page('/')
    expect(valuesOf(html, '.card a', 'href').slice(0, 1)).toEqual([`/jobs/${best}`])
    expect(textsOf(html, '.card.highlighted .badge')).toEqual(['Featured'])
    expect(valuesOf(html, '.card a', 'href')).toContain(`/jobs/${plain}`)
    expect(textsOf(html, 'data')).toEqual(['€120,000 a year'])
    expect(textsOf(html, '.card time')[0]).toBe('10 Jan 2026')
    expect(textsOf(html, 'span.logo')[0]).toBe('HH')
    expect(textsOf(html, 'title')).toEqual(['Board &amp; &lt;Co&gt;'])
  })

  test.each([
    ['?q=matron', ['Matron']],
    ['?q=matrno', ['Matron']],
    ['?arrangement=hybrid', ['Matron']],
    ['?arrangement=onsite', []],
    ['?q=cook&category=1&term=1&arrangement=remote', ['Cook']],
    ['?category=999', []],
    ['?q=++&category=&term=', ['Matron', 'Cook', 'Carer']],
    ['?page=2', []],
    ['?utm_source=x&status=all&mine=true&per_page=1', ['Matron', 'Cook', 'Carer']],
  ])('for %s has %p', async (query, titles) => {
    expect(textsOf(await site.page(`/${query}`), '.card h2 a')).toEqual(titles)
  })

  test.each(['/?category=999', '/?q=zzzz', '/?arrangement=onsite'])(
    'says that nothing matches: %s',
    async path => {
      expect(textsOf(await site.page(path), 'h1')).toEqual(['No jobs found'])
    },
  )

  test('describes the search, with a link for each criterion that removes it', async () => {
    const html = await site.page('/?q=cook&arrangement=remote&term=1&category=1')
    expect(textsOf(html, 'h1')).toEqual(['1 remote full-time job in Care &amp; &lt;Cure&gt; matching “cook”'])
    expect(textsOf(html, '.chips bdi')).toEqual(['“cook”', 'Care &amp; &lt;Cure&gt;', 'Full-time', 'Remote'])
    expect(valuesOf(html, '.chips li:first-child a', 'href')).toEqual([
      '/?category=1&amp;term=1&amp;arrangement=remote',
    ])
    expect(textsOf(html, '.filters summary')).toEqual(['Filters (3)'])
    expect(textsOf(await site.page('/'), 'h1')).toEqual(['3 open jobs'])
  })

  test('without results offers a wider search, its feed and similar jobs', async () => {
    const html = await site.page('/?q=cook&arrangement=hybrid')
    expect(textsOf(html, '.offers li a')).toEqual([
      '1 hybrid job',
      '1 job matching “cook”',
      'See all jobs',
      'subscribe to its RSS feed',
    ])
    expect(valuesOf(html, '.offers li a', 'href')).toContain('/feed.xml?q=cook&amp;arrangement=hybrid')
    expect(textsOf(html, '.card h3 a')).toEqual(['Matron'])
  })

  test('has the jobs of one company, also in its feed', async () => {
    const id = await site.post({ title: 'Baker', company: 'Oven & Sons', location: 'US, , NEW YORK' })
    const html = await site.page('/?company=OVEN+%26+Sons')
    expect(textsOf(html, '.card h2 a')).toEqual(['Baker'])
    expect(textsOf(html, '.card bdi')).toEqual(['Oven &amp; Sons', 'New York, US'])
    expect(textsOf(html, 'h1')).toEqual(['1 job at OVEN &amp; Sons'])
    const [feed = ''] = valuesOf(html, '[data-feed]', 'href')
    expect(await (await site.board.get(feed.replace('&amp;', '&'))).text()).toContain(`/jobs/${id}<`)
    await site.board.delete(`/jobs/${id}.json`, { as: site.owner })
  })

  test('shows the number of results of each choice', async () => {
    const html = await site.page('/?arrangement=hybrid')
    expect(textsOf(html, 'select[name=category] option')).toEqual(['Any', 'Care &amp; &lt;Cure&gt; (1)'])
    expect(textsOf(html, 'select[name=arrangement] option')).toEqual(['Any', 'Remote (2)', 'Hybrid (1)'])
    expect(textsOf(html, 'select[name=arrangement] option[selected]')).toEqual(['Hybrid (1)'])
  })

  test('keeps the query in its form, feeds and canonical URL', async () => {
    const html = await site.page(`/?page=1&q=${encodeURIComponent('"cook"')}&x=y&category=1`)
    expect(valuesOf(html, 'input[name=q]', 'value')).toEqual(['&#34;cook&#34;'])
    expect(valuesOf(html, 'link[rel=canonical]', 'href')).toEqual([
      `${BASE_URL}/?q=%22cook%22&amp;category=1`,
    ])
    expect(valuesOf(html, 'link[rel=alternate]', 'href')).toEqual([
      '/feed.xml?q=%22cook%22&amp;category=1',
      '/feed.json?q=%22cook%22&amp;category=1',
    ])
    expect(valuesOf(html, 'meta[name=robots]', 'content')).toEqual(['noindex'])
    expect(valuesOf(await site.page('/'), 'meta[name=robots]', 'content')).toEqual([])
  })

  test.each([
    ['/?term=x', 'Employment type', 'must be a whole number'],
    ['/?page=0', 'Page', 'must be from 1'],
    [`/?q=${'x'.repeat(257)}`, 'Search', 'is too long'],
    ['/?arrangement=moon', 'Workplace', 'must be one of'],
  ])('explains what is wrong with %s', async (path, label, message) => {
    const html = await site.page(path, 422)
    expect(textsOf(html, 'main li strong')).toEqual([label])
    expect(textsOf(html, 'main li').join('')).toContain(message)
    expect(
      (await site.board.get(path, { headers: { accept: 'application/json' } })).headers.get('content-type'),
    ).toBe('application/json')
  })

  test('is cached until something changes, with an ETag', async () => {
    const first = await site.board.get('/?q=surgeon')
    const tag = first.headers.get('etag') ?? ''
    expect((await site.board.get('/?q=surgeon', { headers: { 'if-none-match': tag } })).status).toBe(304)
    const id = await site.post({ title: 'Surgeon' })
    const second = await site.board.get('/?q=surgeon', { headers: { 'if-none-match': tag } })
    expect(second.status).toBe(200)
    expect(textsOf(await second.text(), '.card h2 a')).toEqual(['Surgeon'])
    await site.board.delete(`/jobs/${id}.json`, { as: site.owner })
    expect(textsOf(await site.page('/?q=surgeon'), '.card h2 a')).toEqual([])
    expect((await site.board.get('/?q=surgeon')).headers.get('etag')).toBe(tag)
  })

  test('has pages of 25 jobs, of at most 20 KB', async () => {
    const large = await TestBoard.open()
    const account = await large.account('owner@example.com')
    const body = jobBody(await createReferences(large), { description: 'x '.repeat(2000) })
    for (let count = 0; count < 51; count++) await large.post('/jobs.json', { as: account, body })
    const response = await large.get('/?page=2')
    const html = await response.text()
    await large.close()
    expect(textsOf(html, '.card h2 a')).toHaveLength(25)
    expect(Buffer.byteLength(html)).toBeLessThan(20_000)
    expect(textsOf(html, '.pager a')).toEqual(['Previous', '1', '2', '3', 'Next'])
    expect(valuesOf(html, '.pager a', 'href')).toEqual(['/', '/', '/?page=2', '/?page=3', '/?page=3'])
    expect(textsOf(html, '.pager [aria-current]')).toEqual(['2'])
  })
})
