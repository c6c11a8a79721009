import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Listener } from '../../src/server/listener.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { listen } from '../helpers/rawConnection.ts'

let fixture: FixtureBoard
let listener: Listener
let url: string

beforeAll(async () => {
  fixture = await openFixtureBoard()
  // more than Bun buffers of a response
  await insertJobs(fixture.test.board, [
    { title: 'Long read', description: 'word '.repeat(5000) },
    ...Array.from({ length: 30 }, (_, at) => ({
      title: `Wide World Web Window Worker Number ${at}`,
      company: 'Wide World Web Windows',
    })),
  ])
  listener = listen(fixture.test)
  url = `http://127.0.0.1:${listener.port}`
})
afterAll(async () => {
  await listener.drain()
  await fixture.test.close()
})

const ask = (path: string) => fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
const LIST = '/jobs.json'
const SEARCH = '/jobs.json?q=long'

test('a list is sent at once, with its length', async () => {
  const { headers } = await ask(LIST)
  expect(Number(headers.get('content-length'))).toBeGreaterThan(25_000)
})

test('a new search is chunked, a cached one has a length, and both have the same content', async () => {
  const fresh = await ask(SEARCH)
  expect(fresh.headers.get('transfer-encoding')).toBe('chunked')
  await (await ask(SEARCH)).text()
  const cached = await ask(SEARCH)
  expect(cached.headers.get('transfer-encoding')).toBeNull()
  const text = await fresh.text()
  expect(text.length).toBeGreaterThan(25_000)
  expect(await cached.text()).toBe(text)
})

test.each(['identity', 'gzip', 'zstd'])('a search has the JSON of each job, sent as %s', async encoding => {
  // Sending a long job on its own changes the form in which it is kept.
  const found = (await (await ask(`${LIST}?q=long+wide`)).json()) as { id: number }[]
  const alone = await Promise.all(found.map(async ({ id }) => (await ask(`/jobs/${id}.json`)).text()))
  expect(alone.some(json => json.length > 25_000)).toBeTrue()
  const path = `${LIST}?q=long+${encoding}+wide+web`
  for (const attempt of ['new', 'repeated', 'cached']) {
    const response = await fetch(url + path, { headers: { 'accept-encoding': encoding } })
    const text = await response.text()
    expect(text, attempt).toBe(JSON.stringify(JSON.parse(text)))
    for (const json of alone) expect(text).toContain(json)
  }
})

test.each(['/feed.json?q=long', '/feed.xml?q=long', '/?q=wide', '/jobs/2.png', '/docs'])(
  '%s is chunked while it is new',
  async path => {
    const response = await ask(path)
    expect(response.headers.get('transfer-encoding')).toBe('chunked')
    expect((await response.bytes()).length).toBeGreaterThan(12_000)
  },
)

test('a logo, which is read from its file, is chunked', async () => {
  const noise = png(256, 256, (x, y) => [(x * 37 + y * 91) % 256, (x * y) % 256, (x * 113) % 256, 255])
  const body = formOf({ logo: logoFile(noise) })
  const { authorization } = fixture.admin
  const changed = await fetch(`${url}/jobs/3.json`, { method: 'PUT', headers: { authorization }, body })
  const { logo } = (await changed.json()) as { logo: string }
  const response = await ask(new URL(logo).pathname)
  expect(response.headers.get('transfer-encoding')).toBe('chunked')
  expect((await response.bytes()).length).toBeGreaterThan(12_000)
})

test('the response to an update is chunked', async () => {
  const { authorization } = fixture.admin
  // hashes the password, so that the next request doesn't
  await fetch(`${url}/users.json`, { headers: { authorization } })
  const response = await fetch(`${url}/jobs/1.json`, {
    method: 'PUT',
    headers: {
      authorization: fixture.admin.authorization,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify({ company: 'Another' }),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('transfer-encoding')).toBe('chunked')
})

test('a response after hashing a password is chunked', async () => {
  const other = await fixture.test.account('new@example.com', 'admin')
  const response = await fetch(url + LIST, {
    headers: { authorization: other.authorization, 'accept-encoding': 'identity' },
  })
  expect(response.headers.get('transfer-encoding')).toBe('chunked')
})

test('simultaneous searches are chunked', async () => {
  const responses = await Promise.all(
    Array.from({ length: 64 }, (_, at) => ask(`${SEARCH}&per_page=${at + 1}`)),
  )
  const encodings = new Set(responses.map(({ headers }) => headers.get('transfer-encoding')))
  expect([...encodings]).toEqual(['chunked'])
  expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(responses.length)
  for (const response of responses) expect(await response.json()).toHaveLength(1)
})
