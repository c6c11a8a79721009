import { afterAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { baseUrlOf, type Config, readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { OptionError, UsageError } from '../../src/config/errors.ts'
import { optionRows } from '../../src/config/names.ts'
import { OPTION_KEYS, optionOf } from '../../src/config/options.ts'
import { TrustedProxies } from '../../src/config/proxies.ts'
import { mmdb } from '../helpers/mmdb.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'corkboard-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates a file and returns its path. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Returns the errors of a command line and variables. */
function mistakesOf(args: readonly string[], variables: Environment = {}): readonly string[] {
  try {
    readConfig(args, variables)
    return []
  } catch (error) {
    if (error instanceof UsageError) return error.errors
    throw error
  }
}

const ADMIN = { CORKBOARD_ADMIN_EMAIL: 'a@example.com', CORKBOARD_ADMIN_PASSWORD: 'correct horse' }

describe('without options', () => {
  const { trustProxy, ...defaults } = readConfig([], {})

  test('uses the defaults', () => {
    expect(defaults).toEqual({
      data: './data',
      host: '127.0.0.1',
      port: 3000,
      baseUrl: undefined,
      name: 'Corkboard',
      currency: 'USD',
      pages: 'on',
      pagesDir: undefined,
      accent: '#0d6b5e',
      adminEmail: undefined,
      adminPassword: undefined,
      registration: 'closed',
      approve: 'none',
      corsOrigin: '*',
      smtpUrl: undefined,
      mailFrom: undefined,
      digest: 'weekly',
      geoipDb: undefined,
      backupDir: undefined,
      backupKeep: 7,
      backupAt: 180,
      tlsCert: undefined,
      tlsKey: undefined,
      log: 'json',
      logLevel: 'info',
    })
  })

  test('trusts only proxies on the same machine', () => {
    expect(['127.0.0.1', '127.8.9.1', '::1'].filter(address => !trustProxy.trusts(address))).toEqual([])
    expect(['128.0.0.1', '10.0.0.1', '::2'].filter(address => trustProxy.trusts(address))).toEqual([])
  })

  test('writes a pretty log to a terminal', () => {
    expect(readConfig([], {}, true).log).toBe('pretty')
    expect(readConfig(['--log', 'json'], {}, true).log).toBe('json')
  })

  test('has only valid defaults', () => {
    const faulty = OPTION_KEYS.filter(key => {
      const { parse, default: text } = optionOf(key)
      return typeof text === 'string' && parse(text) instanceof OptionError
    })
    expect(faulty).toEqual([])
  })
})

/** Flag, text, parsed value. */
const TAKEN: readonly (readonly [string, string, Partial<Config>])[] = [
  ['--data', '/srv/board', { data: '/srv/board' }],
  ['--data', '-', { data: '-' }],
  ['--host', '0.0.0.0', { host: '0.0.0.0' }],
  ['--host', '::', { host: '::' }],
  ['--host', '2001:db8::7', { host: '2001:db8::7' }],
  ['--host', 'localhost', { host: 'localhost' }],
  ['--host', 'Jobs-1.Example.com', { host: 'Jobs-1.Example.com' }],
  ['--port', '0', { port: 0 }],
  ['--port', '1', { port: 1 }],
  ['--port', '65535', { port: 65535 }],
  ['--base-url', 'https://jobs.example.com', { baseUrl: 'https://jobs.example.com' }],
  ['--base-url', 'https://jobs.example.com/', { baseUrl: 'https://jobs.example.com' }],
  ['--base-url', 'HTTPS://Jobs.Example.com:443/', { baseUrl: 'https://jobs.example.com' }],
  ['--base-url', 'http://[::1]:8080', { baseUrl: 'http://[::1]:8080' }],
  ['--base-url', 'http://münchen.example', { baseUrl: 'http://xn--mnchen-3ya.example' }],
  ['--name', 'J', { name: 'J' }],
  ['--name', ' Café Jobs ', { name: 'Café Jobs' }],
  ['--name', '🧷'.repeat(64), { name: '🧷'.repeat(64) }],
  ['--currency', 'EUR', { currency: 'EUR' }],
  ['--currency', 'xcg', { currency: 'XCG' }],
  ['--pages', 'off', { pages: 'off' }],
  ['--pages-dir', folder, { pagesDir: folder }],
  ['--accent', '#A1B2C3', { accent: '#a1b2c3' }],
  ['--registration', 'closed', { registration: 'closed' }],
  ['--digest', 'off', { digest: 'off' }],
  ['--digest', 'daily', { digest: 'daily' }],
  ['--approve', 'none', { approve: 'none' }],
  ['--approve', 'paid', { approve: 'paid' }],
  ['--approve', 'all', { approve: 'all' }],
  ['--cors-origin', '*', { corsOrigin: '*' }],
  ['--cors-origin', 'https://a.example', { corsOrigin: ['https://a.example'] }],
  [
    '--cors-origin',
    'https://a.example/, http://B.example:8080,https://a.example:443',
    { corsOrigin: ['https://a.example', 'http://b.example:8080'] },
  ],
  ['--log', 'pretty', { log: 'pretty' }],
  ['--log', 'json', { log: 'json' }],
  ['--log-level', 'debug', { logLevel: 'debug' }],
  ['--log-level', 'info', { logLevel: 'info' }],
  ['--log-level', 'warn', { logLevel: 'warn' }],
  ['--log-level', 'error', { logLevel: 'error' }],
  ['--backup-dir', '/srv/backup', { backupDir: '/srv/backup' }],
  ['--backup-keep', '1', { backupKeep: 1 }],
  ['--backup-at', '00:00', { backupAt: 0 }],
  ['--backup-at', '23:59', { backupAt: 1439 }],
]

const variableOf = (flag: string) => `CORKBOARD_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`

describe('a valid option', () => {
  test.each(TAKEN)('%s can be a flag, with a space or =, and a variable (%#)', (flag, text, read) => {
    expect(readConfig([flag, text], {})).toMatchObject(read)
    expect(readConfig([`${flag}=${text}`], {})).toMatchObject(read)
    expect(readConfig([], { [variableOf(flag)]: text })).toMatchObject(read)
  })

  const PAIRED = ['--trust-proxy', '--geoip-db', '--tls-cert', '--tls-key', '--smtp-url', '--mail-from']

  test('is in these tables', () => {
    const named = new Set([...TAKEN.map(([flag]) => flag), ...PAIRED])
    expect(
      optionRows(OPTION_KEYS)
        .map(([text]) => text.split(' ')[0])
        .filter(flag => !named.has(String(flag))),
    ).toEqual(['CORKBOARD_ADMIN_EMAIL', 'CORKBOARD_ADMIN_PASSWORD'])
  })

  test('comes from its flag before its variable, and from the last of two flags', () => {
    const variables = { CORKBOARD_PORT: '1' }
    expect(readConfig(['--port', '2'], variables).port).toBe(2)
    expect(readConfig(['--port', '2', '--port=3'], variables).port).toBe(3)
    expect(readConfig(['--port', '2'], { CORKBOARD_PORT: 'junk' }).port).toBe(2)
  })
})

const HOST = 'must be an IP address or a host name to listen on'
const PORT = 'must be a whole number from 0 to 65535'
const URL_WANTED = 'must be an absolute http or https URL, such as https://jobs.example.com'
const NO_PATH = 'must not contain a path: the board needs its own host name'
const NO_QUERY = 'must not contain a query or fragment'
const CURRENCY = 'must be the ISO 4217 code of a currency in use, such as USD'
const ORIGINS = 'must be *, or origins such as https://example.com, separated by commas'
const PROXIES = 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas, or none'

/** Flag, text, error. */
const REFUSED: readonly (readonly [string, string, string])[] = [
  ['--data', ' ', 'must be a directory'],
  ['--data', 'a\0b', 'must be a directory'],
  ['--host', 'two words', HOST],
  ['--host', '[::1]', HOST],
  ['--host', '256.0.0.1', HOST],
  ['--host', '1.2', HOST],
  ['--host', 'fe80::1%eth0', HOST],
  ['--host', 'a.example:80', HOST],
  ['--host', 'http://a.example', HOST],
  ['--host', '-a.example', HOST],
  ['--host', 'a..example', HOST],
  ['--port', '-1', PORT],
  ['--port', '65536', PORT],
  ['--port', '3000.5', PORT],
  ['--port', '0x50', PORT],
  ['--port', '1e3', PORT],
  ['--port', ' 80', PORT],
  ['--port', '080', PORT],
  ['--port', 'http', PORT],
  ['--base-url', 'jobs.example.com', URL_WANTED],
  ['--base-url', '/jobs', URL_WANTED],
  ['--base-url', 'ftp://jobs.example.com', URL_WANTED],
  ['--base-url', 'https:jobs.example.com', URL_WANTED],
  ['--base-url', 'https:///jobs.example.com', URL_WANTED],
  ['--base-url', 'https://jobs example.com', URL_WANTED],
  ['--base-url', ' https://jobs.example.com', URL_WANTED],
  ['--base-url', 'https://jobs.example.com:99999', URL_WANTED],
  ['--base-url', 'https://jobs.example.com/board', NO_PATH],
  ['--base-url', 'https://jobs.example.com//', NO_PATH],
  ['--base-url', 'https://jobs.example.com?', NO_QUERY],
  ['--base-url', 'https://jobs.example.com/?a=1', NO_QUERY],
  ['--base-url', 'https://jobs.example.com#top', NO_QUERY],
  ['--name', ' ', 'is required'],
  ['--name', 'x'.repeat(65), 'is too long: at most 64 characters, and it has 65'],
  ['--name', 'two\nlines', 'must be one line, without control characters'],
  ['--currency', 'EURO', CURRENCY],
  ['--currency', '€', CURRENCY],
  ['--currency', 'DEM', CURRENCY],
  ['--currency', 'BGN', CURRENCY],
  ['--currency', 'XDR', CURRENCY],
  ['--pages', 'yes', 'must be on or off'],
  ['--pages-dir', '/nowhere', "can't be read: no such file"],
  ['--pages-dir', file('page.txt', ''), 'must be a directory'],
  ['--accent', 'green', 'must be a colour such as #0d6b5e'],
  ['--accent', '#fff', 'must be a colour such as #0d6b5e'],
  ['--registration', 'Open', 'must be open or closed'],
  ['--approve', 'some', 'must be none, paid or all'],
  ['--digest', 'hourly', 'must be off, daily or weekly'],
  ['--trust-proxy', 'localhost', PROXIES],
  ['--trust-proxy', '10.0.0.0/33', PROXIES],
  ['--trust-proxy', '10.0.0.0/', PROXIES],
  ['--trust-proxy', '10.0.0.0/08', PROXIES],
  ['--trust-proxy', '10.0.0/8', PROXIES],
  ['--trust-proxy', '::1/129', PROXIES],
  ['--trust-proxy', 'fe80::1%eth0', PROXIES],
  ['--trust-proxy', '10.0.0.1,', PROXIES],
  ['--trust-proxy', 'none,10.0.0.1', PROXIES],
  ['--cors-origin', 'null', ORIGINS],
  ['--cors-origin', '*,https://a.example', ORIGINS],
  ['--cors-origin', 'https://a.example,', ORIGINS],
  ['--cors-origin', 'https://a.example/app', ORIGINS],
  ['--cors-origin', 'https://*.example', ORIGINS],
  ['--cors-origin', 'a.example', ORIGINS],
  ['--log', 'text', 'must be pretty or json'],
  ['--log-level', 'trace', 'must be debug, info, warn or error'],
  ['--backup-keep', '0', 'must be a whole number from 1 to 10000'],
  ['--backup-at', '24:00', 'must be a time such as 03:00'],
  ['--backup-at', '3:00', 'must be a time such as 03:00'],
  ['--backup-at', '03:60', 'must be a time such as 03:00'],
]

describe('an invalid option', () => {
  test.each(REFUSED)('%s is explained in a sentence (%#)', (flag, text, fault) => {
    const short = text.length > 80 ? `${text.slice(0, 80)}…` : text
    expect(mistakesOf([`${flag}=${text}`])).toEqual([`${flag} ${fault} (given: ${JSON.stringify(short)}).`])
    const name = variableOf(flag)
    expect(mistakesOf([], { [name]: text })).toEqual([`${name} ${fault} (given: ${JSON.stringify(short)}).`])
  })

  test('is cut if it is long', () => {
    expect(mistakesOf(['--port', '9'.repeat(1000)])).toEqual([
      `--port ${PORT} (given: "${'9'.repeat(80)}…").`,
    ])
  })

  test.each(OPTION_KEYS.filter(key => !optionOf(key).isVariableOnly))('%s must not be empty', key => {
    const flag = optionRows([key])[0]?.[0].split(' ')[0] ?? ''
    expect(mistakesOf([`${flag}=`])[0]).toBe(`${flag} is empty: set a value or leave it out.`)
    expect(mistakesOf([], { [variableOf(flag)]: '' })[0]).toStartWith(`${variableOf(flag)} is empty:`)
  })

  test('is listed together with every other mistake', () => {
    const args = ['--port', 'x', '--prot', '1', '--host=', '--log-level']
    expect(mistakesOf(args, { CORKBOARD_NAME: 'a\nb', CORKBOARD_FONT: 'red' })).toEqual([
      '--log-level requires a value.',
      'Unknown option --prot. Did you mean --port?',
      'Unknown variable CORKBOARD_FONT.',
      '--host is empty: set a value or leave it out.',
      `--port ${PORT} (given: "x").`,
      'CORKBOARD_NAME must be one line, without control characters (given: "a\\nb").',
    ])
  })
})

describe('a flag', () => {
  test.each([
    [['--prot', '3000'], 'Unknown option --prot. Did you mean --port?'],
    [['--por=3000'], 'Unknown option --por. Did you mean --port?'],
    [['--baes-url', 'http://a'], 'Unknown option --baes-url. Did you mean --base-url?'],
    [['--quiet'], 'Unknown option --quiet.'],
    [['--sample'], 'Unknown option --sample.'],
    [['-p', '3000'], 'Unknown option -p.'],
    [['-p3000'], 'Unknown option -p.'],
    [['--port'], '--port requires a value.'],
  ])('%j is unknown or incomplete', (args, sentence) => {
    expect(mistakesOf(args)[0]).toBe(sentence)
  })

  test('does not use the next flag as its value', () => {
    expect(mistakesOf(['--port', '--host', 'localhost'])).toEqual(['--port requires a value.'])
    expect(readConfig(['--name=--port', '--port', '7'], {})).toMatchObject({ name: '--port', port: 7 })
  })

  test('uses everything after the first = as its value', () => {
    expect(readConfig(['--name=a=b=c'], {}).name).toBe('a=b=c')
  })

  test('is a positional after --', () => {
    expect(mistakesOf(['--', '--port=7'])).toEqual(['There are no arguments, only options.'])
  })
})

describe('a variable with our prefix', () => {
  test.each([
    ['CORKBOARD_PROT', 'Unknown variable CORKBOARD_PROT. Did you mean CORKBOARD_PORT?'],
    ['CORKBOARD_BASEURL', 'Unknown variable CORKBOARD_BASEURL. Did you mean CORKBOARD_BASE_URL?'],
    [
      'CORKBOARD_ADMIN_EMAIL_FILE',
      'Unknown variable CORKBOARD_ADMIN_EMAIL_FILE. Did you mean CORKBOARD_ADMIN_EMAIL?',
    ],
    ['CORKBOARD_', 'Unknown variable CORKBOARD_.'],
    ['CORKBOARD_FAVOURITE_COLOUR', 'Unknown variable CORKBOARD_FAVOURITE_COLOUR.'],
  ])('%s is a mistake if it is unknown', (name, sentence) => {
    expect(mistakesOf([], { [name]: 'x' })).toEqual([sentence])
  })

  test('is the only kind that is checked', () => {
    expect(
      mistakesOf([], { PORT: 'x', MY_CORKBOARD_PORT: 'x', corkboard_port: 'x', PATH: undefined }),
    ).toEqual([])
  })
})

describe('the first administrator', () => {
  const password = (text: string) => mistakesOf([], { ...ADMIN, CORKBOARD_ADMIN_PASSWORD: text })

  test('is read with the address in lower case and the password unchanged', () => {
    const variables = {
      CORKBOARD_ADMIN_EMAIL: 'Ada@Example.com',
      CORKBOARD_ADMIN_PASSWORD: ' Correct Horse ',
    }
    expect(readConfig([], variables)).toMatchObject({
      adminEmail: 'ada@example.com',
      adminPassword: ' Correct Horse ',
    })
  })

  test.each([
    ['12345678', []],
    ['😀'.repeat(8), []],
    ['x'.repeat(256), []],
    ['1234567', ['CORKBOARD_ADMIN_PASSWORD must have at least 8 characters.']],
    ['😀'.repeat(7), ['CORKBOARD_ADMIN_PASSWORD must have at least 8 characters.']],
    ['x'.repeat(257), ['CORKBOARD_ADMIN_PASSWORD may have at most 256 bytes.']],
    ['é'.repeat(129), ['CORKBOARD_ADMIN_PASSWORD may have at most 256 bytes.']],
    ['', ['CORKBOARD_ADMIN_PASSWORD is empty: set a value or leave it out.']],
  ])('has a valid or invalid password (%#)', (text, mistakes) => {
    expect(password(text)).toEqual(mistakes)
  })

  test.each(['nobody', 'a@', 'a b@example.com'])('must not have the address %j', text => {
    expect(mistakesOf([], { ...ADMIN, CORKBOARD_ADMIN_EMAIL: text })).toEqual([
      `CORKBOARD_ADMIN_EMAIL must be an e-mail address, such as jobs@example.com (given: "${text}").`,
    ])
  })

  test('requires both address and password', () => {
    const { CORKBOARD_ADMIN_EMAIL, CORKBOARD_ADMIN_PASSWORD } = ADMIN
    expect(mistakesOf([], { CORKBOARD_ADMIN_EMAIL })).toEqual([
      'CORKBOARD_ADMIN_EMAIL requires CORKBOARD_ADMIN_PASSWORD.',
    ])
    expect(mistakesOf([], { CORKBOARD_ADMIN_PASSWORD })).toEqual([
      'CORKBOARD_ADMIN_PASSWORD requires CORKBOARD_ADMIN_EMAIL.',
    ])
  })

  test('has no flags, and the message does not quote the password', () => {
    expect(mistakesOf(['--admin-password=hunter22', '--admin-email', 'a@example.com'])).toEqual([
      'Unknown option --admin-password: others could read it on the command line. Set CORKBOARD_ADMIN_PASSWORD instead.',
      'Unknown option --admin-email: others could read it on the command line. Set CORKBOARD_ADMIN_EMAIL instead.',
    ])
  })
})

describe('the mail server', () => {
  const withFrom = (url: string) => mistakesOf(['--smtp-url', url, '--mail-from', 'board@example.com'])
  const SCHEME = '--smtp-url must be an smtp:// or smtps:// URL of a host.'
  const NOTHING_AFTER =
    '--smtp-url must end after the host and port; in a password, write @ / ? # as %40 %2F %3F %23.'
  const BOTH = '--smtp-url must contain both a user name and a password, or neither.'

  test.each([
    ['smtp://mail.example', []],
    ['smtp://mail.example:2525/', []],
    ['smtps://ada:p%40ss@mail.example', []],
    ['smtp://[::1]:25', []],
    ['mail.example', [SCHEME]],
    ['http://mail.example', [SCHEME]],
    ['smtp://', [SCHEME]],
    ['smtp://mail server', [SCHEME]],
    ['smtp://münchen.example', [SCHEME]],
    ['smtp://1.2', [SCHEME]],
    ['smtp://mail.example/path', [NOTHING_AFTER]],
    ['smtp://ada:a/b@mail.example', [SCHEME]],
    ['smtp://mail.example?tls.rejectUnauthorized=false', [NOTHING_AFTER]],
    ['smtp://ada@mail.example', [BOTH]],
    ['smtp://:secret@mail.example', [BOTH]],
    [
      'smtp://ada:100%@mail.example',
      ['--smtp-url contains a % in its user name or password: write it as %25.'],
    ],
  ])('at %s is accepted, or refused without a quote', (url, mistakes) => {
    expect(withFrom(url)).toEqual(mistakes)
  })

  test('requires a sender, and a sender requires it', () => {
    expect(mistakesOf(['--smtp-url', 'smtp://mail.example'])).toEqual(['--smtp-url requires --mail-from.'])
    expect(mistakesOf(['--mail-from', 'board@example.com'])).toEqual(['--mail-from requires --smtp-url.'])
  })

  test('requires the address of a sender', () => {
    expect(
      mistakesOf(['--smtp-url', 'smtp://mail.example', '--mail-from', 'Board <board@example.com>']),
    ).toEqual([
      '--mail-from must be an e-mail address, such as jobs@example.com (given: "Board <board@example.com>").',
    ])
  })

  test('is required by open registration', () => {
    const sentence = '--registration open requires --smtp-url, to confirm addresses.'
    expect(mistakesOf(['--registration', 'open'])).toEqual([sentence])
    expect(mistakesOf([], { CORKBOARD_REGISTRATION: 'open' })).toEqual([sentence])
  })

  test('allows open registration, with approval of paid jobs', () => {
    const given = ['--registration', 'open', '--smtp-url', 'smtp://a', '--mail-from', 'a@example.com']
    expect(readConfig(given, {})).toMatchObject({ registration: 'open', approve: 'paid' })
  })
})

describe('a secret in a file', () => {
  const { CORKBOARD_ADMIN_EMAIL } = ADMIN
  const inFile = (path: string, more: Environment = {}) => ({
    CORKBOARD_ADMIN_EMAIL,
    CORKBOARD_ADMIN_PASSWORD_FILE: path,
    ...more,
  })

  test.each([
    ['correct horse', 'correct horse'],
    ['correct horse\n', 'correct horse'],
    ['correct horse\r\n', 'correct horse'],
    ['correct horse\n\n', 'correct horse\n'],
    [' correct horse ', ' correct horse '],
  ])('%j is read without its last newline', (content, read) => {
    expect(readConfig([], inFile(file('secret', content))).adminPassword).toBe(read)
  })

  test.each([
    ['there is none', () => join(folder, 'missing'), "can't be read: no such file"],
    ['it is a directory', () => folder, "can't be read: it is a directory"],
    [
      'it is not UTF-8',
      () => file('latin', Uint8Array.of(0xff, 0xfe)),
      "names a file that isn't valid UTF-8",
    ],
    ['it is empty', () => file('empty', ''), 'is empty: set a value or leave it out'],
    ['it holds a newline alone', () => file('blank', '\n'), 'is empty: set a value or leave it out'],
    ['it is too short', () => file('short', 'hunter2\n'), 'must have at least 8 characters'],
  ])('is a mistake if %s, and the message does not quote its path', (_, path, fault) => {
    expect(mistakesOf([], inFile(path()))).toEqual([`CORKBOARD_ADMIN_PASSWORD_FILE ${fault}.`])
  })

  test('is a mistake together with the secret itself', () => {
    const { CORKBOARD_ADMIN_PASSWORD } = ADMIN
    expect(mistakesOf([], inFile(file('secret', 'correct horse'), { CORKBOARD_ADMIN_PASSWORD }))).toEqual([
      'CORKBOARD_ADMIN_PASSWORD and CORKBOARD_ADMIN_PASSWORD_FILE are both set: leave one out.',
    ])
  })
})

test.each(['--base-url', '--cors-origin'])('a URL in %s with a password is not quoted', flag => {
  for (const text of ['https://ada:hunter22@jobs.example.com', 'https//ada:hunter22@jobs.example.com']) {
    expect(mistakesOf([flag, text])).toHaveLength(1)
    expect(mistakesOf([flag, text])[0]).not.toContain('hunter22')
  }
})

test.each([
  ['127.0.0.0/8,::1', true],
  ['10.0.0.1, 127.0.0.0/8', true],
  ['127.0.0.1/8', true],
  ['127.0.0.1', false],
  ['127.0.0.0/9,127.128.0.0/9', false],
  ['10.0.0.0/8', false],
  ['none', false],
])('with %p as proxies, the whole loopback network is trusted: %p', (text, is) => {
  expect(readConfig(['--trust-proxy', text], {}).trustProxy.trustsLoopback).toBe(is)
})

const NO_DATABASE = 'must be a country database in mmdb format, such as GeoLite2-Country.mmdb'

describe('a country database', () => {
  const database = mmdb({ '9.9.9.0/24': { country_code: 'IS' } })

  test('is opened when the options are read', () => {
    const path = file('countries.mmdb', database)
    expect(readConfig(['--geoip-db', path], {}).geoipDb?.codeOf('9.9.9.9')).toBe('IS')
    expect(readConfig([], { CORKBOARD_GEOIP_DB: path }).geoipDb?.codeOf('9.9.9.9')).toBe('IS')
  })

  test.each<[string, () => string]>([
    ["can't be read: no such file", () => join(folder, 'none')],
    ["can't be read: it is a directory", () => folder],
    [NO_DATABASE, () => file('text', 'not a database')],
    [NO_DATABASE, () => file('empty', '')],
    [NO_DATABASE, () => file('cut off', database.subarray(0, -40))],
    [NO_DATABASE, () => file('zeros', Buffer.alloc(4096))],
  ])('%s', (fault, path) => {
    const given = JSON.stringify(path())
    expect(mistakesOf(['--geoip-db', path()])).toEqual([`--geoip-db ${fault} (given: ${given}).`])
  })
})

describe('TLS', () => {
  const cert = () => file('cert.pem', CERTIFICATE)
  const key = () => file('key.pem', PRIVATE_KEY)
  const other = () =>
    file(
      'other.pem',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    )

  test('is on with a certificate and its key', () => {
    expect(readConfig(['--tls-cert', cert()], { CORKBOARD_TLS_KEY: key() })).toMatchObject({
      tlsCert: CERTIFICATE,
      tlsKey: PRIVATE_KEY,
    })
  })

  test('requires both', () => {
    expect(mistakesOf(['--tls-cert', cert()])).toEqual(['--tls-cert requires --tls-key.'])
    expect(mistakesOf(['--tls-key', key()])).toEqual(['--tls-key requires --tls-cert.'])
  })

  test('requires existing files', () => {
    expect(mistakesOf(['--tls-cert', join(folder, 'none'), '--tls-key', folder])).toEqual([
      `--tls-cert can't be read: no such file (given: ${JSON.stringify(join(folder, 'none'))}).`,
      `--tls-key can't be read: it is a directory (given: ${JSON.stringify(folder)}).`,
    ])
  })

  test('requires a certificate and a key in the files', () => {
    expect(mistakesOf(['--tls-cert', key(), '--tls-key', cert()])).toEqual([
      '--tls-cert must name a PEM file with a certificate.',
      '--tls-key must name a PEM file with a private key that has no passphrase.',
    ])
  })

  test('requires the key of the certificate', () => {
    expect(mistakesOf(['--tls-cert', cert(), '--tls-key', other()])).toEqual([
      "--tls-key doesn't match the certificate of --tls-cert.",
    ])
  })
})

describe('the base of absolute URLs', () => {
  const from = (...args: string[]) => baseUrlOf(readConfig(args, {}), 3000)

  test('is the configured URL, or else where the server listens', () => {
    expect(from('--base-url', 'https://jobs.example.com/')).toBe('https://jobs.example.com')
    expect(from()).toBe('http://127.0.0.1:3000')
    expect(from('--host', '::1')).toBe('http://[::1]:3000')
    expect(from('--host', 'Jobs.Example')).toBe('http://jobs.example:3000')
    expect(baseUrlOf(readConfig([], {}), 80)).toBe('http://127.0.0.1')
    expect(from('--tls-cert', file('c', CERTIFICATE), '--tls-key', file('k', PRIVATE_KEY))).toBe(
      'https://127.0.0.1:3000',
    )
  })
})

describe('trusted proxies', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['10.0.0.7', '10.0.0.7', true],
    ['10.0.0.7', '10.0.0.8', false],
    ['10.0.0.7/32', '10.0.0.7', true],
    ['10.0.0.0/8', '::ffff:10.1.1.1', true],
    ['10.0.0.0/8', '::FFFF:0a01:0101', true],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
    ['0.0.0.0/0', '192.0.2.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:0DB8:7::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['10.0.0.1, 10.0.0.2', '10.0.0.2', true],
    ['none', '127.0.0.1', false],
    ['0.0.0.0/0', 'unknown', false],
    ['0.0.0.0/0', '', false],
    ['0.0.0.0/0', '1.2.3.4:80', false],
  ])('%s: whether it contains %s', (text, address, expected) => {
    const proxies = TrustedProxies.parse(text)
    expect(proxies instanceof TrustedProxies && proxies.trusts(address)).toBe(expected)
  })
})

test('shows each option with its default in the help', () => {
  const rows = new Map(optionRows(OPTION_KEYS))
  expect(rows.get('--port PORT')).toBe('the port to listen on; 0 picks a free one (3000)')
  expect(rows.get('--base-url URL')).toBe('the public URL; every link starts with it (http://HOST:PORT)')
  expect(rows.get('--approve none|paid|all')).toEndWith('(paid with open registration, else none)')
  expect(rows.has('CORKBOARD_ADMIN_PASSWORD')).toBe(true)
})
