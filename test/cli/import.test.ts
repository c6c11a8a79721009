import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../../src/base/clock.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { csvReader } from '../../src/cli/imports/csv.ts'
import { readJsonArray, readJsonLines } from '../../src/cli/imports/json.ts'
import type { RowReader } from '../../src/cli/imports/rows.ts'
import { run } from '../../src/cli/run.ts'
import type { Store } from '../../src/store/store.ts'
import { START } from '../helpers/board.ts'
import { withData } from '../helpers/data.ts'
import { TestHost } from '../helpers/host.ts'
import { png } from '../helpers/pictures.ts'
import { corkboard, corkboardOnTerminal } from '../helpers/process.ts'

const ROW = {
  title: 'Beekeeper',
  description: 'Bees, "honey"; [wax] {and}\n\\ a 5" smoker, }] €9.\n\\',
  location: 'Ljubljana',
  company: 'Apiary',
  company_website: 'https://example.com',
  application_url: 'https://example.com/apply',
  category: 'Land & Animals',
  term: 'Full-time',
}
const LOGO = Buffer.from(png(8, 8)).toString('base64')

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-import-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A file in the test's folder. */
function file(content: string | Uint8Array): string {
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return path
}

const lines = (...rows: object[]) => file(rows.map(row => `${JSON.stringify(row)}\n`).join(''))

async function importFrom(from: string, ...flags: string[]) {
  const host = new TestHost()
  const status = await run(COMMANDS, ['import', from, '--data', join(folder, 'data'), ...flags], host)
  return { status, out: host.out, err: host.err }
}

const withStore = <T>(work: (store: Store) => T | Promise<T>) => withData(join(folder, 'data'), work)

const jobs = () => withStore(({ read }) => read.jobs.all())
const plans = () => withStore(({ read }) => read.plans.all())
const categories = () => withStore(({ read }) => read.categories.all().map(({ name }) => name))
const logoFiles = () => readdirSync(join(folder, 'data', 'logos'))

const COLUMNS = Object.keys(ROW)
const MARK = '\u{feff}'

function csv(delimiter: string, ending: string, ...rows: Record<string, string>[]): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const records = rows.map(row => Object.values(row).map(quoted))
  return [Object.keys(rows[0] ?? {}), ...records].map(cells => cells.join(delimiter) + ending).join('')
}

const TWO = [ROW, { ...ROW, title: 'Shepherd', description: 'Sheep' }] as const

const FORMATS: [string, string][] = [
  ['a JSON array', JSON.stringify(TWO)],
  [
    'a JSON array over many lines, with a byte order mark',
    `${MARK}\r\n ${JSON.stringify(TWO, null, '\t')}\n`,
  ],
  ['JSON Lines', TWO.map(row => `${JSON.stringify(row)}\n`).join('')],
  [
    'JSON Lines of another system, with blank lines',
    `${MARK}${TWO.map(row => `\r\n${JSON.stringify(row)}\r\n`).join('')}`,
  ],
  ['CSV', csv(',', '\r\n', ...TWO)],
  ['CSV with semicolons and a byte order mark', MARK + csv(';', '\n', ...TWO)],
  ['a table with tabs, without a line feed at its end', csv('\t', '\n', ...TWO).trimEnd()],
  ['CSV with names in another case', csv(',', '\n', ...TWO).replace('title', ' Title')],
]

