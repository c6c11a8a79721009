import { expect, test } from 'bun:test'
import { TermTable } from '../../src/search/termTable.ts'

test('A term is found in a text, ignoring the case of ASCII letters', () => {
  const table = new TermTable()
  table.add('nurse', 0)
  table.add('łódź', 1)
  expect(table.find('nurse')).toBe(0)
  expect(table.find('A NURSE.', 2, 7)).toBe(0)
  expect(table.find('nurses')).toBe(-1)
  expect(table.find('nurse', 0, 4)).toBe(-1)
  expect(table.find('in łódź', 3)).toBe(1)
  expect(table.find('')).toBe(-1)
})

test('A table has the same terms as a Map after many changes', () => {
  const table = new TermTable()
  const expected = new Map<string, number>()
  const free: number[] = []
  for (let step = 0; step < 20_000; step++) {
    const term = `term${(step * 7919) % 3001}`
    const known = expected.get(term)
    if (known === undefined) {
      const number = free.pop() ?? expected.size
      table.add(term, number)
      expected.set(term, number)
    } else {
      table.delete(term)
      expected.delete(term)
      free.push(known)
    }
  }
  expect(table.size).toBe(expected.size)
  for (let n = 0; n < 3001; n++) expect(table.find(`term${n}`)).toBe(expected.get(`term${n}`) ?? -1)
})
