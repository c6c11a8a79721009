import { describe, expect, test } from 'bun:test'
import { EncodedBody } from '../../src/http/response/encodedBody.ts'
import { ASKED_AT_MOST, ResponseCache } from '../../src/http/response/responseCache.ts'

const MEBIBYTE = 2 ** 20

/** How many of those that were put in under these keys are still there. */
function kept(keys: readonly string[], value: unknown): number {
  const renderings = new ResponseCache<string, EncodedBody>(MEBIBYTE)
  for (const key of keys) renderings.keep(key, EncodedBody.json(value))
  return keys.filter(key => renderings.get(key)).length
}

const keys = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => String(at).padStart(length, 'x'))

test.each([
  ['large bodies', keys(200, 8), 'x'.repeat(50_000), 11],
  ['empty lists', keys(5000, 8), [], 1024],
  ['empty lists under long keys', keys(500, 10_000), [], 104],
])('a mebibyte holds no end of %s', (_, names, value, most) => {
  const count = kept(names, value)
  expect(count).toBeGreaterThan(most / 2)
  expect(count).toBeLessThanOrEqual(most)
})

const large = EncodedBody.json('x'.repeat(200_000))

/** Two of these fit. */
function holding(...names: readonly string[]): ResponseCache<string, EncodedBody> {
  const renderings = new ResponseCache<string, EncodedBody>(MEBIBYTE)
  for (const name of names) renderings.keep(name, large)
  return renderings
}

const keptOf = (renderings: ResponseCache<string, EncodedBody>, ...names: readonly string[]) =>
  names.filter(name => renderings.get(name))

test('what came first goes first, but not what was used meanwhile', () => {
  const renderings = holding('first', 'second')
  renderings.get('first')
  renderings.keep('third', large)
  expect(keptOf(renderings, 'first', 'second', 'third')).toEqual(['first', 'third'])
})

test('what was used goes too, if it is not used again', () => {
  const renderings = holding('first', 'second')
  renderings.get('first')
  renderings.get('second')
  renderings.keep('third', large)
  renderings.keep('fourth', large)
  expect(keptOf(renderings, 'first', 'second', 'third', 'fourth')).toEqual(['third', 'fourth'])
})

test('what is dropped makes room', () => {
  const renderings = holding('first', 'second')
  renderings.drop('first')
  renderings.keep('third', large)
  expect(keptOf(renderings, 'second', 'third')).toEqual(['second', 'third'])
})

test('what is larger than all that may be kept drives nothing out', () => {
  const renderings = holding('first', 'second')
  renderings.keep('huge', EncodedBody.json('x'.repeat(MEBIBYTE)))
  expect(keptOf(renderings, 'first', 'second', 'huge')).toEqual(['first', 'second'])
})

test('what was kept under another version is gone', () => {
  const renderings = new ResponseCache<string, EncodedBody>(MEBIBYTE)
  renderings.at(1).keep('list', EncodedBody.json([]))
  expect(renderings.at(1).get('list')).toBeDefined()
  expect(renderings.at(2).get('list')).toBeUndefined()
})

describe('what is asked for', () => {
  const asking = () => {
    const renderings = new ResponseCache<string, EncodedBody>(MEBIBYTE)
    let version = 1
    let made = 0
    const ask = async (key: string) =>
      await renderings.keeping(
        key,
        () => version,
        () => EncodedBody.json(made++),
      )
    return { ask, made: () => made, change: () => void version++ }
  }

  test('is kept from the second time on', async () => {
    const { ask, made } = asking()
    for (let time = 0; time < 4; time++) await ask('list')
    expect(made()).toBe(2)
    await ask('other')
    expect(made()).toBe(3)
  })

  test('is forgotten when too much else was asked for', async () => {
    const { ask, made } = asking()
    await ask('list')
    for (let at = 0; at < ASKED_AT_MOST; at++) await ask(String(at))
    await ask('list')
    await ask('list')
    expect(made()).toBe(ASKED_AT_MOST + 3)
  })

  test('is made once for each version after that', async () => {
    const { ask, made, change } = asking()
    for (let time = 0; time < 3; time++) await ask('list')
    change()
    for (let time = 0; time < 3; time++) await ask('list')
    expect(made()).toBe(3)
  })

  test('is not kept if what it was made from changed meanwhile', async () => {
    const renderings = new ResponseCache<string, EncodedBody>(MEBIBYTE)
    let version = 1
    const ask = (body: Promise<EncodedBody>) =>
      renderings.keeping(
        'list',
        () => version,
        () => body,
      )
    await ask(Promise.resolve(EncodedBody.json('before')))
    const slow = Promise.withResolvers<EncodedBody>()
    const answer = ask(slow.promise)
    version++
    slow.resolve(EncodedBody.json('too late'))
    await answer
    expect(renderings.at(version).get('list')).toBeUndefined()
  })

  test('is made once for all who ask while it is made', async () => {
    const renderings = new ResponseCache<string, EncodedBody>(MEBIBYTE)
    const slow = Promise.withResolvers<EncodedBody>()
    let made = 0
    const make = () => {
      made++
      return slow.promise
    }
    const all = Array.from({ length: 5 }, async () => await renderings.keeping('list', () => 1, make))
    slow.resolve(EncodedBody.json([]))
    expect(new Set(await Promise.all(all)).size).toBe(1)
    expect(made).toBe(1)
  })

  test('is shared while somebody reads it, where it is too large to keep', async () => {
    const renderings = new ResponseCache<string, EncodedBody>(MEBIBYTE)
    const huge = EncodedBody.json('x'.repeat(MEBIBYTE))
    let made = 0
    const make = () => {
      made++
      return huge
    }
    for (let time = 0; time < 4; time++) expect(await renderings.keeping('list', () => 1, make)).toBe(huge)
    // the first is not remembered: most searches are made once
    expect(made).toBe(2)
    await renderings.keeping('list', () => 2, make)
    expect(made).toBe(3)
  })
})