describe('file formats', () => {
  test.each(FORMATS)('imports %s', async (_, content) => {
    expect(await importFrom(file(content))).toEqual({
      status: 0,
      out:
        'Imported 2 rows.\n' +
        'Created 1 category: "Land & Animals".\nCreated 1 term: "Full-time".\nCreated 1 plan: "Imported".\n',
      err: '',
    })
    expect(await jobs()).toMatchObject([
      { title: 'Beekeeper', description: ROW.description, applicationUrl: ROW.application_url },
      { title: 'Shepherd', description: 'Sheep' },
    ])
  })

  const readers: [string, RowReader | undefined, string][] = [
    ['JSON array', readJsonArray, JSON.stringify(TWO)],
    ['JSON Lines', readJsonLines, TWO.map(row => `${JSON.stringify(row)}\n`).join('')],
    ['CSV', csvReader(COLUMNS.join(',')), csv(',', '\n', ...TWO)],
  ]
  test.each(readers)('reads a %s from chunks of any size', (_, reader, text) => {
    const bytes = Buffer.from(text)
    const titlesIn = (size: number) => {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (__, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      return [...(reader?.(chunks) ?? [])].map(({ content }) =>
        typeof content === 'string'
          ? content
          : [content.values.get('title'), content.values.get('description')],
      )
    }
    for (const size of [1, 2, 7, bytes.length])
      expect(titlesIn(size)).toEqual(TWO.map(({ title, description }) => [title, description]))
  })

  test.each([
    ['is not there', undefined, "can't be read: no such file."],
    ['is empty', '', 'is empty.'],
    ['is blank', ' \n\n', 'is empty.'],
    ['is UTF-16', Buffer.from(`${MARK}[]`, 'utf16le'), "isn't valid UTF-8. Save it as UTF-8."],
    ['is a page', '<!doctype html>\n<title>Jobs</title>', 'is neither JSON, JSON Lines nor CSV'],
    ['has no header', 'Beekeeper,Bees\n', 'nor CSV with a header of field names'],
    ['has old line ends', 'title,description\rA,B\r', 'has old line endings (a carriage return alone)'],
  ])('refuses a file that %s, before it creates a data directory', async (_, content, sentence) => {
    const path = content === undefined ? join(folder, 'none') : file(content)
    const { status, out, err } = await importFrom(path)
    expect({ status, out, lines: err.split('\n').length }).toEqual({ status: 1, out: '', lines: 2 })
    expect(err).toStartWith(path)
    expect(err).toContain(sentence)
    expect(existsSync(join(folder, 'data'))).toBeFalse()
  })

  test('uses defaults for empty CSV cells', async () => {
    const cells = { ...ROW, arrangement: '', salary: ' ', salary_period: '', plan: '', plan_id: '', logo: '' }
    await importFrom(file(csv(';', '\n', cells)))
    expect(await jobs()).toMatchObject([{ arrangement: 'remote', salary: null, salaryPeriod: 'monthly' }])
  })

  test('imports nothing from an empty array', async () => {
    expect(await importFrom(file('[ ]'))).toEqual({ status: 0, out: 'Imported 0 rows.\n', err: '' })
  })

  test('imports a pipe', async () => {
    const flags = ['--data', join(folder, 'data')]
    const stdin = JSON.stringify(TWO)
    const { status, out } = await corkboard(['import', '/dev/stdin', ...flags], { stdin })
    expect({ status, out: out.split('\n')[0] }).toEqual({ status: 0, out: 'Imported 2 rows.' })
  })
})

const GOOD = JSON.stringify(ROW)

describe('rows with errors', () => {
  const dirty = () =>
    lines({ ...ROW, title: 'x'.repeat(65), location: ' ' }, ROW, { ...ROW, category: 'Other', salary: -1 })
  const NAMED = [
    `Line 1 "${'x'.repeat(65)}": title is too long: at most 64 characters, and it has 65; location is required.`,
    'Line 3 "Beekeeper": salary must be from 0 to 9007199254740991.',
  ]

  test('are all listed, and nothing is imported', async () => {
    expect(await importFrom(dirty())).toEqual({
      status: 1,
      out: '',
      err: [
        ...NAMED,
        'Nothing was imported: 2 of 3 rows have errors. Correct them, or add --keep-going to import the others.\n',
      ].join('\n'),
    })
    expect(await jobs()).toEqual([])
    expect(await categories()).toEqual([])
  })

  test('are skipped with --keep-going, and the records that only they name are not created', async () => {
    const { status, out, err } = await importFrom(dirty(), '--keep-going')
    expect({ status, out: out.split('\n')[0], err }).toEqual({
      status: 0,
      out: 'Imported 1 of 3 rows.',
      err: [...NAMED, 'Skipped 2 rows with errors.\n'].join('\n'),
    })
    expect(await jobs()).toHaveLength(1)
    expect(await categories()).toEqual(['Land & Animals'])
  })

  test.each([
    [
      'a line that is no JSON',
      `${GOOD}\n{"title": Bee}\n${GOOD}`,
      'Line 2: The row is not valid JSON: look at line 1, column 11.',
      2,
    ],
    ['a line that is no object', `${GOOD}\n["Bee"]\n`, 'Line 2: The row must be a JSON object', 1],
    [
      'a line that is not UTF-8',
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
      'a line that is nested too deep',
      `${GOOD}\n{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
      'Line 2: The JSON is nested deeper than 32 levels.',
      1,
    ],
    ['an element that is no object', `[${GOOD},5,${GOOD}]`, 'Row 2: The row must be a JSON object', 2],
    ['an element that is no JSON', `[${GOOD},{bad},${GOOD}]`, 'Row 2: The row is not valid JSON', 2],
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
      'a record with a cell too few',
      `${csv(',', '\n', ROW)}Bee,Bees\n${csv(',', '\n', ROW).slice(COLUMNS.join(',').length + 1)}`,
      'Line 5: The row has 2 cells, but the header has 8.',
      2,
    ],
    [
      'a record with a quote within a cell',
      `${csv(',', '\n', ROW)}5" pipe,b,c,d,e,f,g,h\n${csv(',', '\n', ROW).slice(COLUMNS.join(',').length + 1)}`,
      'Line 5: The row has a misplaced or unclosed quote.',
      2,
    ],
    [
      'a record with text after a closing quote',
      `${csv(',', '\n', ROW)}"5"x,b,c,d,e,f,g,h\n${csv(',', '\n', ROW).slice(COLUMNS.join(',').length + 1)}`,
      'Line 5: The row has a misplaced or unclosed quote.',
      2,
    ],
    [
      'a record that follows CRLF line ends in quotes',
      `${csv(',', '\r\n', { ...ROW, description: 'One\r\nTwo\r\nThree' })}Bee,Bees\r\n`,
      'Line 5: The row has 2 cells, but the header has 8.',
      1,
    ],
    [
      'a record that is too long',
      `${csv(',', '\n', ROW)}${'x'.repeat(2 ** 24 + 1)}\n${csv(',', '\n', ROW).slice(COLUMNS.join(',').length + 1)}`,
      'Line 5: The row is larger than 16 MiB.',
      2,
    ],
    [
      'a record with a quote that is not closed',
      `${csv(',', '\n', ROW)}"Bee,b,c,d,e,f,g,h\n`,
      'Line 5: The row has a misplaced or unclosed quote.',
      1,
    ],
  ])('lists %s', async (_, content, sentence, imported) => {
    const { status, err } = await importFrom(file(content), '--keep-going')
    expect(err).toContain(sentence)
    // importing none of the rows is a failure
    expect(status).toBe(imported > 0 ? 0 : 1)
    expect(await jobs()).toHaveLength(imported)
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
  ])('lists a row with %j', async (fields, fault) => {
    const { err } = await importFrom(lines({ ...ROW, ...fields }))
    expect(err).toStartWith(`Line 1 "Beekeeper": ${fault}.\nNothing was imported`)
  })

  test('are listed without control characters', async () => {
    const { err } = await importFrom(lines({ ...ROW, title: 'A\u001B[2J\u009B2J\nB' }))
    expect(err).toStartWith('Line 1 "A [2J 2J B": title must be one line')
  })
})

describe('the category, term and plan of a row', () => {
  test('are found by name in any case, and created if missing', async () => {
    await importFrom(lines(ROW))
    const { out } = await importFrom(
      lines(
        { ...ROW, category: 'LAND & animals', term: { id: 99, name: 'full-time' } },
        { ...ROW, category: { id: 1, name: 'Culture' }, term: undefined, term_id: 1, plan_id: 1 },
        { ...ROW, category: 'culture', category_id: 99 },
      ),
    )
    expect(out).toBe('Imported 3 rows.\nCreated 1 category: "Culture".\n')
    expect((await jobs()).map(job => [job.categoryId, job.termId, job.planId])).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [2, 1, 1],
      [2, 1, 1],
    ])
  })

  test('create a plan with price and period 0 unless more is given', async () => {
    const gold = { id: 7, name: 'Gold', price: 99, period: 30, highlight: true, badge: false, pin: true }
    await importFrom(
      lines({ ...ROW, plan: 'Bare' }, { ...ROW, plan: gold }, ROW, { ...ROW, plan: null }),
      '--plan',
      'Mine',
    )
    const flags = { highlight: false, badge: false, pin: false, archived: false }
    expect(await plans()).toEqual([
      { id: 1, name: 'Bare', price: 0, period: 0, ...flags },
      { ...gold, id: 2, archived: false },
      { id: 3, name: 'Mine', price: 0, period: 0, ...flags },
    ])
    expect((await jobs()).map(job => job.planId)).toEqual([1, 2, 3, 3])
  })

  test('refuse an archived plan', async () => {
    const plan = {
      name: 'Old',
      price: 0,
      period: 0,
      highlight: false,
      badge: false,
      pin: false,
      archived: true,
    }
    await withStore(store => store.write(tables => tables.plans.insert(plan).id))
    expect((await importFrom(lines({ ...ROW, plan: 'old' }))).err).toContain('plan is not offered any more.')
    expect((await importFrom(lines({ ...ROW, plan_id: 1 }))).err).toContain(
      'plan_id matches a plan that is archived',
    )
  })

  test.each(['', ' ', 'x'.repeat(65)])('refuse the default plan %j', async name => {
    expect(await importFrom(lines(ROW), '--plan', name)).toMatchObject({ status: 2, out: '' })
  })
})

