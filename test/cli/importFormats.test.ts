import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { csvReader } from '../../src/features/imports/csv.ts'
import { readJsonArray, readJsonLines } from '../../src/features/imports/json.ts'
import type { RowReader } from '../../src/features/imports/rows.ts'
import { COLUMNS, csv, ImportFolder, jsonLines, ROW } from '../helpers/importFolder.ts'
import { corkboard } from '../helpers/process.ts'

let folder: ImportFolder
beforeEach(async () => {
  folder = await ImportFolder.create()
})
afterEach(() => folder.remove())

const BYTE_ORDER_MARK = '\u{feff}'
const ROWS = [ROW, { ...ROW, title: 'Shepherd', description: 'Sheep' }] as const

const FORMATS: [string, string][] = [
  ['a JSON array', JSON.stringify(ROWS)],
  [
    'a JSON array over many lines, with a byte order mark',
    `${BYTE_ORDER_MARK}\r\n ${JSON.stringify(ROWS, null, '\t')}\n`,
  ],
  ['JSON Lines', jsonLines(...ROWS)],
  [
    'JSON Lines with CRLF and blank lines',
    `${BYTE_ORDER_MARK}${ROWS.map(row => `\r\n${JSON.stringify(row)}\r\n`).join('')}`,
  ],
  ['CSV', csv(',', '\r\n', ...ROWS)],
  ['CSV with semicolons and a byte order mark', BYTE_ORDER_MARK + csv(';', '\n', ...ROWS)],
  ['tab-separated values without a last line feed', csv('\t', '\n', ...ROWS).trimEnd()],
  ['CSV with names in another case', csv(',', '\n', ...ROWS).replace('title', ' Title')],
]

describe('file formats', () => {
  test.each(FORMATS)('imports %s', async (_, content) => {
    expect(await folder.import(folder.file(content))).toEqual({
      status: 0,
      out:
        'Imported 2 rows.\n' +
        'Created 1 category: "Land & Animals".\nCreated 1 term: "Full-time".\nCreated 1 archived plan: "Imported".\nNobody else can post on an archived plan. Activate it with PUT /plans/{id}/activate.json.\n',
      err: '',
    })
    expect(await folder.jobs()).toMatchObject([
      { title: 'Beekeeper', description: ROW.description, applicationUrl: ROW.application_url },
      { title: 'Shepherd', description: 'Sheep' },
    ])
  })

  const readers: [string, RowReader | undefined, string][] = [
    ['JSON array', readJsonArray, JSON.stringify(ROWS)],
    ['JSON Lines', readJsonLines, jsonLines(...ROWS)],
    ['CSV', csvReader(COLUMNS.join(',')), csv(',', '\n', ...ROWS)],
  ]
  test.each(readers)('reads a %s from chunks of any size', (_, reader, text) => {
    const bytes = Buffer.from(text)
    const titlesIn = (size: number) => {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (__, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      return [...(reader?.(chunks) ?? [])]
        .flatMap(row => row ?? [])
        .map(({ content }) =>
          typeof content === 'string'
            ? content
            : [content.values.get('title'), content.values.get('description')],
        )
    }
    for (const size of [1, 2, 7, bytes.length])
      expect(titlesIn(size)).toEqual(ROWS.map(({ title, description }) => [title, description]))
  })

  test.each([
    ['does not exist', undefined, "can't be read: no such file."],
    ['is empty', '', 'is empty.'],
    ['is blank', ' \n\n', 'is empty.'],
    ['is UTF-16', Buffer.from(`${BYTE_ORDER_MARK}[]`, 'utf16le'), "isn't valid UTF-8. Save it as UTF-8."],
    ['is a web page', '<!doctype html>\n<title>Jobs</title>', 'is neither JSON, JSON Lines nor CSV'],
    ['has no header', 'Beekeeper,Bees\n', 'nor CSV with a header of field names'],
    ['has old line endings', 'title,description\rA,B\r', 'has old line endings (a carriage return alone)'],
  ])('refuses a file that %s, before it creates a data directory', async (_, content, sentence) => {
    const path = content === undefined ? join(folder.path, 'none') : folder.file(content)
    const { status, out, err } = await folder.import(path)
    expect({ status, out, lines: err.split('\n').length }).toEqual({ status: 1, out: '', lines: 2 })
    expect(err).toStartWith(path)
    expect(err).toContain(sentence)
    expect(existsSync(folder.data)).toBeFalse()
  })

  test('uses defaults for empty CSV cells', async () => {
    const cells = { ...ROW, arrangement: '', salary: ' ', salary_period: '', plan: '', plan_id: '', logo: '' }
    await folder.import(folder.file(csv(';', '\n', cells)))
    expect(await folder.jobs()).toMatchObject([
      { arrangement: 'remote', salary: null, salaryPeriod: 'monthly' },
    ])
  })

  test('imports nothing from an empty array', async () => {
    expect(await folder.import(folder.file('[ ]'))).toEqual({ status: 0, out: 'Imported 0 rows.\n', err: '' })
  })

  test('imports a pipe', async () => {
    const flags = ['--data', folder.data]
    const stdin = JSON.stringify(ROWS)
    const { status, out } = await corkboard(['import', '/dev/stdin', ...flags], { stdin })
    expect({ status, out: out.split('\n')[0] }).toEqual({ status: 0, out: 'Imported 2 rows.' })
  })
})
