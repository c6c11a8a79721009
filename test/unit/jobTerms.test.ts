import { expect, test } from 'bun:test'
import { MAX_TERMS, termsByField } from '../../src/search/jobTerms.ts'
import type { SearchableJob } from '../../src/search/searchableJob.ts'
import { Vocabulary } from '../../src/search/vocabulary.ts'

/** Returns distinct words. */
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
  expect(rest).toEqual(['remote', 'category', 'term', ...words(MAX_TERMS - others - 3, 'word')])
})

test('a description that repeats the same words is indexed completely', () => {
  const text = 'again '.repeat(10_000)
  expect(textsOf({ ...JOB, description: `${text} last` })[3]).toEqual([
    'remote',
    'category',
    'term',
    'again',
    'last',
  ])
})
