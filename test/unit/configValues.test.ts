import { describe, expect, test } from 'bun:test'
import type { Config } from '../../src/config/config.ts'
import { optionRows } from '../../src/config/names.ts'
import { OPTION_KEYS, optionOf } from '../../src/config/options.ts'
import { configErrors, readConfig, variableOf } from '../helpers/config.ts'
import { temporaryFiles } from '../helpers/files.ts'

const { folder, file } = temporaryFiles()

/** Flag, text, parsed value. */
const VALID: readonly (readonly [string, string, Partial<Config>])[] = [
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
  ['--domain', 'jobs.example', { domain: ['jobs.example'], host: '::' }],
  [
    '--domain',
    'Jobs.Example., www.jobs.example,jobs.example',
    { domain: ['jobs.example', 'www.jobs.example'] },
  ],
  ['--domain', 'bücher.example', { domain: ['xn--bcher-kva.example'] }],
  ['--currency', 'EUR', { currency: 'EUR' }],
  ['--currency', 'xcg', { currency: 'XCG' }],
  ['--pages', 'off', { pages: 'off' }],
  ['--pages-dir', folder, { pagesDir: folder }],
  ['--accent', '#A1B2C3', { accent: '#a1b2c3' }],
  ['--registration', 'closed', { registration: 'closed' }],
  ['--digest', 'off', { digest: 'off' }],
  ['--digest', 'daily', { digest: 'daily' }],
  ['--mail-owners', 'off', { mailOwners: 'off' }],
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
  ['--tagline', 'Work by the sea', { tagline: 'Work by the sea' }],
  ['--journal-days', '7', { journalDays: 7 }],
  ['--s3-endpoint', 'https://s3.example.com/', { s3Endpoint: 'https://s3.example.com' }],
  ['--metrics-token', 'a-Token_0123456789', { metricsToken: 'a-Token_0123456789' }],
  ['--webhook-private', 'on', { webhookPrivate: 'on' }],
  ['--backup-at', '00:00', { backupAt: 0 }],
  ['--backup-at', '23:59', { backupAt: 1439 }],
]

