const EMOJI = '🦀'
const LARGEST = Number.MAX_SAFE_INTEGER
export const NUL = 'has NUL \0 in it'
const LONE = 'half of a pair \ud83e'
const SPACES = [' ', '\t\n', '\u00a0', '\u2003']
export const BLANKS: readonly unknown[] = ['', null, ...SPACES]

const urlOf = (length: number) => `https://x.example/${'a'.repeat(length - 'https://x.example/'.length)}`
const emailOf = (length: number) => {
  const domain = `${'b'.repeat(60)}.`.repeat(4)
  return `${'a'.repeat(60)}@${domain}`.slice(0, length)
}

/** The values that a field accepts, with how they are shown if that differs, and the values that it refuses. */
interface FieldRule {
  readonly accepted: readonly (readonly [sent: unknown, shown?: unknown])[]
  readonly refused: readonly unknown[]
  /** Other fields to send with it. */
  readonly others?: object
}

const NOT_A_LINE = [
  '',
  null,
  ...SPACES,
  7,
  true,
  [],
  ['text'],
  {},
  NUL,
  LONE,
  'two\nlines',
  'a\rb',
  'a\u0085b',
]
const CONTROLS = ['bell \u0007', 'delete \u007f', 'tab \t here', 'line\u2028separator', 'line\u2029separator']

const line = (most: number): FieldRule => ({
  accepted: [
    ['x'],
    ['x'.repeat(most)],
    [EMOJI.repeat(most)],
    [`  ${'x'.repeat(most)}\n`, 'x'.repeat(most)],
    ['\u00a0trimmed\u2003', 'trimmed'],
    ['<b>&"quotes\'</b>'],
    ['مرحبا 你好'],
    ['12'],
  ],
  refused: [...NOT_A_LINE, ...CONTROLS, 'x'.repeat(most + 1), EMOJI.repeat(most + 1)],
})

const webAddress: FieldRule = {
  accepted: [
    ['http://a.example'],
    ['HTTPS://A.example/Path?q=1#end'],
    ['  https://a.example/ ', 'https://a.example/'],
    ['https://localhost:8080/x'],
    ['https://[2001:db8::1]/'],
    ['https://bücher.example/ü'],
    [urlOf(2048)],
  ],
  refused: [
    ...NOT_A_LINE,
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

const emailAddress: FieldRule = {
  accepted: [
    ['a@b.example'],
    ['  a@b.example ', 'a@b.example'],
    ['Jobs+nurse@Sub.Example'],
    ['jürgen@bücher.example'],
    [emailOf(254)],
  ],
  refused: [
    ...NOT_A_LINE,
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
  others: { application_type: 'email' },
}

const choice = (...words: string[]): FieldRule => ({
  accepted: [...words.map(word => [word] as const), [` ${words[0]} `, words[0]]],
  refused: ['other', words[0]?.toUpperCase(), 0, 7, true, [words[0]], {}, NUL],
})

export const NOT_WHOLE = [
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
  LARGEST + 1,
  '9007199254740992',
  1e300,
]

const idRule: FieldRule = {
  accepted: [
    ['1', { id: 1 }],
    [' 2 ', { id: 2 }],
    [2, { id: 2 }],
  ],
  refused: [...NOT_WHOLE, '', null, 0, 999, LARGEST],
}

/** The rules of the fields of a job, by name. */
export const FIELD_RULES: Record<string, FieldRule> = {
  title: line(64),
  location: line(255),
  company: line(255),
  description: {
    accepted: [
      ['x'.repeat(65_536)],
      [EMOJI.repeat(65_536)],
      [' two\r\nlines\t\u0007 \n'],
      ['<script>alert(1)</script> {"a": [1]}'],
    ],
    refused: [
      '',
      null,
      ...SPACES,
      'x'.repeat(65_537),
      EMOJI.repeat(65_537),
      7,
      true,
      ['text'],
      {},
      NUL,
      LONE,
    ],
  },
  salary: {
    accepted: [
      [0, '0'],
      ['0', '0'],
      ['007', '7'],
      [' 12 ', '12'],
      [12, '12'],
      [1.0, '1'],
      [LARGEST, '9007199254740991'],
      ['9007199254740991', '9007199254740991'],
      ['', ''],
      [' ', ''],
      [null, ''],
    ],
    refused: NOT_WHOLE,
    others: { salary_currency: 'EUR' },
  },
  salary_currency: {
    accepted: [['EUR'], ['nok', 'NOK'], [' Sek ', 'SEK']],
    refused: [
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
    others: { salary: 1 },
  },
  salary_period: choice('hourly', 'daily', 'weekly', 'monthly', 'yearly'),
  arrangement: choice('remote', 'onsite', 'hybrid'),
  company_website: webAddress,
  application_url: webAddress,
  application_email: emailAddress,
  application_type: {
    ...choice('url'),
    refused: ['URL', 'fax', 7, true, ['url'], {}],
    others: { application_url: 'https://a.example/' },
  },
  category_id: idRule,
  term_id: idRule,
}
