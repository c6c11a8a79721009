import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { EncodedBody } from '../../src/http/response/encodedBody.ts'
import { type Account, BASE_URL, TestBoard } from '../helpers/board.ts'
import { createReferences, jobBody, type References } from '../helpers/references.ts'

let board: TestBoard
let owner: Account
let references: References
let strange: string

const STRANGE = 'Cook\u0001 & <b>baker</b> \ufffe 😀 ]]>'

beforeAll(async () => {
  board = await TestBoard.open('--name', 'Board & <Co>')
  owner = await board.account('owner@example.com')
  references = await createReferences(board)
  await post({ title: 'Matron', plan_id: references.featured })
  board.clock.now += DAY
  await post({ title: 'Nurse' })
  board.clock.now += DAY
  strange = await post({ title: 'Cook & <b>baker</b>', description: STRANGE, category_id: references.other })
})
afterAll(() => board.close())

/** Posts a job and returns the URL of its page. */
async function post(fields: object): Promise<string> {
  const response = await board.post('/jobs.json', { as: owner, body: jobBody(references, fields) })
  const { url } = (await response.json()) as { url: string }
  return url.replace(/\.json$/, '')
}

interface Item {
  title: string
  link: string
  guid: { '#text': string }
  pubDate: string
  category: string
  description: string
}

async function rss(query = '') {
  const response = await board.get(`/feed.xml${query}`)
  expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  const { rss: document } = Bun.XML.parse(await response.text()) as unknown as {
    rss: { channel: { title: string; link: string; item?: Item | Item[] } }
  }
  const { item = [], ...channel } = document.channel
  return { ...channel, items: [item].flat() }
}

async function jsonFeed(query = '') {
  const response = await board.get(`/feed.json${query}`)
  expect(response.headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
  return (await response.json()) as { feed_url: string; items: Record<string, unknown>[] }
}

describe('the RSS feed', () => {
  test('has the newest jobs first, regardless of pins', async () => {
    const { title, items } = await rss()
    expect(title).toBe('Board & <Co>')
    expect(items.map(item => item.title)).toEqual([
      'Cook & <b>baker</b> at Harbour Hospice',
      'Nurse at Harbour Hospice',
      'Matron at Harbour Hospice',
    ])
    expect(items[0]).toMatchObject({
      link: strange,
      category: 'Bees',
      pubDate: 'Mon, 12 Jan 2026 18:21:59 GMT',
    })
  })

  test('removes characters that are invalid in XML, and escapes the rest', async () => {
    const [item] = (await rss()).items
    expect(item?.description.trim()).toBe(
      `<p>Cook &amp; &lt;b&gt;baker&lt;/b&gt;  😀 ]]&gt;</p>\n<p><a href="${strange}/apply">Apply</a></p>`,
    )
  })

  test('exists for every search', async () => {
    expect((await rss('?q=nurse')).items.map(({ title }) => title)).toEqual(['Nurse at Harbour Hospice'])
    expect((await rss(`?category=${references.other}`)).items).toHaveLength(1)
    expect((await rss('?category=999')).items).toEqual([])
    expect((await rss('?q=a%26b')).link).toBe(`${BASE_URL}/?q=a%26b`)
  })
})

describe('the JSON feed', () => {
  test('has the same entries as the RSS feed, with authors', async () => {
    const { items } = await jsonFeed()
    expect(items[0]).toEqual({
      id: strange,
      url: strange,
      title: 'Cook & <b>baker</b> at Harbour Hospice',
      content_html: expect.stringContaining('&lt;b&gt;baker'),
      image: expect.stringContaining('.png'),
      date_published: '2026-01-12T18:21:59Z',
      date_modified: '2026-01-12T18:21:59Z',
      authors: [{ name: 'Harbour Hospice', url: 'https://harbour.example.org' }],
      tags: ['Bees', 'Full-time'],
    })
  })

  test('exists for every search', async () => {
    const { feed_url: url, items } = await jsonFeed('?page=3&q=nurse')
    expect(items).toHaveLength(1)
    expect(url).toBe(`${BASE_URL}/feed.json?q=nurse`)
  })
})

test.each(['/feed.xml', '/feed.json', '/sitemap.xml'])(
  '%s has an ETag, which changes with it',
  async path => {
    const before = await board.get(path)
    const tag = before.headers.get('etag') ?? ''
    expect((await board.get(path, { headers: { 'if-none-match': tag } })).status).toBe(304)
    board.clock.now += DAY
    await post({ title: `New at ${path}` })
    expect((await board.get(path, { headers: { 'if-none-match': tag } })).status).toBe(200)
  },
)

test('the sitemap has every open job and its last change', async () => {
  const response = await board.get('/sitemap.xml')
  const { urlset } = Bun.XML.parse(await response.text()) as {
    urlset: { url: { loc: string; lastmod: string }[] }
  }
  expect(urlset.url[0]?.loc).toBe(`${BASE_URL}/`)
  expect(urlset.url).toHaveLength(1 + board.board.jobIndex.active.length)
  expect(urlset.url).toContainEqual({ loc: strange, lastmod: '2026-01-12T18:21:59Z' })
})

test('robots.txt names the sitemap, and disallows redirects to applications', async () => {
  expect(await (await board.get('/robots.txt')).text()).toBe(
    `User-agent: *\nAllow: /\nDisallow: /jobs/*/apply\n\nSitemap: ${BASE_URL}/sitemap.xml\n`,
  )
})

test.each(['/feed.xml', '/feed.json'])('%s is refused while too many are made', async path => {
  const statusOf = async (q: string) => {
    const { status, headers } = await board.get(`${path}?q=${q}`)
    return `${status} ${headers.get('retry-after')}`
  }
  const statuses = await Promise.all(Array.from({ length: 300 }, (_, at) => statusOf(`nurse+flood${at}`)))
  expect(new Set(statuses)).toEqual(new Set(['200 null', '503 2']))
  expect(await statusOf('calm')).toBe('200 null')
})

test('few feeds are compressed at a time, so that the others take up no memory', async () => {
  await post({ title: 'Midwife', description: 'A long description. '.repeat(1000) })
  const compressed = Reflect.get(EncodedBody.prototype, 'compressed')
  let running = 0
  let most = 0
  const spy = spyOn(EncodedBody.prototype, 'compressed').mockImplementation(async function (
    this: EncodedBody,
    encoding,
  ) {
    most = Math.max(most, ++running)
    return await compressed.call(this, encoding).finally(() => running--)
  })
  const headers = { 'accept-encoding': 'gzip' }
  const paths = Array.from({ length: 20 }, (_, at) => `/feed.xml?q=midwife+turn${at}`)
  const responses = await Promise.all(paths.map(path => board.get(path, { headers }))).finally(() =>
    spy.mockRestore(),
  )
  expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200))
  expect(responses[0]?.headers.get('content-encoding')).toBe('gzip')
  expect(most).toBeWithin(1, 5)
})
