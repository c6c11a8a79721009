import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Listener } from '../../src/server/listener.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { png } from '../helpers/pictures.ts'
import { listen } from '../helpers/rawConnection.ts'

let fixture: FixtureBoard
let listener: Listener
let url: string

beforeAll(async () => {
  fixture = await openFixtureBoard()
  // more than Bun gathers of an answer
  await insertJobs(fixture.test.board, [
    { title: 'Long read', description: 'word '.repeat(5000) },
    ...Array.from({ length: 30 }, (_, at) => ({ title: `Wide World Web Window Worker Number ${at}` })),
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

test('a list is answered at once, with its length', async () => {
  const { headers } = await ask(LIST)
  expect(Number(headers.get('content-length'))).toBeGreaterThan(25_000)
})

test('a search goes out in pieces while it is new, whole when it is kept, and says the same', async () => {
  const late = await ask(SEARCH)
  expect(late.headers.get('transfer-encoding')).toBe('chunked')
  await (await ask(SEARCH)).text()
  const kept = await ask(SEARCH)
  expect(kept.headers.get('transfer-encoding')).toBeNull()
  const text = await late.text()
  expect(text.length).toBeGreaterThan(25_000)
  expect(await kept.text()).toBe(text)
})

test.each(['/feed.json?q=long', '/feed.xml?q=long', '/?q=wide', '/jobs/2.png', '/docs'])(
  '%s goes out in pieces while it is new',
  async path => {
    const answer = await ask(path)
    expect(answer.headers.get('transfer-encoding')).toBe('chunked')
    expect((await answer.bytes()).length).toBeGreaterThan(12_000)
  },
)

test('so does a logo, which is read from its file', async () => {
  const noise = png(256, 256, (x, y) => [(x * 37 + y * 91) % 256, (x * y) % 256, (x * 113) % 256, 255])
  const body = new FormData()
  body.set('job[logo]', new Blob([new Uint8Array(noise)]), 'a.png')
  const { authorization } = fixture.admin
  const changed = await fetch(`${url}/jobs/3.json`, { method: 'PUT', headers: { authorization }, body })
  const { logo } = (await changed.json()) as { logo: string }
  const answer = await ask(new URL(logo).pathname)
  expect(answer.headers.get('transfer-encoding')).toBe('chunked')
  expect((await answer.bytes()).length).toBeGreaterThan(12_000)
})

test('so does a job that was written', async () => {
  const { authorization } = fixture.admin
  // hashed once, and known from then on
  await fetch(`${url}/users.json`, { headers: { authorization } })
  const answer = await fetch(`${url}/jobs/1.json`, {
    method: 'PUT',
    headers: {
      authorization: fixture.admin.authorization,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify({ company: 'Another' }),
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('transfer-encoding')).toBe('chunked')
})

test('so do answers to a password that must be hashed first', async () => {
  const other = await fixture.test.account('new@example.com', 'admin')
  const answer = await fetch(url + LIST, {
    headers: { authorization: other.authorization, 'accept-encoding': 'identity' },
  })
  expect(answer.headers.get('transfer-encoding')).toBe('chunked')
})

test('and so do searches of many at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, at) => ask(`${SEARCH}&per_page=${at + 1}`)),
  )
  const encodings = new Set(answers.map(({ headers }) => headers.get('transfer-encoding')))
  expect([...encodings]).toEqual(['chunked'])
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length)
  for (const answer of answers) expect(await answer.json()).toHaveLength(1)
})
