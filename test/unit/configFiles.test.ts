import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { configErrors, readConfig } from '../helpers/config.ts'
import { temporaryFiles } from '../helpers/files.ts'
import { mmdb } from '../helpers/mmdb.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

const { folder, file } = temporaryFiles()

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
  ])('%s', (error, path) => {
    const given = JSON.stringify(path())
    expect(configErrors(['--geoip-db', path()])).toEqual([`--geoip-db ${error} (given: ${given}).`])
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
      tlsCert: { path: cert(), text: CERTIFICATE },
      tlsKey: { path: key(), text: PRIVATE_KEY },
    })
  })

  test('requires both', () => {
    expect(configErrors(['--tls-cert', cert()])).toEqual(['--tls-cert requires --tls-key.'])
    expect(configErrors(['--tls-key', key()])).toEqual(['--tls-key requires --tls-cert.'])
  })

  test('requires existing files', () => {
    expect(configErrors(['--tls-cert', join(folder, 'none'), '--tls-key', folder])).toEqual([
      `--tls-cert can't be read: no such file (given: ${JSON.stringify(join(folder, 'none'))}).`,
      `--tls-key can't be read: it is a directory (given: ${JSON.stringify(folder)}).`,
    ])
  })

  test('requires a certificate and a key in the files', () => {
    expect(configErrors(['--tls-cert', key(), '--tls-key', cert()])).toEqual([
      '--tls-cert must name a PEM file with a certificate.',
      '--tls-key must name a PEM file with a private key that has no passphrase.',
    ])
  })

  test.each([
    ['after', `${CERTIFICATE}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`],
    ['cut off after', `${CERTIFICATE}${CERTIFICATE.slice(0, 300)}`],
  ])('requires that the whole chain can be read: %s', (name, text) => {
    expect(configErrors(['--tls-cert', file(name, text), '--tls-key', key()])).toEqual([
      "--tls-cert contains something that can't be read as a certificate.",
    ])
  })

  test('requires the key of the certificate', () => {
    expect(configErrors(['--tls-cert', cert(), '--tls-key', other()])).toEqual([
      "--tls-key doesn't match the certificate of --tls-cert.",
    ])
  })
})

describe('a domain', () => {
  const errorsOf = (...args: string[]) => configErrors(['--domain', 'jobs.example,www.jobs.example', ...args])

  test('has ports, an authority and an address', () => {
    const ca = file('ca.pem', CERTIFICATE)
    const options = ['--https-port', '8443', '--http-port', '8080', '--acme-email', 'ada@example.com']
    const authority = ['--acme-directory', 'https://ca.example/dir', '--acme-ca', ca]
    expect(readConfig(['--domain', 'jobs.example', ...options, ...authority], {})).toMatchObject({
      domain: ['jobs.example'],
      httpsPort: 8443,
      httpPort: 8080,
      acmeEmail: 'ada@example.com',
      acmeDirectory: 'https://ca.example/dir',
      acmeCa: { path: ca, text: CERTIFICATE },
    })
    expect(errorsOf('--base-url', 'https://jobs.example')).toEqual([])
  })

  test('is required by the options for it', () => {
    const flags = ['--https-port', '--http-port', '--acme-email', '--acme-directory', '--acme-ca']
    const values = ['443', '80', 'ada@example.com', 'https://ca.example/', file('ca.pem', CERTIFICATE)]
    expect(configErrors(flags.flatMap((flag, index) => [flag, values[index] ?? '']))).toEqual(
      flags.map(flag => `${flag} requires --domain.`),
    )
  })

  test('replaces the options of a server without one', () => {
    const paths = ['--tls-cert', file('c.pem', CERTIFICATE), '--tls-key', file('k.pem', PRIVATE_KEY)]
    expect(errorsOf('--port', '3000', ...paths)).toEqual([
      "--port can't be used with --domain, which listens on --https-port and --http-port.",
      "--tls-cert can't be used with --domain, which gets its own certificate.",
      "--tls-key can't be used with --domain, which gets its own certificate.",
    ])
  })

  test.each([
    [['--https-port', '80'], '--https-port and --http-port must be different.'],
    [
      ['--base-url', 'https://www.jobs.example'],
      '--base-url must be https://jobs.example, the first name of --domain.',
    ],
    [
      ['--base-url', 'http://jobs.example'],
      '--base-url must be https://jobs.example, the first name of --domain.',
    ],
    [['--http-port', '0'], '--http-port must be a whole number from 1 to 65535 (given: "0").'],
    [
      ['--acme-directory', 'http://ca.example/dir'],
      '--acme-directory must be an https URL (given: "http://ca.example/dir").',
    ],
    [
      ['--acme-directory', 'https://a:b@ca.example/dir'],
      '--acme-directory must not contain a user name or password.',
    ],
  ])('refuses %p', (args, error) => {
    expect(errorsOf(...args)).toEqual([error])
  })

  test('refuses a file that is no certificate', () => {
    const key = file('key.pem', PRIVATE_KEY)
    expect(errorsOf('--acme-ca', key)).toEqual([
      `--acme-ca must name a PEM file with a certificate (given: ${JSON.stringify(key)}).`,
    ])
  })
})
