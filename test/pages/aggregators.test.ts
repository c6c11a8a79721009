import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { DAY } from '../../src/base/clock.ts'
import { BASE_URL, TestBoard } from '../helpers/board.ts'
import { Website } from '../helpers/website.ts'

const FEEDS = ['/feed/indeed.xml', '/feed/linkedin.xml', '/feed/jooble.xml']
const STRANGE = 'Cook\u0001 & <b>baker</b> \ufffe 😀 ]]> משרה'

type Texts = Record<string, string | undefined>

let site: Website
let nurse: number
let baker: number

beforeAll(async () => {
  site = await Website.open()
  nurse = await site.post({
    title: 'Nurse',
    description: 'We **care**.\n\n- Four days',
    location: 'Austin, TX',
    salary: 2400,
    salary_currency: 'EUR',
    arrangement: 'hybrid',
  })
  const body = { expires_at: '2026-02-09T18:21:59Z' }
  await site.board.put(`/jobs/${nurse}.json`, { as: site.admin, body })
  site.board.clock.now += DAY
  baker = await site.post({
    title: 'Cook & baker ]]>',
    description: STRANGE,
    location: 'By the sea',
    category_id: site.references.other,
    application_type: 'email',
    application_email: 'cook@example.org',
  })
})
afterAll(() => site.board.close())

