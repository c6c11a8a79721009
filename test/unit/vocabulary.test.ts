import { expect, test } from 'bun:test'
import { Vocabulary } from '../../src/search/vocabulary.ts'

const ENGLISH = 1
const GERMAN = 2

/** Adds words of a job in some languages, and returns their numbers. */
function add(vocabulary: Vocabulary, text: string, languages = 0): number[] {
  const numbers = new Set<number>()
  vocabulary.forEachTerm(text, number => numbers.add(number).size < 100)
  vocabulary.addLanguages([...numbers], languages)
  return [...numbers]
}

/** Returns a vocabulary of these words, and a function that returns the terms with some numbers. */
function vocabularyOf(words: readonly string[], languages = 0) {
  const vocabulary = new Vocabulary()
  add(vocabulary, words.join(' '), languages)
  const named = (numbers: readonly number[]) => numbers.map(number => vocabulary.termOf(number)).sort()
  return { vocabulary, named }
}

test('A term that is removed and added again exists once', () => {
  const { vocabulary, named } = vocabularyOf(['welder', 'welding'], ENGLISH)
  vocabulary.remove(vocabulary.numberOf('welder') ?? -1)
  expect(named(vocabulary.tree.startingWith('wel'))).toEqual(['welding'])
  expect(named(vocabulary.withSameStem('welding'))).toEqual([])
  add(vocabulary, 'carpenter', ENGLISH)
  add(vocabulary, 'welder', ENGLISH)
  expect(named(vocabulary.tree.startingWith('wel'))).toEqual(['welder', 'welding'])
  expect(named(vocabulary.withSameStem('welding'))).toEqual(['welder'])
  for (const word of ['welder', 'welding', 'carpenter']) vocabulary.remove(vocabulary.numberOf(word) ?? -1)
  expect(vocabulary.size).toBe(0)
})

test.each([
  ['curse', true],
  ['nurs', true],
  ['nursed', true],
  ['unrse', true],
  ['nures', true],
  ['nusre', true],
  ['nusrer', false],
  ['curses', false],
  ['nrues', false],
  ['rnuse', false],
])('%p and nurse are one edit apart: %p', (word, are) => {
  const { vocabulary, named } = vocabularyOf(['nurse'])
  expect(named(vocabulary.tree.withinOneEdit(word))).toEqual(are ? ['nurse'] : [])
})

test.each(['accuontnat', 'acountent', 'accountn', 'xaccountatn'])('%p is two edits from accountant', word => {
  const { vocabulary, named } = vocabularyOf(['accountant'])
  expect(named(vocabulary.tree.withinOneEdit(word))).toEqual([])
  expect(named(vocabulary.tree.withinTwoEdits(word))).toEqual(['accountant'])
})

test('Words share a stem in the languages of the jobs that have them', () => {
  const { vocabulary, named } = vocabularyOf(['nurse', 'nursing', 'analyst', 'analysis'], ENGLISH)
  add(vocabulary, 'entwicklerin', GERMAN)
  expect(named(vocabulary.withSameStem('nurses'))).toEqual(['nurse', 'nursing'])
  expect(named(vocabulary.withSameStem('analyst'))).toEqual(['analysis'])
  expect(named(vocabulary.withSameStem('entwicklern'))).toEqual(['entwicklerin'])
})

test('Compounds are found by their end, in languages that write them as one word', () => {
  const { vocabulary, named } = vocabularyOf(['softwareentwickler', 'entwickler', 'umentwickler'], GERMAN)
  add(vocabulary, 'superentwickler', ENGLISH)
  expect(named(vocabulary.tree.endingWith('entwickler'))).toEqual(['softwareentwickler'])
  expect(named(vocabulary.tree.endingWith('er'))).toEqual([])
})

test('A vocabulary is the same after writing and reading it', () => {
  const { vocabulary } = vocabularyOf(['nurse', 'nursing', 'cook'], ENGLISH)
  add(vocabulary, 'softwareentwickler', GERMAN)
  vocabulary.remove(vocabulary.numberOf('cook') ?? -1)
  const read = Vocabulary.fromText(vocabulary.toText())
  expect(read.toText()).toBe(vocabulary.toText())
  expect(read.withSameStem('nurses')).toEqual(vocabulary.withSameStem('nurses'))
  expect(read.tree.endingWith('entwickler')).toEqual(vocabulary.tree.endingWith('entwickler'))
  expect(add(read, 'baker', ENGLISH)).toEqual(add(vocabulary, 'baker', ENGLISH))
})

test('A vocabulary that was read finds the same terms while its trees are being loaded', () => {
  const made = Array.from(
    { length: 1000 },
    (_, at) => `word${at.toString(36)}${at % 3 === 0 ? 'meister' : ''}`,
  )
  const { vocabulary } = vocabularyOf([])
  for (let at = 0; at < made.length; at += 100) add(vocabulary, made.slice(at, at + 100).join(' '), GERMAN)
  const searches = [
    ({ tree }: Vocabulary) => tree.startingWith('worda'),
    ({ tree }: Vocabulary) => tree.endingWith('meister'),
    ({ tree }: Vocabulary) => tree.withinOneEdit('wordx1'),
    ({ tree }: Vocabulary) => tree.withinTwoEdits('wrodmiester'),
  ]
  for (const search of searches)
    for (const steps of [0, 1, 2, 100]) {
      const read = Vocabulary.fromText(vocabulary.toText())
      for (let step = 0; step < steps; step++) read.tree.addSome()
      add(read, 'wordabc', GERMAN)
      const expected = new Vocabulary()
      add(expected, 'wordabc', GERMAN)
      const names = (one: Vocabulary) => search(one).map(number => one.termOf(number))
      expect(names(read).toSorted()).toEqual([...names(vocabulary), ...names(expected)].toSorted())
    }
})

test('A term that is removed while the trees are being loaded is not found', () => {
  const { vocabulary } = vocabularyOf(['bauleiter', 'baumeister'], GERMAN)
  const read = Vocabulary.fromText(vocabulary.toText())
  read.remove(read.numberOf('bauleiter') ?? -1)
  const found = [
    read.tree.startingWith('bau'),
    read.tree.endingWith('leiter'),
    read.tree.withinOneEdit('bauleitr'),
  ]
  expect(found.map(numbers => numbers.map(number => read.termOf(number)))).toEqual([['baumeister'], [], []])
})
