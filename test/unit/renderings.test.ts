import { expect, test } from 'bun:test'
import { Rendered } from '../../src/http/rendered.ts'
import { Renderings } from '../../src/http/renderings.ts'

const MEBIBYTE = 2 ** 20

/** How many of those that were put in under these keys are still there. */
function kept(keys: readonly string[], value: unknown): number {
  const renderings = new Renderings<string, Rendered>(MEBIBYTE)
  for (const key of keys) renderings.keep(key, Rendered.json(value))
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

const large = Rendered.json('x'.repeat(200_000))

/** Two of these fit. */
function holding(...names: readonly string[]): Renderings<string, Rendered> {
  const renderings = new Renderings<string, Rendered>(MEBIBYTE)
  for (const name of names) renderings.keep(name, large)
  return renderings
}

const keptOf = (renderings: Renderings<string, Rendered>, ...names: readonly string[]) =>
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
  renderings.keep('huge', Rendered.json('x'.repeat(MEBIBYTE)))
  expect(keptOf(renderings, 'first', 'second', 'huge')).toEqual(['first', 'second'])
})

test('what was kept under another version is gone', () => {
  const renderings = new Renderings<string, Rendered>(MEBIBYTE)
  renderings.at(1).keep('list', Rendered.json([]))
  expect(renderings.at(1).get('list')).toBeDefined()
  expect(renderings.at(2).get('list')).toBeUndefined()
})