/** Reads a feed, and returns its own elements and those of its jobs. */
async function read(path: string) {
  const response = await site.board.get(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const document = Bun.XML.parse(await response.text()) as unknown as Record<string, Record<string, unknown>>
  const [root] = Object.values(document)
  const { job = [], ...feed } = root ?? {}
  return { feed: feed as Texts, jobs: [job].flat() as Texts[] }
}

const idsIn = async (path: string) => (await read(path)).jobs.map(job => Number(job['referencenumber']))

describe('the format of', () => {
  test('Indeed', async () => {
    const { feed, jobs } = await read('/feed/indeed.xml')
    expect(feed).toEqual({
      publisher: 'Board & <Co>',
      publisherurl: `${BASE_URL}/`,
      lastBuildDate: 'Sun, 11 Jan 2026 18:21:59 GMT',
    })
    expect(jobs[1]).toEqual({
      title: 'Nurse',
      date: '2026-01-10T18:21:59Z',
      referencenumber: String(nurse),
      requisitionid: String(nurse),
      url: `${BASE_URL}/jobs/${nurse}`,
      company: 'Harbour Hospice',
      sourcename: 'Harbour Hospice',
      city: 'Austin',
      state: 'TX',
      country: 'US',
      description: '<p>We <strong>care</strong>.</p>\n<ul>\n<li>Four days</li>\n</ul>\n',
      salary: '€2,400 a month',
      jobtype: 'fulltime',
      category: 'Care & <Cure>',
      expirationdate: '2026-02-09T18:21:59Z',
      remotetype: 'Hybrid remote',
    })
    expect(jobs[0]).toMatchObject({
      city: 'By the sea',
      email: 'cook@example.org',
      remotetype: 'Fully remote',
    })
  })

  test('LinkedIn', async () => {
    const { feed, jobs } = await read('/feed/linkedin.xml')
    expect(feed).toMatchObject({ publisherUrl: `${BASE_URL}/`, expectedJobCount: '2' })
    const amount = { amount: '2400', currencyCode: 'EUR' }
    expect(jobs[1] as unknown).toEqual({
      partnerJobId: String(nurse),
      company: 'Harbour Hospice',
      title: 'Nurse',
      description: expect.stringContaining('<strong>care</strong>'),
      applyUrl: `${BASE_URL}/jobs/${nurse}/apply`,
      location: 'Austin, TX',
      city: 'Austin',
      state: 'TX',
      country: 'US',
      workplaceTypes: 'Hybrid',
      jobtype: 'FULL_TIME',
      listDate: '2026-01-10T18:21:59Z',
      expirationDate: '2026-02-09T18:21:59Z',
      salaries: { salary: { highEnd: amount, lowEnd: amount, period: 'MONTHLY', type: 'BASE_SALARY' } },
    })
    // A browser can't follow a redirect to an address for e-mail.
    expect(jobs[0]?.['applyUrl']).toBe(`${BASE_URL}/jobs/${baker}`)
  })

  test('Jooble', async () => {
    const { jobs } = await read('/feed/jooble.xml')
    expect(jobs[1]).toMatchObject({
      '@id': String(nurse),
      link: `${BASE_URL}/jobs/${nurse}`,
      name: 'Nurse',
      region: 'Austin, TX',
      company: 'Harbour Hospice',
      salary: '€2,400 a month',
      jobtype: 'Full-time',
      pubdate: '10.01.2026',
      updated: '10.01.2026',
      expire: '09.02.2026',
    })
  })
})

describe.each(FEEDS)('%s', path => {
  test('is valid XML whatever the jobs contain', async () => {
    const [job] = (await read(path)).jobs
    expect(job?.['title'] ?? job?.['name']).toBe('Cook & baker ]]>')
    expect(job?.['description']).toBe('<p>Cook &amp; &lt;b&gt;baker&lt;/b&gt;  😀 ]]&gt; משרה</p>\n')
  })

  test('has an ETag, which changes with its jobs', async () => {
    const before = await site.board.get(path)
    const tag = before.headers.get('etag') ?? ''
    await before.body?.cancel()
    const again = await site.board.get(path, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const draft = await site.post({ title: `New in ${path}` })
    expect((await site.board.get(path, { headers: { 'if-none-match': tag } })).status).toBe(200)
    await site.board.delete(`/jobs/${draft}.json`, { as: site.owner })
  })

  test('can be compressed, and has no body for HEAD', async () => {
    const zipped = await site.board.get(path, { headers: { 'accept-encoding': 'gzip, zstd' } })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    const text = gunzipSync(await zipped.bytes()).toString()
    expect(text).toBe(await (await site.board.get(path)).text())
    const head = await site.board.request('HEAD', path)
    expect([head.status, await head.text(), head.headers.has('etag')]).toEqual([200, '', true])
  })
})

describe('the jobs of a feed', () => {
  test('match the filters of lists', async () => {
    expect(await idsIn(`/feed/indeed.xml?category=${site.references.other}`)).toEqual([baker])
    expect(await idsIn('/feed/indeed.xml?category=999')).toEqual([])
    expect(await idsIn('/feed/indeed.xml?q=nurse')).toEqual([nurse])
    expect(await idsIn('/feed/indeed.xml?arrangement=hybrid')).toEqual([nurse])
    expect(await idsIn('/feed/indeed.xml?company=harbour+HOSPICE')).toEqual([baker, nurse])
    expect((await site.board.get('/feed/indeed.xml?sources=none')).status).toBe(422)
  })

  test('come from elsewhere only with sources=all', async () => {
    const { store } = site.board.board
    const id = await store.write(({ jobs }) => {
      const job = jobs.get(nurse)
      if (!job) throw new Error('there is no job')
      const { id: _, ...columns } = job
      return jobs.insert({ ...columns, source: 'ats', externalId: 'R-7' }).id
    })
    expect(await idsIn('/feed/indeed.xml')).not.toContain(id)
    expect((await read('/feed/linkedin.xml')).feed['expectedJobCount']).toBe('2')
    const all = (await read('/feed/indeed.xml?sources=all')).jobs
    expect(all.find(job => job['referencenumber'] === String(id))?.['requisitionid']).toBe('R-7')
    await store.write(({ jobs }) => void jobs.remove(id))
  })

  test('are those that are active when their turn comes', async () => {
    for (const title of ['Long', 'Longer']) await site.post({ title, description: 'x'.repeat(60_000) })
    const reader = (await site.board.get('/feed/indeed.xml')).body?.getReader()
    let text = Buffer.from((await reader?.read())?.value ?? '').toString()
    await site.board.put(`/jobs/${nurse}/close.json`, { as: site.owner })
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      text += Buffer.from(next.value).toString()
    const titles = [...text.matchAll(/<title><!.CDATA.(.*?)]/g)].map(([, title]) => title)
    expect(titles).toEqual(['Longer', 'Long', 'Cook & baker '])
    expect(text.endsWith('</source>\n')).toBe(true)
  })
})

test('without pages there are no feeds', async () => {
  const board = await TestBoard.open('--pages', 'off')
  expect((await board.get('/feed/indeed.xml')).status).toBe(404)
  await board.close()
})
