import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TestBoard } from '../helpers/board.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { BROWSER } from '../helpers/visitors.ts'
import { HTML, Website } from '../helpers/website.ts'

/** A mail server that doesn't respond: these tests send no mail. */
const WITH_MAIL = ['--smtp-url', 'smtp://127.0.0.1:9', '--mail-from', 'board@example.com']

let site: Website
beforeAll(async () => {
  site = await Website.open()
})
afterAll(() => site.board.close())

describe('the form for subscribers', () => {
  const subscribe = (email: string, headers: Record<string, string>, path = '/subscribe') =>
    site.board.post(path, { body: new URLSearchParams({ email }), headers })

  test('posts an address, and gets a page', async () => {
    const html = await site.page('/subscribe')
    expect(valuesOf(html, 'main form', 'action')).toEqual(['/subscribe'])
    expect(valuesOf(html, 'main form input', 'name')).toEqual(['email'])
    const response = await subscribe('a@example.com', HTML)
    expect([response.status, response.headers.get('content-type')]).toEqual([202, 'text/html; charset=utf-8'])
    expect(textsOf(await response.text(), 'h1')[0]).toContain('Thanks. An administrator')
  })

  test.each([
    { flags: [], sentence: 'An administrator will confirm your address first.' },
    { flags: WITH_MAIL, sentence: "We'll e-mail you a confirmation link first." },
  ])('says how an address is confirmed with the options $flags', async ({ flags, sentence }) => {
    const other = await TestBoard.open(...flags)
    const html = await (await other.get('/subscribe', { headers: HTML })).text()
    await other.close()
    expect(html).toContain(`by e-mail. ${sentence} Unsubscribe at any time.`)
  })

  test('is shown again with its errors', async () => {
    const response = await subscribe('<script>', HTML)
    const html = await response.text()
    expect(response.status).toBe(422)
    expect(textsOf(html, 'main li strong')).toEqual(['E-mail address'])
    expect(valuesOf(html, 'main form', 'action')).toEqual(['/subscribe'])
    expect(html).not.toContain('<script>')
  })

  test('of an older template, which posts to the API, gets the same page', async () => {
    const response = await subscribe('old@example.com', HTML, '/subscribers.json')
    expect(textsOf(await response.text(), 'h1')[0]).toContain('Thanks. An administrator')
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
    ['/nothing', HTML, 404, 'text/html; charset=utf-8'],
    ['/nothing', {}, 404, 'application/json'],
    ['/nothing', { accept: '*/*' }, 404, 'application/json'],
    ['/nothing.json', HTML, 404, 'application/json'],
    ['/jobs/999999', {}, 404, 'text/html; charset=utf-8'],
    ['/jobs/999999', { accept: 'application/json' }, 404, 'application/json'],
    ['/jobs/999999.json', HTML, 404, 'application/json'],
    ['/jobs/1.constructor', {}, 404, 'application/json'],
    ['/jobs/0', {}, 404, 'application/json'],
    ['/jobs/01', HTML, 404, 'text/html; charset=utf-8'],
    ['/pages/style.css', HTML, 404, 'application/json'],
    ['/?q=%ff', HTML, 400, 'text/html; charset=utf-8'],
    ['/feed.xml?term=x', HTML, 422, 'application/json'],
    ['/', { ...HTML, authorization: 'Basic eDp5' }, 401, 'text/html; charset=utf-8'],
  ])('for %s with %o gets its format', async (path, headers, status, type) => {
    const response = await site.board.get(path, { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
  })

  test.each([
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['PUT', '/jobs/1', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/jobs/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['POST', '/feed.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s gets the allowed methods', async (method, path, allow) => {
    const response = await site.board.request(method, path, { headers: HTML })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  })

  test('gets a policy without other hosts and inline scripts', async () => {
    const { headers } = await site.board.get('/')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('cache-control')).toBe('no-cache')
  })
})

describe("a page's files", () => {
  test('have names that change with their content, and are immutable', async () => {
    const html = await site.page('/')
    const paths = [
      ...valuesOf(html, 'link[rel=stylesheet], link[rel=icon], link[rel=preload]', 'href'),
      ...valuesOf(html, 'script', 'src'),
    ]
    expect(paths).toHaveLength(4)
    for (const path of paths) {
      const response = await site.board.get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const tag = response.headers.get('etag') ?? ''
      expect((await site.board.get(path, { headers: { 'if-none-match': tag } })).status).toBe(304)
    }
  })
})

describe('with --pages off', () => {
  let pageless: TestBoard
  beforeAll(async () => {
    pageless = await TestBoard.open('--pages', 'off')
    await pageless.account('admin@example.com', 'admin')
  })
  afterAll(() => pageless.close())

  test.each([
    '/',
    '/jobs/1',
    '/subscribe',
    '/feed.xml',
    '/feed.json',
    '/sitemap.xml',
    '/robots.txt',
    '/structured-data.json',
  ])('%s is 404 as JSON', async path => {
    const response = await pageless.get(path, { headers: HTML })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json'])
  })
})

describe('a visit', () => {
  const visitor = { ...HTML, 'user-agent': BROWSER }

  async function report(): Promise<Record<string, number>> {
    const response = await site.board.get('/analytics.json', { as: site.admin })
    return ((await response.json()) as { top_paths: Record<string, number> }).top_paths
  }

  test("to a page is counted, but not its script's requests while typing", async () => {
    const id = await site.post({ title: 'Ferryman' })
    await site.board.get('/?q=ferry', { headers: visitor })
    await site.board.get('/?q=ferryma', { headers: { ...visitor, 'sec-fetch-dest': 'empty' } })
    await site.board.get(`/jobs/${id}`, { headers: visitor })
    await site.board.get(`/jobs/${id}`, { headers: visitor, as: site.owner })
    expect(await report()).toEqual({ '/': 1, [`/jobs/${id}`]: 1 })
    const job = await (await site.board.get(`/jobs/${id}.json`, { as: site.owner })).json()
    expect(job).toMatchObject({ views: 1 })
  })
})
