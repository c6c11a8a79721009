import { describe, expect, test } from 'bun:test'
import { EncodedBody } from '../../src/http/response/encodedBody.ts'
import { EncodedReply, MAX_SEEN_KEYS, ResponseCache } from '../../src/http/response/responseCache.ts'

const MEBIBYTE = 2 ** 20

const store = (cache: ResponseCache, key: string, body: EncodedBody) =>
  cache.getOrCreate(
    key,
    () => 1,
    () => body,
  )

const keys = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'))

test.each([
  ['large bodies', keys(200, 8), 'x'.repeat(50_000), 11],
  ['empty lists', keys(5000, 8), [], 1024],
  ['empty lists under long keys', keys(500, 10_000), [], 104],
])('holds a limited number of %s', (_, names, value, most) => {
  const cache = new ResponseCache(MEBIBYTE)
  for (const name of names) store(cache, name, EncodedBody.json(value))
  const count = names.filter(name => cache.get(name)).length
  expect(count).toBeGreaterThan(most / 2)
  expect(count).toBeLessThanOrEqual(most)
})

/** A cache with bodies under these keys, of which two fit. */
function cacheOf(...names: readonly string[]): ResponseCache {
  const cache = new ResponseCache(MEBIBYTE)
  for (const name of names) store(cache, name, EncodedBody.json('x'.repeat(200_000)))
  return cache
}

const add = (cache: ResponseCache, name: string) => store(cache, name, EncodedBody.json('x'.repeat(200_000)))

test('removes the entry that was used longest ago', () => {
  const cache = cacheOf('first', 'second')
  cache.get('first')
  add(cache, 'third')
  expect(['first', 'second', 'third'].filter(name => cache.get(name))).toEqual(['first', 'third'])
})

test('removes nothing for a value that is too large to cache', () => {
  const cache = cacheOf('first', 'second')
  store(cache, 'huge', EncodedBody.json('x'.repeat(MEBIBYTE)))
  expect(['first', 'second', 'huge'].filter(name => cache.get(name))).toEqual(['first', 'second'])
})

test('returns nothing whose version has changed, and caches nothing without a version', () => {
  const cache = new ResponseCache(MEBIBYTE)
  let version: number | undefined = 1
  const create = () => EncodedBody.json([])
  const get = () => cache.getOrCreate('list', () => version, create)
  const first = get()
  expect(cache.get('list')).toBe(first)
  expect(first.isCached).toBeTrue()
  version = 2
  expect(cache.get('list')).toBeUndefined()
  version = undefined
  expect(get().isCached).toBeFalse()
  expect(cache.get('list')).toBeUndefined()
})

test('finds replies by the path and query that ask for them, and nothing else', () => {
  const cache = new ResponseCache(MEBIBYTE)
  const reply = new EncodedReply(EncodedBody.json({}), {}, { path: '/jobs/1.json' })
  cache.getOrCreate(
    '/jobs/1.json',
    () => 1,
    () => reply,
  )
  store(cache, '/description', EncodedBody.json(''))
  expect(cache.replyTo('/jobs/1.json')).toBe(reply)
  expect(reply.body.isCached).toBeTrue()
  expect(cache.replyTo('/jobs/2.json')).toBeUndefined()
  expect(cache.replyTo('/description')).toBeUndefined()
})

describe('a value that is cached from the second request on', () => {
  function counting(create = (count: number) => EncodedBody.json(count)) {
    const cache = new ResponseCache(MEBIBYTE)
    let version = 1
    let created = 0
    const request = (key: string) =>
      cache.getOrCreate(
        key,
        () => version,
        () => create(created++),
        true,
      )
    return { request, created: () => created, change: () => void version++ }
  }

  test('is created twice', () => {
    const { request, created } = counting()
    for (let time = 0; time < 4; time++) request('list')
    expect(created()).toBe(2)
    request('other')
    expect(created()).toBe(3)
  })

  test('is created again if too many other keys were requested', () => {
    const { request, created } = counting()
    request('list')
    for (let index = 0; index < MAX_SEEN_KEYS; index++) request(String(index))
    request('list')
    request('list')
    expect(created()).toBe(MAX_SEEN_KEYS + 3)
  })

  test('is then created once for each version', () => {
    const { request, created, change } = counting()
    for (let time = 0; time < 3; time++) request('list')
    change()
    for (let time = 0; time < 3; time++) request('list')
    expect(created()).toBe(3)
  })

  test('is shared while it is in use, if it is too large to cache', () => {
    const huge = EncodedBody.json('x'.repeat(MEBIBYTE))
    const { request, created, change } = counting(() => huge)
    for (let time = 0; time < 4; time++) expect(request('list')).toBe(huge)
    expect(created()).toBe(2)
    change()
    request('list')
    expect(created()).toBe(3)
  })
})

describe('a value that is created slowly', () => {
  test('is not cached if its version changes meanwhile', async () => {
    const cache = new ResponseCache(MEBIBYTE)
    let version = 1
    const slow = Promise.withResolvers<EncodedBody>()
    const first = cache.getOrCreate(
      'list',
      () => version,
      () => slow.promise,
    )
    version++
    slow.resolve(EncodedBody.json('too late'))
    await first
    expect(cache.get('list')).toBeUndefined()
  })

  test('is created once for all simultaneous requests, but not for one that came after a change', async () => {
    const cache = new ResponseCache(MEBIBYTE)
    let version = 1
    let created = 0
    const slow = Promise.withResolvers<EncodedBody>()
    const create = () => {
      created++
      return slow.promise
    }
    const request = async () => await cache.getOrCreate('list', () => version, create)
    const all = Array.from({ length: 5 }, request)
    expect(created).toBe(1)
    version++
    const late = request()
    expect(created).toBe(2)
    slow.resolve(EncodedBody.json([]))
    expect(new Set(await Promise.all([...all, late])).size).toBe(1)
  })

  test('is created again after a failure', async () => {
    const cache = new ResponseCache(MEBIBYTE)
    const request = async (body: Promise<EncodedBody>) =>
      await cache.getOrCreate(
        'list',
        () => 1,
        () => body,
      )
    expect(request(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await Bun.sleep(0)
    expect(await request(Promise.resolve(EncodedBody.json(1)))).toBeDefined()
    expect(cache.get('list')).toBeDefined()
  })
})
