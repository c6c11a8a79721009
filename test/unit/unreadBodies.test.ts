import { expect, test } from 'bun:test'
import { type Reader, UnreadBodies } from '../../src/http/response/unreadBodies.ts'

const KiB = 1024
const ONE = '192.0.2.1'
const OTHER = '198.51.100.7'

/** Room for 100 KiB, 60 for each network. */
function opened() {
  const open = new Set<Request>()
  const unread = new UnreadBodies(request => open.has(request), 100 * KiB, 60 * KiB)
  const read = ({ request }: Reader) => void open.delete(request)
  /** Sends a body to a reader, who is returned; undefined if it was refused. */
  function send(size: number, { client = ONE, body = {}, isCached = false } = {}): Reader | undefined {
    const reader = { request: new Request('http://board.test/'), clientAddress: client }
    open.add(reader.request)
    try {
      unread.add(reader, body, size * KiB, isCached)
      return reader
    } catch (error) {
      expect(error).toMatchObject({ kind: 'busy', details: { retryAfter: 2 } })
      return undefined
    }
  }
  const remove = (reader: Reader | undefined, body: object) => {
    if (reader) unread.remove(reader, body)
  }
  return { send, read, remove }
}

test('bodies are sent while there is room, and again once others are read', () => {
  const { send, read } = opened()
  const first = send(30)
  const second = send(30)
  expect([first, second]).not.toContain(undefined)
  expect(send(20)).toBeUndefined()
  if (first) read(first)
  expect(send(20)).toBeDefined()
})

test('one network has a limit, and all networks together have one', () => {
  const { send } = opened()
  expect(send(60)).toBeDefined()
  expect(send(20)).toBeUndefined()
  expect(send(40, { client: OTHER })).toBeDefined()
  expect(send(20, { client: '203.0.113.5' })).toBeUndefined()
})

test('a body with many readers counts once, until the last one has read it', () => {
  const { send, read } = opened()
  const body = {}
  const readers = Array.from({ length: 200 }, () => send(50, { body }))
  expect(readers).not.toContain(undefined)
  const last = readers.pop()
  for (const reader of readers) if (reader) read(reader)
  expect(send(20)).toBeUndefined()
  if (last) read(last)
  expect(send(20)).toBeDefined()
})

test('a body that is replaced by its compressed form no longer counts', () => {
  const { send, remove } = opened()
  const body = {}
  const [first, second] = [send(70, { body }), send(70, { body })]
  remove(first, body)
  expect(send(20)).toBeUndefined()
  remove(second, body)
  expect(send(20)).toBeDefined()
})

test('a cached body is always sent, and counts for others', () => {
  const { send } = opened()
  for (let at = 0; at < 5; at++) expect(send(50, { isCached: true })).toBeDefined()
  expect(send(20)).toBeUndefined()
})

test('a body over the limit is sent if it is the only one', () => {
  const { send, read } = opened()
  const large = send(500)
  expect(large).toBeDefined()
  expect(send(20, { client: OTHER })).toBeUndefined()
  if (large) read(large)
  expect(send(20)).toBeDefined()
  expect(send(500)).toBeUndefined()
})

test('small bodies are not counted', () => {
  const { send } = opened()
  for (let at = 0; at < 100; at++) expect(send(15)).toBeDefined()
  expect(send(60)).toBeDefined()
})