describe('a valid option', () => {
  test.each(VALID)('%s can be a flag, with a space or =, and a variable (%#)', (flag, text, parsed) => {
    expect(readConfig([flag, text], {})).toMatchObject(parsed)
    expect(readConfig([`${flag}=${text}`], {})).toMatchObject(parsed)
    expect(readConfig([], { [variableOf(flag)]: text })).toMatchObject(parsed)
  })

  const PAIRED = [
    '--backup-s3',
    '--s3-key-file',
    '--backup-key-file',
    '--trust-proxy',
    '--geoip-db',
    '--tls-cert',
    '--tls-key',
    '--smtp-url',
    '--mail-from',
  ]
  const WITH_DOMAIN = ['--https-port', '--http-port', '--acme-email', '--acme-directory', '--acme-ca']

  test('is in these tables', () => {
    const named = new Set([...VALID.map(([flag]) => flag), ...PAIRED, ...WITH_DOMAIN])
    expect(
      optionRows(OPTION_KEYS)
        .map(([text]) => text.split(' ')[0])
        .filter(flag => !named.has(String(flag))),
    ).toEqual(['CORKBOARD_ADMIN_EMAIL', 'CORKBOARD_ADMIN_PASSWORD', 'CORKBOARD_TOKEN'])
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
const NOT_A_URL = 'must be an absolute http or https URL, such as https://jobs.example.com'
const NO_PATH = 'must not contain a path: the board needs its own host name'
const NO_QUERY = 'must not contain a query or fragment'
const NAMES = 'must be names such as jobs.example.com, separated by commas'
const NO_IP = 'must contain names, not IP addresses'
const CURRENCY = 'must be the ISO 4217 code of a currency in use, such as USD'
const ORIGINS = 'must be *, or origins such as https://example.com, separated by commas'
const PROXIES = 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas, or none'

/** Flag, text, error. */
const INVALID: readonly (readonly [string, string, string])[] = [
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
  ['--base-url', 'jobs.example.com', NOT_A_URL],
  ['--base-url', '/jobs', NOT_A_URL],
  ['--base-url', 'ftp://jobs.example.com', NOT_A_URL],
  ['--base-url', 'https:jobs.example.com', NOT_A_URL],
  ['--base-url', 'https:///jobs.example.com', NOT_A_URL],
  ['--base-url', 'https://jobs example.com', NOT_A_URL],
  ['--base-url', ' https://jobs.example.com', NOT_A_URL],
  ['--base-url', 'https://jobs.example.com:99999', NOT_A_URL],
  ['--base-url', 'https://jobs.example.com/board', NO_PATH],
  ['--base-url', 'https://jobs.example.com//', NO_PATH],
  [
    '--s3-endpoint',
    'https://s3.example.com/backups',
    'must not contain a path: the bucket belongs in s3://BUCKET/PREFIX',
  ],
  ['--s3-endpoint', 's3.example.com', NOT_A_URL],
  ['--base-url', 'https://jobs.example.com?', NO_QUERY],
  ['--base-url', 'https://jobs.example.com/?a=1', NO_QUERY],
  ['--base-url', 'https://jobs.example.com#top', NO_QUERY],
  ...[
    'localhost',
    'jobs.example,',
    'https://jobs.example',
    'jobs.example:443',
    'jobs.example/x',
    'jobs_1.example',
    '-jobs.example',
    'a..example',
    'a%2eb.example',
    'two words.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(125)}example`,
    'jobs.1',
    'ada@jobs.example',
  ].map((text): [string, string, string] => ['--domain', text, NAMES]),
  ...['127.0.0.1', '[::1]', '::1', '0x7f.1', 'jobs.example,10.0.0.1'].map(
    (text): [string, string, string] => ['--domain', text, NO_IP],
  ),
  ['--domain', '*.jobs.example', 'must not contain a wildcard: list each name'],
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
  ['--journal-days', '6', 'must be a whole number from 7 to 3650'],
  ['--backup-at', '24:00', 'must be a time such as 03:00'],
  ['--backup-at', '3:00', 'must be a time such as 03:00'],
  ['--backup-at', '03:60', 'must be a time such as 03:00'],
]

describe('an invalid option', () => {
  test.each(INVALID)('%s is explained in a sentence (%#)', (flag, text, error) => {
    const short = text.length > 80 ? `${text.slice(0, 80)}…` : text
    expect(configErrors([`${flag}=${text}`])).toEqual([`${flag} ${error} (given: ${JSON.stringify(short)}).`])
    const name = variableOf(flag)
    expect(configErrors([], { [name]: text })).toEqual([
      `${name} ${error} (given: ${JSON.stringify(short)}).`,
    ])
  })

  test('is cut if it is long', () => {
    expect(configErrors(['--port', '9'.repeat(1000)])).toEqual([
      `--port ${PORT} (given: "${'9'.repeat(80)}…").`,
    ])
  })

  test.each(OPTION_KEYS.filter(key => !optionOf(key).isVariableOnly))('%s must not be empty', key => {
    const flag = optionRows([key])[0]?.[0].split(' ')[0] ?? ''
    expect(configErrors([`${flag}=`])[0]).toBe(`${flag} is empty: set a value or leave it out.`)
    expect(configErrors([], { [variableOf(flag)]: '' })[0]).toStartWith(`${variableOf(flag)} is empty:`)
  })

  test('is listed with every other error', () => {
    const args = ['--port', 'x', '--prot', '1', '--host=', '--log-level']
    expect(configErrors(args, { CORKBOARD_NAME: 'a\nb', CORKBOARD_FONT: 'red' })).toEqual([
      '--log-level requires a value.',
      'Unknown option --prot. Did you mean --port?',
      'Unknown variable CORKBOARD_FONT.',
      '--host is empty: set a value or leave it out.',
      `--port ${PORT} (given: "x").`,
      'CORKBOARD_NAME must be one line, without control characters (given: "a\\nb").',
    ])
  })
})
