import { describe, expect, test } from 'bun:test'
import { Upload } from '../../src/http/request/fields.ts'
import { readFields, requestOf, URLENCODED, utf8 } from '../helpers/requestBodies.ts'

describe('a form of odd texts is read as it was sent', () => {
  const ODD = [
    '',
    ' ',
    '\r\n',
    '"',
    '\\',
    '%',
    '%22',
    '%ff',
    '+',
    '&',
    '=',
    ';',
    '--',
    '{',
    'ü',
    '日本',
    '😀',
    '\0',
    '\ufeff',
    '\u2028',
  ]
  /** Texts that combine odd pieces, the same in every run. */
  const texts = Array.from({ length: 200 }, (_, seed) =>
    [7, 11, 13].map(step => ODD[(seed * step) % ODD.length]).join(''),
  )

  test('as an urlencoded form', async () => {
    const sent = new Map(texts.map((text, index) => [`${index}${text}`, text]))
    const request = requestOf(URLENCODED, new URLSearchParams([...sent]).toString())
    expect((await readFields(request)).values).toEqual(sent)
  })

  test('as a multipart form', async () => {
    const form = new FormData()
    for (const [index, text] of texts.entries()) {
      form.set(`t${index}`, text)
      form.set(`f${index}`, new File([`x${text}`], 'x.bin'))
    }
    const { values } = await readFields(new Request('http://board.test/', { method: 'POST', body: form }))
    for (const [index, text] of texts.entries()) {
      expect(values.get(`t${index}`)).toBe(text)
      expect(values.get(`f${index}`)).toEqual(new Upload(utf8(`x${text}`), 'x.bin'))
    }
  })
})
