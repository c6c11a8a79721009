import { expect, test } from 'bun:test'
import {
  codePointLength,
  decodeUtf8,
  hasControlCharacters,
  hasInvalidCharacters,
} from '../../src/base/text.ts'

test.each([
  ['', 0],
  ['nurse', 5],
  ['日本', 2],
  ['😀😀', 2],
  ['\u{10000}\u{10ffff}', 2],
  ['e\u0301', 2],
  ['\ud83d', 1],
  ['\ude00\ud83d', 2],
  ['\ud83d\ud83d\ude00\ude00', 3],
])('counts the code points of %j', (text, count) => {
  expect(codePointLength(text)).toBe(count)
  expect([...text]).toHaveLength(count)
})

test('finds NUL and halves of surrogate pairs', () => {
  expect(['a\0', 'a\ud83d', '\ude00\ud83d'].every(hasInvalidCharacters)).toBe(true)
  expect(['', 'a0', 'ü', '😀'].some(hasInvalidCharacters)).toBe(false)
})

test('finds control characters and line separators', () => {
  const controls = ['\0', '\t', '\n', '\r', '\x1f', '\x7f', '\x80', '\x85', '\x9f', '\u2028', '\u2029']
  expect(controls.filter(text => !hasControlCharacters(`a${text}b`))).toEqual([])
  expect([' ', '~', '\xa0', 'ü', '\u200d', '\u202e', '😀'].filter(hasControlCharacters)).toEqual([])
})

test('decodes UTF-8 exactly, and refuses everything else', () => {
  const bytes = new Uint8Array(Buffer.from('\ufeffü😀'))
  expect(decodeUtf8(bytes, 'file')).toBe('\ufeffü😀')
  expect(() => decodeUtf8(bytes.subarray(4), 'file')).toThrow('The file is not valid UTF-8.')
})
