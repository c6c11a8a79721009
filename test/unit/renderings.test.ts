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

test('what was used longest ago goes first, and what is dropped makes room', () => {
  const renderings = new Renderings<string, Rendered>(MEBIBYTE)
  const large = Rendered.json('x'.repeat(200_000))
  renderings.keep('first', large)
  renderings.keep('second', large)
  renderings.get('first')
  renderings.keep('third', large)
  expect(['first', 'second', 'third'].filter(key => renderings.get(key))).toEqual(['first', 'third'])
  renderings.drop('first')
  renderings.keep('fourth', large)
  expect(['third', 'fourth'].filter(key => renderings.get(key))).toEqual(['third', 'fourth'])
})

test('what was kept under another version is gone', () => {
  const renderings = new Renderings<string, Rendered>(MEBIBYTE)
  renderings.at(1).keep('list', Rendered.json([]))
  expect(renderings.at(1).get('list')).toBeDefined()
  expect(renderings.at(2).get('list')).toBeUndefined()
})
