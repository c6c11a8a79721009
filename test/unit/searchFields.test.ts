import { expect, test } from 'bun:test'
import { fieldTextsOf, MOST_WORDS } from '../../src/search/fields.ts'

/** So many words of a text, each another. */
const words = (count: number, stem: string) => Array.from({ length: count }, (_, at) => `${stem}${at}`)

const JOB = {
  id: 1,
  title: 'Title',
  company: 'Company',
  location: 'Location',
  category: 'Category',
  term: 'Term',
  description: 'Description',
}

const wordsIn = (text: string) => text.split(' ')

test('a long description is indexed by its first words, and by all words of the other fields', () => {
  const { title, company, location, rest } = fieldTextsOf({
    ...JOB,
    description: words(10_000, 'word').join(' '),
  })
  expect([title, company, location]).toEqual(['title', 'company', 'location'])
  const others = 3
  expect(wordsIn(rest)).toEqual(['category', 'term', ...words(MOST_WORDS - others - 2, 'word')])
})

test('a description of the same words over and over is indexed whole', () => {
  const text = 'again '.repeat(10_000)
  expect(wordsIn(fieldTextsOf({ ...JOB, description: `${text} last` }).rest)).toEqual([
    'category',
    'term',
    'again',
    'last',
  ])
})
