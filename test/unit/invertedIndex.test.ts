import { expect, test } from 'bun:test'
import { InvertedIndex } from '../../src/search/invertedIndex.ts'
import { findJobs } from '../../src/search/ranking.ts'
import type { SearchableJob } from '../../src/search/searchableJob.ts'
import { BLANK_TEXTS } from '../helpers/searchBoard.ts'

test('An index equals one in which only the remaining jobs were ever indexed', () => {
  const vowels = ['a', 'e', 'i', 'o', 'u']
  const syllables = vowels.flatMap(vowel => ['b', 'k', 'm', 'n', 'r', 't'].map(letter => letter + vowel))
  const text = (seed: number) =>
    Array.from({ length: 12 }, (_, n) => syllables[(seed * (n + 3) + n * n) % 30]).join(' ')
  const job = (id: number, seed: number): SearchableJob => ({
    id,
    title: text(seed),
    company: text(seed + 1),
    location: text(seed + 2),
    description: text(seed * 7),
    arrangement: '',
    category: 'Health',
    term: '全職',
  })
  const changed = new InvertedIndex()
  const left = new Set<number>()
  for (let seed = 0; seed < 400; seed++) {
    changed.put([job(seed % 40, seed)])
    left.add(seed % 40)
    if (seed % 3 === 0) continue
    changed.remove((seed * 7) % 40)
    left.delete((seed * 7) % 40)
  }
  expect(left.size).toBeWithin(5, 36)

  const seeds = new Map(Array.from({ length: 400 }, (_, seed) => [seed % 40, seed]))
  const fresh = new InvertedIndex()
  for (const id of left) fresh.put([job(id, seeds.get(id) ?? 0)])
  expect(contentsOf(changed, syllables)).toEqual(contentsOf(fresh, syllables))

  for (const id of left) changed.remove(id)
  while (changed.needsMerge) changed.mergeStep()
  expect(changed.size).toBe(0)
  expect(changed.capacity).toBe(0)
  expect(changed.vocabulary.size).toBe(0)
})

test('A repeated search sees every change, and is corrected as the first time', () => {
  const inverted = new InvertedIndex()
  const put = (id: number, title: string) => inverted.put([{ ...BLANK_TEXTS, id, title }])
  const find = (q: string) => [...findJobs(q, inverted).ids]
  put(1, 'Nurse')
  for (let times = 0; times < 2; times++) {
    expect(find('nurs')).toEqual([1])
    expect(find('nrse')).toEqual([1])
  }
  put(2, 'Nrse')
  expect(find('nrse')).toEqual([2])
  inverted.remove(2)
  expect(find('nrse')).toEqual([1])

  // only the first words of a long search are corrected, whether they were corrected before or not
  const typos = Array.from({ length: 12 }, (_, n) => `${'abcdefghijkl'[n]}urse`)
  const first = findJobs(typos.join(' '), inverted)
  for (const typo of typos) find(typo)
  expect(findJobs(typos.join(' '), inverted)).toEqual(first)
})

/** Returns everything that an index contains, as searches see it. */
function contentsOf(index: InvertedIndex, words: readonly string[]) {
  const frequencyOf = (word: string) => index.frequencyOf(index.vocabulary.numberOf(word) ?? -1)
  return {
    size: index.size,
    jobs: words.map(frequencyOf),
    found: words.flatMap(word =>
      [word, `${word}x`, word.slice(0, 1), `${word}${word}`].map(q => findJobs(q, index)),
    ),
  }
}
