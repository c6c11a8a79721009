import { expect, test } from 'bun:test'
import { TermTable } from '../../src/search/termTable.ts'

/** Returns a table, and functions that add and delete terms under a number. */
function openTable() {
  const terms: string[] = []
  const table = new TermTable(terms)
  const add = (number: number, term: string) => {
    terms[number] = term
    table.add(number)
  }
  const remove = (number: number) => {
    table.delete(number)
    terms[number] = ''
  }
  return { table, add, remove }
}

test('A term is found in a text, ignoring the case of ASCII letters', () => {
  const { table, add } = openTable()
  add(0, 'nurse')
  add(1, 'łódź')
  expect(table.find('nurse')).toBe(0)
  expect(table.find('A NURSE.', 2, 7)).toBe(0)
  expect(table.find('nurses')).toBe(-1)
  expect(table.find('nurse', 0, 4)).toBe(-1)
  expect(table.find('in łódź', 3)).toBe(1)
  expect(table.find('')).toBe(-1)
})

test('A table has the same terms as a Map after many changes', () => {
  const { table, add, remove } = openTable()
  const expected = new Map<string, number>()
  const free: number[] = []
  for (let step = 0; step < 20_000; step++) {
    const term = `term${(step * 7919) % 3001}`
    const known = expected.get(term)
    if (known === undefined) {
      const number = free.pop() ?? expected.size
      add(number, term)
      expected.set(term, number)
    } else {
      remove(known)
      expected.delete(term)
      free.push(known)
    }
  }
  expect(table.size).toBe(expected.size)
  for (let n = 0; n < 3001; n++) expect(table.find(`term${n}`)).toBe(expected.get(`term${n}`) ?? -1)
})
