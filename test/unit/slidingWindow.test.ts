import { expect, test } from 'bun:test'
import { SlidingWindow } from '../../src/base/slidingWindow.ts'

const LENGTH = 1000
let now = 0
const clock = () => now

function counted(...moments: number[]): SlidingWindow {
  const window = new SlidingWindow(clock, LENGTH)
  for (now of moments) window.add('a')
  return window
}

test('an event stops counting at the end of the window', () => {
  const window = counted(5000, 5300)
  now = 5999
  expect(window.recent('a')).toEqual([5000, 5300])
  now = 6000
  expect(window.recent('a')).toEqual([5300])
  expect(window.recent('b')).toEqual([])
})

test('returns how long to wait', () => {
  const window = counted(5000, 5300, 5600)
  expect([4, 3, 2, 1].map(allowed => window.wait('a', allowed))).toEqual([0, 400, 700, 1000])
  now = 6000
  expect(window.wait('a', 3)).toBe(0)
})

test.each([1, 500, 1e9])('ignores events in the future after the clock was set back by %i ms', by => {
  const window = counted(5000, 5000)
  now = 5000 - by
  expect(window.recent('a')).toEqual([])
  expect(window.wait('a', 1)).toBe(0)
  window.add('a')
  expect(window.wait('a', 1)).toBe(LENGTH)
})

test('removes one event at a time', () => {
  const window = counted(5000, 5000, 5001)
  window.remove('a', 5000)
  expect(window.recent('a')).toEqual([5000, 5001])
  window.remove('a', 4999)
  window.remove('b', 5000)
  expect(window.recent('a')).toEqual([5000, 5001])
})

test('forgets the least recently used key first', () => {
  const window = new SlidingWindow(clock, LENGTH, 2)
  window.add('a')
  window.add('b')
  window.recent('a')
  window.add('c')
  expect(['a', 'b', 'c'].map(key => window.recent(key).length)).toEqual([1, 0, 1])
})
