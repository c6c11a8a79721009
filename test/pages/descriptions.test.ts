import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test'
import { MAX_FEED_LENGTH } from '../../src/features/pages/feeds.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'

let fixture: FixtureBoard
let renderHtml: Mock<typeof Bun.markdown.html>

beforeEach(async () => {
  fixture = await openFixtureBoard()
  renderHtml = spyOn(Bun.markdown, 'html')
})
afterEach(async () => {
  renderHtml.mockRestore()
  await fixture.test.close()
})

const read = async (path: string) => await (await fixture.test.get(path)).text()

async function entriesOf(path: string): Promise<{ content_html: string }[]> {
  return (JSON.parse(await read(path)) as { items: { content_html: string }[] }).items
}

test('a description is rendered once for all pages and feeds', async () => {
  await insertJobs(fixture.test.board, [{ description: 'One **two**', location: 'Oslo, Norway' }])
  const page = await read('/jobs/1')
  expect(page.split('<p>One <strong>two</strong></p>')).toHaveLength(2)
  expect(page).toContain('application/ld+json')
  for (const path of ['/feed.xml', '/feed.json', '/feed.xml?term=1', '/feed.json?category=1', '/jobs/1'])
    expect(await read(path)).toContain('two')
  expect(renderHtml).toHaveBeenCalledTimes(1)
})

test('a description is rendered again after the job changed', async () => {
  await insertJobs(fixture.test.board, [{ description: 'Before' }])
  await read('/feed.xml')
  await fixture.test.put('/jobs/1.json', { as: fixture.admin, body: { description: 'After' } })
  for (const path of ['/feed.xml', '/feed.json', '/jobs/1']) {
    const text = await read(path)
    expect([text.includes('After'), text.includes('Before')]).toEqual([true, false])
  }
  expect(renderHtml).toHaveBeenCalledTimes(2)
})

test('a feed ends when its descriptions get too long, and has at least one entry', async () => {
  const long = 'www.a.b '.repeat(8000)
  await insertJobs(
    fixture.test.board,
    Array.from({ length: 10 }, () => ({ description: long })),
  )
  const entries = await entriesOf('/feed.json')
  const length = entries.reduce((sum, { content_html: html }) => sum + html.length, 0)
  const [first] = entries
  expect(length).toBeLessThanOrEqual(MAX_FEED_LENGTH)
  expect(length + (first?.content_html.length ?? 0)).toBeGreaterThan(MAX_FEED_LENGTH)
  expect((await read('/feed.xml')).match(/<item>/g)).toHaveLength(entries.length)
  // one more than a feed has
  expect(renderHtml).toHaveBeenCalledTimes(entries.length + 1)
})

test('other requests are served while a feed is built', async () => {
  await insertJobs(
    fixture.test.board,
    Array.from({ length: 20 }, () => ({ description: 'Text.' })),
  )
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  expect(await entriesOf('/feed.json')).toHaveLength(20)
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(20)
})
