import { expect, test } from 'bun:test'
import { MOST_TERMS, type SearchableJob, termsByField } from '../../src/search/fields.ts'
import { Vocabulary } from '../../src/search/vocabulary.ts'

/** So many words of a text, each another. */
const words = (count: number, stem: string) => Array.from({ length: count }, (_, at) => `${stem}${at}`)

const JOB = {
  id: 1,
  title: 'Title',
  company: 'Company',
  location: 'Location',
  category: 'Category',
  term: 'Term',
  arrangement: 'remote',
  description: 'Description',
}

function textsOf(job: SearchableJob): string[][] {
  const vocabulary = new Vocabulary()
  return termsByField(job, vocabulary).map(terms => terms.map(term => vocabulary.termOf(term)))
}

test('a long description is indexed by its first words, and by all words of the other fields', () => {
  const [title, company, location, rest] = textsOf({
    ...JOB,
    description: words(10_000, 'word').join(' '),
  })
  expect([title, company, location]).toEqual([['title'], ['company'], ['location']])
  const others = 3
  expect(rest).toEqual(['remote', 'category', 'term', ...words(MOST_TERMS - others - 3, 'word')])
})

test('a description of the same words over and over is indexed whole', () => {
  const text = 'again '.repeat(10_000)
  expect(textsOf({ ...JOB, description: `${text} last` })[3]).toEqual([
    'remote',
    'category',
    'term',
    'again',
    'last',
  ])
})
