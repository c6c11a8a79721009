import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE, timestamp } from '../../src/base/clock.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  JOB_FIELDS,
  openFixtureBoard,
  PLAN_ID,
  REQUIRED_FIELDS,
} from '../helpers/fixtures.ts'
import { fieldErrors, jsonObject } from '../helpers/responses.ts'

let fixture: FixtureBoard
let job: string

beforeAll(async () => {
  fixture = await openFixtureBoard()
  const [id] = await insertJobs(fixture.test.board, [{ userId: fixture.owner.id }])
  job = `/jobs/${id}.json`
})
// an account may post 60 jobs a minute
beforeEach(() => {
  fixture.test.clock.now += MINUTE
})
afterAll(() => fixture.test.close())

const create = (body: object, as = fixture.owner) => fixture.test.post('/jobs.json', { as, body })
const update = (body: object, as = fixture.owner) => fixture.test.put(job, { as, body })

const EMOJI = '🦀'
const THE_LARGEST = Number.MAX_SAFE_INTEGER
const NUL = 'has NUL \0 in it'
const LONE = 'half of a pair \ud83e'
const SPACES = [' ', '\t\n', '\u00a0', '\u2003']
const BLANKS: readonly unknown[] = ['', null, ...SPACES]

const urlOf = (length: number) => `https://x.example/${'a'.repeat(length - 'https://x.example/'.length)}`
const emailOf = (length: number) => {
  const domain = `${'b'.repeat(60)}.`.repeat(4)
  return `${'a'.repeat(60)}@${domain}`.slice(0, length)
}

/** The values that each field accepts, with how they are shown if that differs, and the values that it refuses. */
interface Rule {
  readonly right: readonly (readonly [sent: unknown, shown?: unknown])[]
  readonly wrong: readonly unknown[]
  /** Other fields to send. */
  readonly beside?: object
}

const NO_LINE = ['', null, ...SPACES, 7, true, [], ['text'], {}, NUL, LONE, 'two\nlines', 'a\rb', 'a\u0085b']
const CONTROLS = ['bell \u0007', 'delete \u007f', 'tab \t here', 'line\u2028separator', 'line\u2029separator']

const line = (most: number): Rule => ({
  right: [
    ['x'],
    ['x'.repeat(most)],
    [EMOJI.repeat(most)],
    [`  ${'x'.repeat(most)}\n`, 'x'.repeat(most)],
    ['\u00a0trimmed\u2003', 'trimmed'],
    ['<b>&"quotes\'</b>'],
    ['مرحبا 你好'],
    ['12'],
  ],
  wrong: [...NO_LINE, ...CONTROLS, 'x'.repeat(most + 1), EMOJI.repeat(most + 1)],
})

const webAddress: Rule = {
  right: [
    ['http://a.example'],
    ['HTTPS://A.example/Path?q=1#end'],
    ['  https://a.example/ ', 'https://a.example/'],
    ['https://localhost:8080/x'],
    ['https://[2001:db8::1]/'],
    ['https://bücher.example/ü'],
    [urlOf(2048)],
  ],
  wrong: [
    ...NO_LINE,
    urlOf(2049),
    'a.example',
    '/relative',
    '//a.example/',
    'ftp://a.example/',
    'javascript:alert(1)',
    'data:text/html,hello',
    'mailto:a@b.example',
    'https://',
    'https:///path',
    'https:a.example',
    'http:/a.example',
    'https://a b.example/',
    'https://a.example/with space',
    'https://a.example:99999/',
    'https://%/',
    'https://\\a.example',
  ],
}

const emailAddress: Rule = {
  right: [
    ['a@b.example'],
    ['  a@b.example ', 'a@b.example'],
    ['Jobs+nurse@Sub.Example'],
    ['jürgen@bücher.example'],
    [emailOf(254)],
  ],
  wrong: [
    ...NO_LINE,
    emailOf(255),
    'a',
    'a@',
    '@b.example',
    'a@b@c.example',
    'a b@c.example',
    'a@b..example',
    'a@-b.example',
    'A <a@b.example>',
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    `${'a'.repeat(65)}@b.example`,
  ],
  beside: { application_type: 'email' },
}

