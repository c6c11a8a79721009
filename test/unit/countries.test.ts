import { describe, expect, test } from 'bun:test'
import { CountryDatabase } from '../../src/base/countryDatabase.ts'
import { Countries } from '../../src/traffic/countries.ts'
import { type Entry, mmdb } from '../helpers/mmdb.ts'

describe('The embedded database', () => {
  const countries = new Countries()

  test.each([
    ['8.8.8.8', 'United States'],
    ['194.25.0.60', 'Germany'],
    ['212.27.48.10', 'France'],
    ['133.242.0.1', 'Japan'],
    ['200.160.2.3', 'Brazil'],
    ['131.111.1.1', 'United Kingdom'],
    ['2003::1', 'Germany'],
    ['2a01:cb00::1', 'France'],
    ['2001:4860:4860::8888', 'United States'],
    ['240e::1', 'China'],
  ])('finds %s in %s', (address, country) => expect(countries.nameOf(address)).toBe(country))

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fe80::1%eth0.1',
    'ff02::1',
    '2001:db8::1',
  ])('has no country for %s', address => expect(countries.nameOf(address)).toBe('Unknown'))
})

const countryOf = (entry: Entry, address = '9.9.9.9') =>
  new Countries(new CountryDatabase(mmdb({ '9.9.9.0/24': entry }))).nameOf(address)

describe('A database of another publisher', () => {
  test.each<[string, Entry]>([
    ['MaxMind', { country: { iso_code: 'IS' }, registered_country: { iso_code: 'US' } }],
    ['ip-location-db', { country_code: 'IS' }],
    ['IPinfo', { country: 'IS', country_name: 'Island' }],
  ])('is read in the format of %s', (_, entry) => expect(countryOf(entry)).toBe('Iceland'))

  test.each<[string, Entry]>([
    ['no country at all', { city: 'Reykjavík' }],
    ['a registration without a country', { registered_country: { iso_code: 'IS' } }],
    ['the code of no country', { country_code: 'ZZ' }],
    ['a code that nobody has', { country_code: 'QX' }],
    ['what can be no code', { country_code: 'Iceland' }],
    ['a continent', { country_code: '150' }],
    ['a number', { country_code: 352 }],
  ])('with %s counts as Unknown', (_, entry) => expect(countryOf(entry)).toBe('Unknown'))

  test('returns Unknown for an address that it lacks', () => {
    expect(countryOf({ country_code: 'IS' }, '9.9.8.1')).toBe('Unknown')
    expect(countryOf({ country_code: 'IS' }, '2a00::1')).toBe('Unknown')
  })

  test('is ignored for a private address', () => {
    const database = new CountryDatabase(mmdb({ '10.0.0.0/8': { country_code: 'IS' } }))
    expect(database.codeOf('10.0.0.1')).toBe('IS')
    expect(new Countries(database).nameOf('10.0.0.1')).toBe('Unknown')
  })

  test('for IPv4 only does not match IPv6 addresses', () => {
    const database = new CountryDatabase(mmdb({ '42.0.0.0/8': { country_code: 'IS' } }, 4))
    expect(database.codeOf('42.1.2.3')).toBe('IS')
    // 0x2a is 42
    expect(database.codeOf('2a01::1')).toBeUndefined()
  })
})