describe('an imported job', () => {
  test('keeps its age, starts its period with the import, is active and has no owner', async () => {
    const plan = { name: 'Month', period: 30 }
    await importFrom(
      lines(
        { ...ROW, plan, created_at: '2020-02-29T12:00:00+01:00', expires_at: null, user: { id: 1 } },
        ROW,
      ),
    )
    expect(await jobs()).toMatchObject([
      {
        createdAt: Date.UTC(2020, 1, 29, 11),
        updatedAt: START,
        expiresAt: START + 30 * DAY,
        pending: false,
        userId: null,
      },
      { createdAt: START, expiresAt: null, logo: '' },
    ])
  })

  test('has the logo from its row', async () => {
    await importFrom(
      lines({ ...ROW, logo: `data:image/png;base64,${LOGO}` }, { ...ROW, logo: LOGO }, { ...ROW, logo: '' }),
    )
    const logos = (await jobs()).map(({ logo }) => logo)
    expect(logos[2]).toBe('')
    expect(logoFiles().sort()).toEqual(logos.slice(0, 2).sort())
  })

  test('leaves no logo behind if the import fails', async () => {
    const path = lines({ ...ROW, logo: LOGO }, { ...ROW, title: '' }, { ...ROW, logo: LOGO })
    expect((await importFrom(path)).status).toBe(1)
    expect(logoFiles()).toEqual([])
    await importFrom(path, '--keep-going')
    expect(logoFiles()).toHaveLength(2)
  })
})

