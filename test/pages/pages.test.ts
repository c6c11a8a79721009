import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { type Account, BASE_URL, TestBoard } from '../helpers/board.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { png } from '../helpers/pictures.ts'
import { createReferences, jobBody, type References } from '../helpers/references.ts'
import { BROWSER as VISITOR } from '../helpers/visitors.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
/** A mail server that doesn't respond: these tests send no mail. */
const WITH_MAIL = ['--smtp-url', 'smtp://127.0.0.1:9', '--mail-from', 'board@example.com']
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(1)</script>'{{7*7}}{% raw %}`

let board: TestBoard
let admin: Account
let owner: Account
let references: References

beforeAll(async () => {
  board = await TestBoard.open('--name', 'Board & <Co>')
  admin = await board.account('admin@example.com', 'admin')
  owner = await board.account('owner@example.com')
  references = await createReferences(board)
})
afterAll(() => board.close())

/** Posts a job and returns its id. */
async function post(fields: object = {}): Promise<number> {
  const response = await board.post('/jobs.json', { as: owner, body: jobBody(references, fields) })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}

async function page(path: string, status = 200): Promise<string> {
  const response = await board.get(path, { headers: BROWSER })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  return await response.text()
}

describe('the list', () => {
  test('shows the jobs with their main facts, pinned ones first and marked', async () => {
    const plain = await post({
      title: 'Carer',
      salary: 120_000,
      salary_currency: 'EUR',
      salary_period: 'yearly',
    })
    const best = await post({ title: 'Matron', plan_id: references.featured, arrangement: 'hybrid' })
    await post({ title: 'Cook' })
    const html = await page('/')
    expect(valuesOf(html, '.card a', 'href').slice(0, 1)).toEqual([`/jobs/${best}`])
    expect(textsOf(html, '.card.pinned.highlighted .mark')).toEqual(['Pinned', 'Featured'])
    expect(valuesOf(html, '.card a', 'href')).toContain(`/jobs/${plain}`)
    expect(textsOf(html, 'data')).toEqual(['€120,000 a year'])
    expect(textsOf(html, '.card time')[0]).toBe('10 January 2026')
    expect(textsOf(html, '.monogram')[0]).toBe('HH')
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
    expect(textsOf(await page(`/${query}`), '.card h2 a')).toEqual(titles)
  })

  test.each(['/?category=999', '/?q=zzzz', '/?arrangement=onsite'])(
    'says that nothing matches: %s',
    async path => {
      expect(textsOf(await page(path), '.none')[0]).toStartWith('No jobs match your search.')
    },
  )

  test('shows the number of results of each choice', async () => {
    const html = await page('/?arrangement=hybrid')
    expect(textsOf(html, 'select[name=category] option')).toEqual(['Any', 'Care &amp; &lt;Cure&gt; (1)'])
    expect(textsOf(html, 'select[name=arrangement] option')).toEqual(['Any', 'Remote (2)', 'Hybrid (1)'])
    expect(textsOf(html, 'select[name=arrangement] option[selected]')).toEqual(['Hybrid (1)'])
  })

  test('keeps the query in its form, feeds and canonical URL', async () => {
    const html = await page(`/?page=1&q=${encodeURIComponent('"cook"')}&x=y&category=1`)
    expect(valuesOf(html, 'input[name=q]', 'value')).toEqual(['&#34;cook&#34;'])
    expect(valuesOf(html, 'link[rel=canonical]', 'href')).toEqual([
      `${BASE_URL}/?q=%22cook%22&amp;category=1`,
    ])
    expect(valuesOf(html, 'link[rel=alternate]', 'href')).toEqual([
      '/feed.xml?q=%22cook%22&amp;category=1',
      '/feed.json?q=%22cook%22&amp;category=1',
    ])
    expect(valuesOf(html, 'meta[name=robots]', 'content')).toEqual(['noindex'])
    expect(valuesOf(await page('/'), 'meta[name=robots]', 'content')).toEqual([])
  })

  test.each([
    ['/?term=x', 'Employment type', 'must be a whole number'],
    ['/?page=0', 'Page', 'must be from 1'],
    [`/?q=${'x'.repeat(257)}`, 'Search', 'is too long'],
    ['/?arrangement=moon', 'Workplace', 'must be one of'],
  ])('explains what is wrong with %s', async (path, label, message) => {
    const html = await page(path, 422)
    expect(textsOf(html, 'main li strong')).toEqual([label])
    expect(textsOf(html, 'main li').join('')).toContain(message)
    expect(
      (await board.get(path, { headers: { accept: 'application/json' } })).headers.get('content-type'),
    ).toBe('application/json')
  })

  test('is cached until something changes, with an ETag', async () => {
    const first = await board.get('/?q=surgeon')
    const tag = first.headers.get('etag') ?? ''
    expect((await board.get('/?q=surgeon', { headers: { 'if-none-match': tag } })).status).toBe(304)
    const id = await post({ title: 'Surgeon' })
    const second = await board.get('/?q=surgeon', { headers: { 'if-none-match': tag } })
    expect(second.status).toBe(200)
    expect(textsOf(await second.text(), '.card h2 a')).toEqual(['Surgeon'])
    await board.delete(`/jobs/${id}.json`, { as: owner })
    expect(textsOf(await page('/?q=surgeon'), '.card h2 a')).toEqual([])
    expect((await board.get('/?q=surgeon')).headers.get('etag')).toBe(tag)
  })

  test('has pages of 25 jobs', async () => {
    const large = await TestBoard.open()
    const account = await large.account('owner@example.com')
    const body = jobBody(await createReferences(large), { description: 'x '.repeat(2000) })
    for (let count = 0; count < 51; count++) await large.post('/jobs.json', { as: account, body })
    const response = await large.get('/?page=2')
    const html = await response.text()
    await large.close()
    expect(textsOf(html, '.card h2 a')).toHaveLength(25)
    expect(Buffer.byteLength(html)).toBeLessThan(60_000)
    expect(valuesOf(html, '.pager a', 'href')).toEqual(['/', '/?page=3'])
    expect(textsOf(html, '.pager span')).toEqual(['Page 2 of 3'])
  })
})

