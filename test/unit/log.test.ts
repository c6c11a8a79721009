import { describe, expect, test } from 'bun:test'
import { Log, type LogFormat } from '../../src/http/log.ts'
import { START } from '../helpers/board.ts'

/** The text that a log writes for one line with a value from outside. */
async function written(format: LogFormat, value: string, message = 'request'): Promise<string> {
  let text = ''
  const sink = { write: (lines: string) => void (text += lines), flush: () => {} }
  const log = new Log(sink, format, 'info', () => START)
  log.info(message, { value, bytes: 7 })
  await log.flush()
  return text
}

const CONTROLS = [
  '\n',
  '\r\n',
  '\x1b[2J',
  '\x9b31m',
  '\0',
  '\x7f',
  '\x85',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
]

describe.each(['pretty', 'json'] as const)('a line of the %s log', format => {
  test.each(CONTROLS)('has no %j from its values or its message', async control => {
    for (const text of [await written(format, `a${control}b`), await written(format, 'a', `a${control}b`)]) {
      expect(text).toEndWith('\n')
      // a program that reads JSON must not find it either
      const plain: unknown = format === 'json' ? JSON.parse(text) : text.slice(0, -1)
      const values = typeof plain === 'string' ? [plain] : Object.values(plain ?? {})
      expect(values.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
      expect(values.join('')).toMatch(/a b|a \[2Jb|a 31mb/)
    }
  })

  test.each([
    'anna@example.com',
    '550 5.1.1 <Anna.Berg+jobs@mail.example.com>: unknown',
    '/subscribers/anna%40example.com.json',
    'to=anna@localhost;',
  ])('has no e-mail address: %s', async value => {
    const text = await written(format, value)
    expect(text).toContain('[address]')
    expect(text).not.toMatch(/anna|berg|@|%40/i)
  })

  test('keeps everything else as it is', async () => {
    const value = 'Grüße 😀 at /app/node_modules/@sinclair/typebox/index.js:3:7'
    expect(await written(format, value)).toContain(value)
    expect(await written(format, value)).toMatch(/bytes"?[:=]7/)
  })
})

test('a long value is formatted quickly, whatever it contains', async () => {
  const start = performance.now()
  for (const part of ['a', '%4', 'a@', '@', 'a%40', '\n']) await written('json', part.repeat(16_000) + '/@')
  expect(performance.now() - start).toBeLessThan(500)
})