const choice = (...words: string[]): Rule => ({
  right: [...words.map(word => [word] as const), [` ${words[0]} `, words[0]]],
  wrong: ['other', words[0]?.toUpperCase(), 0, 7, true, [words[0]], {}, NUL],
})

const WHOLE_WRONG = [
  -1,
  1.5,
  '1.5',
  '1e3',
  '0x10',
  '1,000',
  'many',
  true,
  [],
  [1],
  {},
  THE_LARGEST + 1,
  '9007199254740992',
  1e300,
]

const idRule: Rule = {
  right: [
    ['1', { id: 1 }],
    [' 2 ', { id: 2 }],
    [2, { id: 2 }],
  ],
  wrong: [...WHOLE_WRONG, '', null, 0, 999, THE_LARGEST],
}

const RULES: Record<string, Rule> = {
  title: line(64),
  location: line(255),
  company: line(255),
  description: {
    right: [
      ['x'.repeat(65_536)],
      [EMOJI.repeat(65_536)],
      [' two\r\nlines\t\u0007 \n'],
      ['<script>alert(1)</script> {"a": [1]}'],
    ],
    wrong: ['', null, ...SPACES, 'x'.repeat(65_537), EMOJI.repeat(65_537), 7, true, ['text'], {}, NUL, LONE],
  },
  salary: {
    right: [
      [0, '0'],
      ['0', '0'],
      ['007', '7'],
      [' 12 ', '12'],
      [12, '12'],
      [1.0, '1'],
      [THE_LARGEST, '9007199254740991'],
      ['9007199254740991', '9007199254740991'],
      ['', ''],
      [' ', ''],
      [null, ''],
    ],
    wrong: WHOLE_WRONG,
    beside: { salary_currency: 'EUR' },
  },
  salary_currency: {
    right: [['EUR'], ['nok', 'NOK'], [' Sek ', 'SEK']],
    wrong: [
      '',
      null,
      ' ',
      'EURO',
      'EU',
      'XXX',
      'XAU',
      'DEM',
      'HRK',
      'BGN',
      '978',
      978,
      true,
      ['EUR'],
      {},
      NUL,
    ],
    beside: { salary: 1 },
  },
  salary_period: choice('hourly', 'daily', 'weekly', 'monthly', 'yearly'),
  arrangement: choice('remote', 'onsite', 'hybrid'),
  company_website: webAddress,
  application_url: webAddress,
  application_email: emailAddress,
  application_type: {
    ...choice('url'),
    wrong: ['URL', 'fax', 7, true, ['url'], {}],
    beside: { application_url: 'https://a.example/' },
  },
  category_id: idRule,
  term_id: idRule,
}

/** Fields with a default. Blank values count as not sent. */
const DEFAULTS = {
  arrangement: ['remote', 'hybrid'],
  salary_currency: ['USD', 'EUR'],
  salary_period: ['monthly', 'daily'],
  application_type: ['url', 'email'],
} as const

describe.each(Object.entries(DEFAULTS))('%s', (field, [preset, other]) => {
  test.each(BLANKS.map(sent => [sent]))(
    'sent as %j takes its default, and stays on an update',
    async sent => {
      const created = await jsonObject(
        create({ ...REQUIRED_FIELDS, application_email: 'a@b.example', [field]: sent }),
      )
      expect(created[field]).toBe(preset)
      const path = `/jobs/${Number(created['id'])}.json`
      await fixture.test.put(path, { as: fixture.owner, body: { [field]: other } })
      const response = fixture.test.put(path, { as: fixture.owner, body: { [field]: sent } })
      expect(await jsonObject(response)).toMatchObject({ [field]: other })
    },
  )
})

