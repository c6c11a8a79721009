import { expect, test } from 'bun:test'
import { Vocabulary } from '../../src/search/vocabulary.ts'

test('A word that went and came again is one word', () => {
  const vocabulary = new Vocabulary()
  for (const word of ['welder', 'welding', 'welder']) vocabulary.add(word)
  for (const word of ['welder', 'welder']) vocabulary.remove(vocabulary.numberOf(word))
  expect(vocabulary.startingWith('wel')).toEqual(['welding'])
  vocabulary.add('carpenter')
  vocabulary.add('welder')
  expect(vocabulary.startingWith('wel')).toEqual(['welding', 'welder'])
  for (const word of ['welder', 'welding', 'carpenter']) vocabulary.remove(vocabulary.numberOf(word))
  expect(vocabulary.size).toBe(0)
  vocabulary.add('welder')
  expect(vocabulary.startingWith('wel')).toEqual(['welder'])
})