test('refuses an import that is too large for the disk', async () => {
  await withStore(store => expect(store.write(() => 0, 2 ** 60)).rejects.toThrow('The disk is full'))
})

test('refuses to import while a server runs', async () => {
  await withStore(async () => {
    const { status, err } = await importFrom(lines(ROW))
    expect(status).toBe(1)
    expect(err).toMatch(/^\S+ is in use by another Corkboard \(process \d+\)\. Stop it first\.\n$/)
  })
})

test('shows progress on a terminal', async () => {
  const path = lines(ROW)
  const { status, screen } = await corkboardOnTerminal(['import', path, '--data', join(folder, 'data')], [])
  expect(status).toBe(0)
  expect(screen).toContain('Checking [##############################] 100 %')
  expect(screen).toContain('\r\u001B[KImported 1 row.')
})

describe('an import from a URL', () => {
  let server: Bun.Server<undefined>
  let answers: Record<string, () => Response>
  beforeEach(() => {
    answers = {}
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: request => {
        const { pathname, search } = new URL(request.url)
        return answers[pathname + search]?.() ?? new Response('{}', { status: 404 })
      },
    })
  })
  afterEach(() => server.stop(true))

  const url = (path: string) => server.url.origin + path
  const page = (rows: object[], next?: string) => () =>
    Response.json(rows, {
      headers:
        next === undefined ? {} : { link: `<${url('/jobs.json')}>; rel="first", <${next}>; rel="next"` },
    })

  test('imports the list and the pages that follow it', async () => {
    answers['/jobs.json'] = page([ROW, ROW], '/jobs.json?page=2')
    answers['/jobs.json?page=2'] = page([
      { ...ROW, title: 'Shepherd', category: { id: 5, name: 'Wool' }, salary: '' },
    ])
    const { status, out } = await importFrom(url('/jobs.json'))
    expect({ status, out: out.split('\n').slice(0, 2) }).toEqual({
      status: 0,
      out: ['Imported 3 rows.', 'Created 2 categories: "Land & Animals", "Wool".'],
    })
    expect((await jobs()).map(({ title }) => title)).toEqual(['Beekeeper', 'Beekeeper', 'Shepherd'])
  })

  test('lists a row with errors with its page', async () => {
    answers['/jobs.json'] = page([ROW], '/jobs.json?page=2')
    answers['/jobs.json?page=2'] = page([ROW, { ...ROW, company: '' }])
    expect((await importFrom(url('/jobs.json'))).err).toStartWith(
      'Page 2, row 2 "Beekeeper": company is required.\n',
    )
  })

  test('fetches logos from the same host only, and skips those that fail', async () => {
    const row = (logo: string) => ({ ...ROW, logo })
    answers['/jobs.json'] = page([
      row(url('/logos/good.png')),
      row(url('/logos/none.png')),
      row(url('/logos/text.png')),
      row(url('/logos/away.png')),
      row('https://elsewhere.example/logo.png'),
    ])
    answers['/logos/good.png'] = () => new Response(png(8, 8))
    answers['/logos/text.png'] = () => new Response('hello')
    answers['/logos/away.png'] = () => Response.redirect(url('/logos/good.png'))
    const { status, out, err } = await importFrom(url('/jobs.json'))
    expect({ status, first: out.split('\n')[0] }).toEqual({ status: 0, first: 'Imported 5 rows.' })
    expect(out).toContain('Skipped the logos of 1 row: they are on another host.\n')
    expect(err.split('\n')).toEqual([
      `Row 2: the logo was skipped: ${url('/logos/none.png')} responded with 404 Not Found.`,
      `Row 3: the logo was skipped: ${url('/logos/text.png')} must be a PNG, JPEG, WebP or GIF image.`,
      expect.stringContaining(`Row 4: the logo was skipped: ${url('/logos/away.png')} can't be fetched: `),
      '',
    ])
    expect(logoFiles()).toEqual([(await jobs())[0]?.logo ?? ''])
  })

  test.each<[string, () => Record<string, () => Response>, string]>([
    ['has no such path', () => ({}), '/jobs.json responded with 404 Not Found.'],
    [
      'responds with a web page',
      () => ({ '/jobs.json': () => new Response('<!doctype html>') }),
      '/jobs.json is neither JSON',
    ],
    [
      'links to another host',
      () => ({ '/jobs.json': page([ROW], 'https://example.com/jobs.json') }),
      '/jobs.json links to a next page on another host: https://example.com/jobs.json.',
    ],
    [
      'links in a circle',
      () => ({ '/jobs.json': page([ROW], '/jobs.json') }),
      '/jobs.json has too many pages, or they link in a circle.',
    ],
  ])('imports nothing and explains why if the service %s', async (_, made, sentence) => {
    Object.assign(answers, made())
    const { status, out, err } = await importFrom(url('/jobs.json'), '--keep-going')
    expect({ status, out, err }).toEqual({ status: 1, out: '', err: expect.stringContaining(sentence) })
    expect(await jobs()).toEqual([])
  })

  test('explains that the connection was refused', async () => {
    const from = url('/jobs.json')
    await server.stop(true)
    expect((await importFrom(from)).err).toBe(`${from} can't be fetched: connection refused.\n`)
  })

  test('refuses a URL with a password', async () => {
    const { status, err } = await importFrom('https://ada:secret@example.com/jobs.json')
    expect({ status, err }).toEqual({ status: 2, err: 'The URL must not contain a user name or password.\n' })
  })
})
