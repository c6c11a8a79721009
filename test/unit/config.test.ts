import { describe, expect, test } from 'bun:test'
import { baseUrlOf } from '../../src/config/config.ts'
import { OptionError } from '../../src/config/errors.ts'
import { optionRows } from '../../src/config/names.ts'
import { OPTION_KEYS, optionOf } from '../../src/config/options.ts'
import { configErrors, readConfig } from '../helpers/config.ts'
import { temporaryFiles } from '../helpers/files.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

const { file } = temporaryFiles()

describe('without options', () => {
  const { trustProxy, given: _, texts: __, ...defaults } = readConfig([], {})

  test('uses the defaults', () => {
    expect(defaults).toEqual({
      data: './data',
      host: '127.0.0.1',
      port: 3000,
      baseUrl: undefined,
      name: 'Corkboard',
      tagline: undefined,
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
      mailOwners: 'on',
      geoipDb: undefined,
      backupDir: undefined,
      backupKeep: 7,
      backupAt: 180,
      journalDays: 90,
      metricsToken: undefined,
      domain: undefined,
      httpsPort: 443,
      httpPort: 80,
      acmeEmail: undefined,
      acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
      acmeCa: undefined,
      backupS3: undefined,
      s3Endpoint: 'https://s3.amazonaws.com',
      s3KeyFile: undefined,
      backupKeyFile: undefined,
      webhookPrivate: 'off',
      token: undefined,
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
    expect(configErrors(args)[0]).toBe(sentence)
  })

  test('does not use the next flag as its value', () => {
    expect(configErrors(['--port', '--host', 'localhost'])).toEqual(['--port requires a value.'])
    expect(readConfig(['--name=--port', '--port', '7'], {})).toMatchObject({ name: '--port', port: 7 })
  })

  test('uses everything after the first = as its value', () => {
    expect(readConfig(['--name=a=b=c'], {}).name).toBe('a=b=c')
  })

  test('is a positional after --', () => {
    expect(configErrors(['--', '--port=7'])).toEqual(['There are no arguments, only options.'])
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
  ])('%s is refused if it is unknown', (name, sentence) => {
    expect(configErrors([], { [name]: 'x' })).toEqual([sentence])
  })

  test('is the only kind that is checked', () => {
    expect(
      configErrors([], { PORT: 'x', MY_CORKBOARD_PORT: 'x', corkboard_port: 'x', PATH: undefined }),
    ).toEqual([])
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
    expect(baseUrlOf(readConfig(['--domain', 'jobs.example'], {}), 443)).toBe('https://jobs.example')
    expect(baseUrlOf(readConfig(['--domain', 'jobs.example'], {}), 8443)).toBe('https://jobs.example:8443')
  })
})

test('shows each option with its default in the help', () => {
  const rows = new Map(optionRows(OPTION_KEYS))
  expect(rows.get('--port PORT')).toBe('the port to listen on; 0 picks a free one (3000)')
  expect(rows.get('--base-url URL')).toBe('the public URL; every link starts with it (http://HOST:PORT)')
  expect(rows.get('--approve none|paid|all')).toEndWith('(paid with open registration, else none)')
  expect(rows.has('CORKBOARD_ADMIN_PASSWORD')).toBe(true)
})
