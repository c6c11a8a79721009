import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { START } from '../helpers/board.ts'
import { COLUMNS, csv, ImportFolder, ROW } from '../helpers/importFolder.ts'

let folder: ImportFolder
beforeEach(async () => {
  folder = await ImportFolder.create()
})
afterEach(() => folder.remove())

const GOOD = JSON.stringify(ROW)
const TABLE = csv(',', '\n', ROW)
const RECORD = TABLE.slice(COLUMNS.join(',').length + 1)

describe('rows with errors', () => {
  const fileWithErrors = () =>
    folder.lines({ ...ROW, title: 'x'.repeat(65), location: ' ' }, ROW, {
      ...ROW,
      category: 'Other',
      salary: -1,
    })
  const ERRORS = [
    `Line 1 "${'x'.repeat(65)}": title is too long: at most 64 characters, and it has 65; location is required.`,
    'Line 3 "Beekeeper": salary must be from 0 to 9007199254740991.',
  ]

  test('are all listed, and nothing is imported', async () => {
    expect(await folder.import(fileWithErrors())).toEqual({
      status: 1,
      out: '',
      err: [
        ...ERRORS,
        'Nothing was imported: 2 of 3 rows have errors. Correct them, or add --keep-going to import the others.\n',
      ].join('\n'),
    })
    expect(await folder.jobs()).toEqual([])
    expect(await folder.categories()).toEqual([])
  })

  test('are skipped with --keep-going, and the records that only they refer to are not created', async () => {
    const { status, out, err } = await folder.import(fileWithErrors(), '--keep-going')
    expect({ status, out: out.split('\n')[0], err }).toEqual({
      status: 0,
      out: 'Imported 1 of 3 rows.',
      err: [...ERRORS, 'Skipped 2 rows with errors.\n'].join('\n'),
    })
    expect(await folder.jobs()).toHaveLength(1)
    expect(await folder.categories()).toEqual(['Land & Animals'])
  })

  test.each([
    [
      "a line that isn't JSON",
      `${GOOD}\n{"title": Bee}\n${GOOD}`,
      'Line 2: The row is not valid JSON: look at line 1, column 11.',
      2,
    ],
    ["a line that isn't an object", `${GOOD}\n["Bee"]\n`, 'Line 2: The row must be a JSON object', 1],
    [
      "a line that isn't UTF-8",
      Buffer.concat([Buffer.from(`${GOOD}\n{"title":"`), Buffer.of(0xff), Buffer.from('"}\n')]),
      'Line 2: The row is not valid UTF-8.',
      1,
    ],
    [
      'a line without an end',
      `${GOOD}\n${GOOD}\n${' '.repeat(2 ** 24)}{`,
      'Line 3: The row is larger than 16 MiB.',
      2,
    ],
    [
      'a line that is nested too deeply',
      `${GOOD}\n{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
      'Line 2: The JSON is nested deeper than 32 levels.',
      1,
    ],
    ["an element that isn't an object", `[${GOOD},5,${GOOD}]`, 'Row 2: The row must be a JSON object', 2],
    ["an element that isn't JSON", `[${GOOD},{bad},${GOOD}]`, 'Row 2: The row is not valid JSON', 2],
    [
      'an array that is cut off between two elements',
      `[${GOOD},${GOOD}`,
      'Row 3: The end of the array is missing.',
      2,
    ],
    [
      'an array that is cut off within an element',
      `[${GOOD},{"title":"Bee`,
      'Row 2: The row is not valid JSON',
      1,
    ],
    [
      'a record with too few cells',
      `${TABLE}Bee,Bees\n${RECORD}`,
      'Line 5: The row has 2 cells, but the header has 8.',
      2,
    ],
    [
      'a record with a quote within a cell',
      `${TABLE}5" pipe,b,c,d,e,f,g,h\n${RECORD}`,
      'Line 5: The row has a misplaced or unclosed quote.',
      2,
    ],
    [
      'a record with text after a closing quote',
      `${TABLE}"5"x,b,c,d,e,f,g,h\n${RECORD}`,
      'Line 5: The row has a misplaced or unclosed quote.',
      2,
    ],
    [
      'a record after CRLF in quotes',
      `${csv(',', '\r\n', { ...ROW, description: 'One\r\nTwo\r\nThree' })}Bee,Bees\r\n`,
      'Line 5: The row has 2 cells, but the header has 8.',
      1,
    ],
    [
      'a record that is too long',
      `${TABLE}${'x'.repeat(2 ** 24 + 1)}\n${RECORD}`,
      'Line 5: The row is larger than 16 MiB.',
      2,
    ],
    [
      'a record with a unclosed quote',
      `${TABLE}"Bee,b,c,d,e,f,g,h\n`,
      'Line 5: The row has a misplaced or unclosed quote.',
      1,
    ],
  ])('lists %s', async (_, content, sentence, imported) => {
    const { status, err } = await folder.import(folder.file(content), '--keep-going')
    expect(err).toContain(sentence)
    // importing none of the rows is a failure
    expect(status).toBe(imported > 0 ? 0 : 1)
    expect(await folder.jobs()).toHaveLength(imported)
  })

  test.each<[object, string]>([
    [{ category: undefined }, 'category is required'],
    [{ category: ' ', category_id: '' }, 'category is required'],
    [{ category: { id: 1 } }, 'category is required'],
    [{ term: 5 }, 'term must be text'],
    [{ term: 'x'.repeat(65) }, 'term is too long: at most 64 characters, and it has 65'],
    [{ category: undefined, category_id: 7 }, "category_id doesn't match any category"],
    [{ term: undefined, term_id: 'seven' }, 'term_id must be a whole number'],
    [{ plan_id: 7 }, "plan_id doesn't match any plan"],
    [{ plan: { name: 'Gold', price: -1 } }, 'plan price must be from 0 to 9007199254740991'],
    [{ plan: { name: 'Gold', pin: 'yes' } }, 'plan pin must be true or false'],
    [
      { created_at: '2026-01-10' },
      'created_at must be an RFC 3339 timestamp, such as 2026-01-10T18:21:59+00:00',
    ],
    [{ created_at: START }, 'created_at must be an RFC 3339 timestamp, such as 2026-01-10T18:21:59+00:00'],
    [{ created_at: '2026-01-10T18:22:00Z' }, 'created_at must not be in the future'],
    [{ application_type: 'email' }, 'application_email is required'],
    [{ logo: 'no base64!' }, 'logo must be a picture in base64, such as data:image/png;base64,…'],
    [{ logo: {} }, 'logo must be a picture in base64, such as data:image/png;base64,…'],
    [{ logo: 'aGVsbG8=' }, 'logo must be a PNG, JPEG, WebP or GIF image'],
  ])('lists a row with %j', async (fields, error) => {
    const { err } = await folder.import(folder.lines({ ...ROW, ...fields }))
    expect(err).toStartWith(`Line 1 "Beekeeper": ${error}.\nNothing was imported`)
  })

  test('are listed without control characters', async () => {
    const { err } = await folder.import(folder.lines({ ...ROW, title: 'A\u001B[2J\u009B2J\nB' }))
    expect(err).toStartWith('Line 1 "A [2J 2J B": title must be one line')
  })
})