test('a form with empty optional inputs creates a job with the defaults', async () => {
  const { category_id, term_id, plan_id, ...plain } = REQUIRED_FIELDS
  const parents = { category_id: String(category_id), term_id: String(term_id), plan_id: String(plan_id) }
  const empty = { arrangement: '', salary: '', salary_currency: '', salary_period: '', application_type: '' }
  const fields = { ...plain, ...parents, ...empty, application_email: '', logo: '' }
  const names = Object.entries(fields).map(([name, value]): [string, string] => [`job[${name}]`, value])
  const response = await create(new URLSearchParams(names))
  expect(response.status).toBe(201)
  expect(await jsonObject(response)).toMatchObject({
    arrangement: 'remote',
    salary: '',
    salary_currency: 'USD',
    salary_period: 'monthly',
    application_type: 'url',
    logo: '',
  })
})

const shownAs: Record<string, string> = { category_id: 'category', term_id: 'term' }

const ids = (value: unknown) =>
  typeof value === 'object' && value !== null && 'id' in value ? { id: value.id } : value

describe.each(Object.entries(RULES))('%s', (field, { right, wrong, beside = {} }) => {
  test.each(right)('takes %j', async (sent, readJob = sent) => {
    for (const [response, status] of [
      [await create({ ...REQUIRED_FIELDS, ...beside, [field]: sent }), 201],
      [await update({ ...beside, [field]: sent }), 200],
    ] as const) {
      expect(response.status).toBe(status)
      expect(ids((await jsonObject(response))[shownAs[field] ?? field])).toEqual(readJob)
    }
  })

  test.each(wrong.map(sent => [sent]))('does not take %j', async sent => {
    const before = dump(fixture.test)
    const errors = { [field]: [expect.any(String)] }
    expect(await fieldErrors(create({ ...REQUIRED_FIELDS, ...beside, [field]: sent }))).toEqual(errors)
    // an optional field keeps its value if it is sent blank
    const isKept = field.startsWith('application_') && BLANKS.includes(sent)
    if (!isKept) expect(await fieldErrors(update({ ...beside, [field]: sent }))).toEqual(errors)
    expect(dump(fixture.test)).toEqual(before)
  })
})

describe('plan_id', () => {
  test.each([[PLAN_ID.basic], ['2'], [PLAN_ID.endless]])('takes %j', async sent => {
    const response = await create({ ...REQUIRED_FIELDS, plan_id: sent })
    expect(await jsonObject(response)).toMatchObject({ plan: { id: Number(sent) } })
  })

  test.each([...WHOLE_WRONG, '', null, 0, 999, PLAN_ID.archived].map(sent => [sent]))(
    'does not take %j',
    async sent =>
      expect(await fieldErrors(create({ ...REQUIRED_FIELDS, plan_id: sent }))).toEqual({
        plan_id: [expect.any(String)],
      }),
  )

  test.each([[2], ['2'], [999], ['nonsense'], [1.5]])("can't be changed to %j", async sent => {
    const before = dump(fixture.test)
    expect(await fieldErrors(update({ plan_id: sent, title: 'x' }))).toEqual({
      plan_id: [expect.any(String)],
    })
    expect(dump(fixture.test)).toEqual(before)
  })

  test.each([[1], ['1'], [null], ['']])(
    'changes nothing when it is the own one, or blank: %j',
    async sent => {
      const before = await jsonObject(fixture.test.get(job, { as: fixture.owner }))
      expect(await jsonObject(update({ plan_id: sent }))).toEqual(before)
    },
  )
})

