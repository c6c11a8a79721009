import { describe, expect, test } from 'bun:test'
import { reachOf } from '../../src/base/address.ts'
import { addressesOf, urlError, withAddress } from '../../src/webhooks/target.ts'

describe('an address', () => {
  test.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '2a01:4f8::1'])(
    '%s is on the internet',
    address => expect(reachOf(address)).toBe('internet'),
  )

  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
  ])('%s is on this machine or its network', address => expect(reachOf(address)).toBe('local'))

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:1::',
    '2001:db8::1',
    '100::1',
    'localhost',
    '',
  ])('%s is nowhere that a receiver can be', address => expect(reachOf(address)).toBe('none'))
})

describe('the URL of a webhook', () => {
  test.each([
    'https://example.com',
    'https://example.com:8443/a?b#c',
    'https://8.8.8.8/',
    'https://[2606::1]/',
  ])('%s is accepted', url => expect(urlError(url, false)).toBeUndefined())

  test.each([
    'http://example.com',
    'https://user:password@example.com',
    'https://user@example.com',
    'https://localhost/',
    'https://a.localhost./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/',
    'ftp://example.com',
    'nonsense',
  ])('%s is refused', url => expect(urlError(url, false)).toBeString())

  test('may lead to this machine and its network if that is allowed, but not to link-local addresses', () => {
    for (const url of [
      'http://127.0.0.1:1/',
      'http://localhost/',
      'https://192.168.0.2/',
      'http://[::1]:80/',
    ])
      expect(urlError(url, true)).toBeUndefined()
    for (const url of ['http://169.254.169.254/', 'http://0.0.0.0/', 'http://user@127.0.0.1/'])
      expect(urlError(url, true)).toBeString()
  })
})

describe('the host of a webhook', () => {
  const url = new URL('https://hooks.example.com:8443/path?a=b')

  test('is refused if any of its addresses is private', async () => {
    const resolve = () => Promise.resolve(['8.8.8.8', '10.0.0.1'])
    expect(addressesOf(url, resolve, false)).rejects.toThrow('must lead to the internet')
    expect(await addressesOf(url, resolve, true)).toEqual(['8.8.8.8', '10.0.0.1'])
    expect(addressesOf(url, () => Promise.resolve([]), false)).rejects.toThrow('without an address')
  })

  test('is resolved once, and connected to by the address that was checked', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    const [address = ''] = await addressesOf(url, () => Promise.resolve(answers.shift() ?? []), false)
    expect(withAddress(url, address)).toBe('https://8.8.8.8:8443/path?a=b')
    expect(withAddress(url, '2606::1')).toBe('https://[2606::1]:8443/path?a=b')
    expect(await addressesOf(url, () => Promise.resolve(['::ffff:8.8.8.8']), false)).toEqual(['8.8.8.8'])
    expect(answers).toHaveLength(1)
  })
})
