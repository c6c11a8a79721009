import { expect, test } from 'bun:test'
import { stemsOf } from '../../src/search/languages.ts'

const ENGLISH = 1

test.each([
  'profession professions professional',
  'execution executive executes',
  'supervision supervisor supervise',
  'director direction directing directs',
  'analyst analysis',
  'therapist therapy',
  'planner plan planning plans',
  'programmer programs programming',
  'controller control controlling',
  'installer installation install',
  'seller sells selling',
  'staff staffing',
  'placement place placing',
  'development developer developmental developing',
  'management manager managing',
])('These English words are one family: %s', words => {
  expect(new Set(words.split(' ').flatMap(word => stemsOf(word, ENGLISH))).size).toBe(1)
})

test.each(['add ads', 'product producer', 'sale seller', 'nation nature'])(
  'These English words are not: %s',
  words => {
    const stems = words.split(' ').flatMap(word => stemsOf(word, ENGLISH))
    expect(new Set(stems).size).toBe(2)
  },
)