describe('a posting', () => {
  test('shows the job, other jobs of the company, and where to apply', async () => {
    const id = await post({ title: 'Porter', company: 'Sundown Ltd', description: '# Hello\n\n**you**' })
    const other = await post({ title: 'Driver', company: 'SUNDOWN Ltd' })
    const html = await page(`/jobs/${id}`)
    expect(textsOf(html, 'h1')).toEqual(['Porter'])
    expect(textsOf(html, '.prose h2')).toEqual(['Hello'])
    expect(textsOf(html, '.prose strong')).toEqual(['you'])
    expect(valuesOf(html, '.more .card a', 'href')).toEqual([`/jobs/${other}`])
    expect(valuesOf(html, '.apply a', 'href')).toEqual(['https://harbour.example.org/apply'])
    expect(valuesOf(html, '.apply a', 'rel')).toEqual(['nofollow noopener external'])
    expect(valuesOf(html, 'link[rel=canonical]', 'href')).toEqual([`${BASE_URL}/jobs/${id}`])
    const job = (await (await board.get(`/jobs/${id}.json`)).json()) as { preview_image_url: string }
    expect(valuesOf(html, 'meta[property="og:image"]', 'content')).toEqual([job.preview_image_url])
    expect(valuesOf(html, 'meta[name=description]', 'content')).toEqual(['Hello you'])
  })

  test('links to any e-mail address for applications', async () => {
    const id = await post({
      title: 'A & B?',
      application_type: 'email',
      application_email: "o'neil+a&b?c=d%e@example.com",
    })
    const html = await page(`/jobs/${id}`)
    expect(valuesOf(html, '.apply a', 'href')).toEqual([
      'mailto:o&#39;neil%2Ba%26b%3Fc%3Dd%25e@example.com?subject=A%20%26%20B%3F',
    ])
  })

  test('of hostile text is harmless on every page and feed', async () => {
    const fields = {
      company: HOSTILE,
      location: HOSTILE,
      description: `${HOSTILE}\n\n[x](javascript:alert(1))`,
    }
    const id = await post({ ...fields, title: HOSTILE.slice(0, 64) })
    for (const path of [`/jobs/${id}`, '/', `/?q=${encodeURIComponent(HOSTILE)}`, `/jobs/999999`]) {
      const html = await (await board.get(path, { headers: BROWSER })).text()
      expect(valuesOf(html, 'script', 'src').filter(Boolean)).toHaveLength(1)
      expect(valuesOf(html, 'script:not([src]):not([type="application/ld+json"])', 'src')).toEqual([])
      expect(valuesOf(html, 'img', 'onerror').filter(Boolean)).toEqual([])
      expect(valuesOf(html, '[href^="javascript:"]', 'href')).toEqual([])
      expect(html).not.toMatch(/<script>|<img src=x/)
    }
    expect(textsOf(await page(`/jobs/${id}`), 'dd')[0]).toContain('{{7*7}}{% raw %}')
    const feed = await (await board.get('/feed.xml')).text()
    expect(feed).not.toMatch(/<script|<img/)
  })

  test("has structured data that can't end its script element", async () => {
    const title = '</script><!--<script>&amp;'
    const id = await post({ title, description: `${title}\u2028`, company: title })
    const [json = ''] = textsOf(await page(`/jobs/${id}`), 'script[type="application/ld+json"]')
    expect(JSON.parse(json)).toMatchObject({
      title,
      description: '<p>&lt;/script&gt;&lt;!--&lt;script&gt;&amp;\u2028</p>\n',
      hiringOrganization: { name: title },
    })
  })

  test('loads its logo from the host of the page', async () => {
    const body = formOf({ ...jobBody(references, { title: 'Painter' }), logo: logoFile(png(8, 8)) })
    const response = await board.post('/jobs.json', { as: owner, body })
    const { id, logo } = (await response.json()) as { id: number; logo: string }
    expect(valuesOf(await page(`/jobs/${id}`), 'img.logo', 'src')).toEqual([logo.slice(BASE_URL.length)])
    expect(valuesOf(await page('/?q=painter'), '.card img.logo', 'src')).toEqual([
      logo.slice(BASE_URL.length),
    ])
  })

  test('is 410 with similar jobs if it expired, and 404 if it never existed', async () => {
    const id = await post({ title: 'Short stay', plan_id: references.brief, category_id: references.other })
    const alike = await post({ title: 'Long stay', category_id: references.other })
    expect(textsOf(await page(`/jobs/${id}`), 'h1')).toEqual(['Short stay'])
    board.clock.now += DAY
    const html = await page(`/jobs/${id}`, 410)
    expect(valuesOf(html, '.more .card a', 'href')).toEqual([`/jobs/${alike}`])
    expect(html).not.toContain('Short stay')
    expect(textsOf(await page('/'), '.card h2 a')).not.toContain('Short stay')
    expect((await board.get(`/jobs/${id}`)).status).toBe(410)
    expect((await board.get(`/jobs/${id}`, { as: owner })).status).toBe(200)
    expect((await board.get(`/jobs/${id}.json`)).status).toBe(404)
    const missing = await page('/jobs/999999', 404)
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

describe('the form for subscribers', () => {
  const subscribe = (email: string, headers: Record<string, string>) =>
    board.post('/subscribers.json', { body: new URLSearchParams({ email }), headers })

  test('posts to the API, which returns a page to browsers', async () => {
    const html = await page('/subscribe')
    expect(valuesOf(html, 'main form', 'action')).toEqual(['/subscribers.json'])
    expect(valuesOf(html, 'main form input', 'name')).toEqual(['email'])
    const response = await subscribe('a@example.com', BROWSER)
    expect([response.status, response.headers.get('content-type')]).toEqual([202, 'text/html; charset=utf-8'])
    expect(textsOf(await response.text(), 'h1')[0]).toContain('Thanks. An administrator')
  })

  test.each([
    { flags: [], sentence: 'An administrator will confirm your address first.' },
    { flags: WITH_MAIL, sentence: "We'll e-mail you a confirmation link first." },
  ])('says how an address is confirmed with the options $flags', async ({ flags, sentence }) => {
    const other = await TestBoard.open(...flags)
    const html = await (await other.get('/subscribe', { headers: BROWSER })).text()
    await other.close()
    expect(html).toContain(`by e-mail. ${sentence} Unsubscribe at any time.`)
  })

  test('is shown again with its errors', async () => {
    const response = await subscribe('<script>', BROWSER)
    const html = await response.text()
    expect(response.status).toBe(422)
    expect(textsOf(html, 'main li strong')).toEqual(['E-mail address'])
    expect(valuesOf(html, 'main form', 'action')).toEqual(['/subscribers.json'])
    expect(html).not.toContain('<script>')
  })

  test.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
    'responds to %o in JSON',
    async headers => {
      const response = await subscribe('b@example.com', headers)
      expect([response.status, response.headers.get('content-type')]).toEqual([202, 'application/json'])
    },
  )
})

describe('a request', () => {
  test.each([
    ['/nothing', BROWSER, 404, 'text/html; charset=utf-8'],
    ['/nothing', {}, 404, 'application/json'],
    ['/nothing', { accept: '*/*' }, 404, 'application/json'],
    ['/nothing.json', BROWSER, 404, 'application/json'],
    ['/jobs/999999', {}, 404, 'text/html; charset=utf-8'],
    ['/jobs/999999', { accept: 'application/json' }, 404, 'application/json'],
    ['/jobs/999999.json', BROWSER, 404, 'application/json'],
    ['/jobs/1.constructor', {}, 404, 'application/json'],
    ['/jobs/0', {}, 404, 'application/json'],
    ['/jobs/01', BROWSER, 404, 'text/html; charset=utf-8'],
    ['/pages/style.css', BROWSER, 404, 'application/json'],
    ['/?q=%ff', BROWSER, 400, 'text/html; charset=utf-8'],
    ['/feed.xml?term=x', BROWSER, 422, 'application/json'],
    ['/', { ...BROWSER, authorization: 'Basic eDp5' }, 401, 'text/html; charset=utf-8'],
  ])('for %s with %o gets its format', async (path, headers, status, type) => {
    const response = await board.get(path, { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
  })

  test.each([
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['PUT', '/jobs/1', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/jobs/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['POST', '/feed.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s gets the allowed methods', async (method, path, allow) => {
    const response = await board.request(method, path, { headers: BROWSER })
    expect([405, 401]).toContain(response.status)
    if (response.status === 405) expect(response.headers.get('allow')).toBe(allow)
  })

  test('gets a policy without other hosts and inline scripts', async () => {
    const { headers } = await board.get('/')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('cache-control')).toBe('no-cache')
  })
})

describe("a page's files", () => {
  test('have names that change with their content, and are immutable', async () => {
    const html = await page('/')
    const paths = [
      ...valuesOf(html, 'link[rel=stylesheet], link[rel=icon]', 'href'),
      ...valuesOf(html, 'script', 'src'),
    ]
    expect(paths).toHaveLength(3)
    for (const path of paths) {
      const response = await board.get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const tag = response.headers.get('etag') ?? ''
      expect((await board.get(path, { headers: { 'if-none-match': tag } })).status).toBe(304)
    }
  })
})

test('administrators see the jobs without structured data, and what is missing', async () => {
  const remote = await post({ location: 'Anywhere' })
  const onsite = await post({ location: 'Atlanta, GA', arrangement: 'onsite' })
  const response = await board.get('/structured-data.json?per_page=2', { as: admin })
  const jobs = (await response.json()) as { id: number; missing: string[] }[]
  expect(jobs.map(({ id, missing }) => [id, missing])).toEqual([
    [onsite, ['jobLocation.address.addressCountry']],
    [remote, ['applicantLocationRequirements']],
  ])
  expect((await board.get('/structured-data.json', { as: owner })).status).toBe(403)
  expect((await board.get('/structured-data.json')).status).toBe(401)
})

test.each([
  '/',
  '/jobs/1',
  '/subscribe',
  '/feed.xml',
  '/feed.json',
  '/sitemap.xml',
  '/robots.txt',
  '/structured-data.json',
])('with --pages off %s is 404 as JSON', async path => {
  const pagelessBoard = await TestBoard.open('--pages', 'off')
  await pagelessBoard.account('admin@example.com', 'admin')
  const response = await pagelessBoard.get(path, { headers: BROWSER })
  await pagelessBoard.close()
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json'])
})

describe('a visit', () => {
  const visitor = { ...BROWSER, 'user-agent': VISITOR }

  async function report(): Promise<Record<string, number>> {
    const response = await board.get('/analytics.json', { as: admin })
    return ((await response.json()) as { top_paths: Record<string, number> }).top_paths
  }

  test("to a page is counted, but not its script's requests while typing", async () => {
    const id = await post({ title: 'Ferryman' })
    await board.get('/?q=ferry', { headers: visitor })
    await board.get('/?q=ferryma', { headers: { ...visitor, 'sec-fetch-dest': 'empty' } })
    await board.get(`/jobs/${id}`, { headers: visitor })
    await board.get(`/jobs/${id}`, { headers: visitor, as: owner })
    expect(await report()).toEqual({ '/': 1, [`/jobs/${id}`]: 1 })
    const job = await (await board.get(`/jobs/${id}.json`, { as: owner })).json()
    expect(job).toMatchObject({ views: 1 })
  })
})