test.each([
  ['1e400', 422],
  ['1e2', '100'],
  ['5.0', '5'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', 422],
  ['9007199254740993', 422],
  ['0.1', 422],
])('a salary written in JSON as %s is %p', async (number, outcome) => {
  const response = await fixture.test.put(job, {
    as: fixture.owner,
    body: `{"salary": ${number}, "salary_currency": "EUR"}`,
    headers: JSON_TYPE,
  })
  if (typeof outcome === 'number') expect(response.status).toBe(outcome)
  else expect(await jsonObject(response)).toMatchObject({ salary: outcome })
})

describe('a new job', () => {
  test('shows what was sent, and its owner', async () => {
    const { status, headers, ...response } = await answerOf(create(JOB_FIELDS))
    const { category_id, term_id, plan_id, salary, ...plain } = JOB_FIELDS
    const plan = {
      id: plan_id,
      name: 'Basic',
      price: 0,
      period: 30,
      highlight: false,
      badge: false,
      pin: false,
    }
    const url = `https://board.example.com/jobs/${response.body['id']}`
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${url}.json`)
    expect(response.body).toEqual({
      ...plain,
      id: expect.any(Number),
      salary: String(salary),
      category: { id: category_id, name: 'Trades' },
      term: { id: term_id, name: 'Full time' },
      plan,
      logo: '',
      url: `${url}.json`,
      preview_image_url: expect.stringMatching(new RegExp(`^${url}\\.png`)),
      created_at: timestamp(fixture.test.clock.now),
      updated_at: timestamp(fixture.test.clock.now),
      expires_at: timestamp(fixture.test.clock.now + 30 * DAY),
      status: 'active',
      views: 0,
      user: { id: fixture.owner.id, email: fixture.owner.email },
    })
  })

  test('has its fields in the documented order', async () => {
    const { body } = await answerOf(create(REQUIRED_FIELDS))
    const readJob = await jsonObject(fixture.test.get(`/jobs/${String(body['id'])}.json`))
    expect(Object.keys(readJob).join(' ')).toBe(
      'id title description location arrangement salary salary_currency salary_period company company_website ' +
        'application_type application_url term category plan logo url preview_image_url created_at',
    )
  })

  test('has defaults for fields that were not sent', async () =>
    expect((await answerOf(create(REQUIRED_FIELDS))).body).toMatchObject({
      arrangement: 'remote',
      salary: '',
      salary_currency: 'USD',
      salary_period: 'monthly',
      application_type: 'url',
      logo: '',
    }))

  test.each([[{}], [undefined], ['']])('of %j gets an error for every required field at once', async body => {
    const response = fixture.test.post('/jobs.json', {
      as: fixture.owner,
      ...(body !== undefined && { body }),
    })
    expect(await fieldErrors(response)).toEqual({
      title: ['is required'],
      description: ['is required'],
      location: ['is required'],
      company: ['is required'],
      company_website: ['is required'],
      application_url: ['is required'],
      category_id: ['is required'],
      term_id: ['is required'],
      plan_id: ['is required'],
    })
  })

  test('gets an error for every wrong field at once, unknown ids and the logo included', async () => {
    const type = { application_type: 'email' }
    const wrong = {
      title: 'x'.repeat(65),
      description: NUL,
      location: 7,
      arrangement: 'moon',
      salary: -1,
      salary_currency: 'DEM',
      salary_period: 'often',
      company: '',
      company_website: 'ftp://x.example',
      application_email: 'nobody',
      category_id: 999,
      term_id: 999,
      plan_id: PLAN_ID.archived,
      logo: 7,
    }
    expect(Object.keys(Object(await fieldErrors(create({ ...type, ...wrong })))).toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    )
  })

  test('is refused without repeating any input', async () => {
    const SECRET = 'Rumpelstiltskin'
    const texts = Object.fromEntries(
      Object.keys({ ...JOB_FIELDS, logo: 1 }).map(name => [name, SECRET.repeat(99)]),
    )
    const responses = [
      await create(texts),
      await update(texts),
      await create([SECRET]),
      await fixture.test.post('/jobs.json', {
        as: fixture.owner,
        body: `{"${SECRET}": ${SECRET}}`,
        headers: JSON_TYPE,
      }),
      await fixture.test.get(`/jobs.json?term=${SECRET}&page=${SECRET}&status=${SECRET}`, {
        as: fixture.owner,
      }),
      await fixture.test.post('/users.json', {
        as: fixture.admin,
        body: { email: SECRET, password: 'short', role: SECRET },
      }),
    ]
    for (const response of responses) {
      expect(response.status).toBeOneOf([400, 422])
      expect(await response.text()).not.toContain(SECRET)
    }
  })
})

const JSON_TYPE = { 'content-type': 'application/json' }

async function answerOf(response: Promise<Response>) {
  const { status, headers } = await response
  return { status, headers, body: await jsonObject(response) }
}
