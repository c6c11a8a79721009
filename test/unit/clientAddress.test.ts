import { expect, test } from 'bun:test'
import { networkOf } from '../../src/base/address.ts'
import { TrustedProxies } from '../../src/config/proxies.ts'
import { clientAddress, joinHops } from '../../src/http/request/clientAddress.ts'

const trusted = (text: string) => {
  const proxies = TrustedProxies.parse(text)
  if (!(proxies instanceof TrustedProxies)) throw new Error(`${text} can't be parsed`)
  return proxies
}

const LOCAL = '127.0.0.0/8,::1'
const CHAIN = '127.0.0.0/8,10.0.0.0/8'

test.each([
  ['198.51.100.1', null, LOCAL, '198.51.100.1'],
  ['198.51.100.1', '203.0.113.7', LOCAL, '198.51.100.1'],
  ['127.0.0.1', null, LOCAL, '127.0.0.1'],
  ['127.0.0.1', '203.0.113.7', LOCAL, '203.0.113.7'],
  ['127.0.0.1', '203.0.113.7', 'none', '127.0.0.1'],
  ['::1', '203.0.113.7', LOCAL, '203.0.113.7'],
  ['::ffff:127.0.0.1', '203.0.113.7', LOCAL, '203.0.113.7'],
  ['::ffff:198.51.100.1', '203.0.113.7', LOCAL, '198.51.100.1'],
  ['127.0.0.1', '192.0.2.9, 203.0.113.7', LOCAL, '203.0.113.7'],
  ['127.0.0.1', '192.0.2.9,203.0.113.7,10.1.1.1', CHAIN, '203.0.113.7'],
  ['127.0.0.1', '192.0.2.9,203.0.113.7,10.1.1.1', LOCAL, '10.1.1.1'],
  ['127.0.0.1', '10.1.1.1, 10.1.1.2', CHAIN, '10.1.1.1'],
  ['127.0.0.1', ' 203.0.113.7 ', LOCAL, '203.0.113.7'],
  ['127.0.0.1', '203.0.113.7:4711', LOCAL, '203.0.113.7'],
  ['127.0.0.1', '2001:db8::1', LOCAL, '2001:db8::1'],
  ['127.0.0.1', '[2001:db8::1]:4711', LOCAL, '2001:db8::1'],
  ['127.0.0.1', '::ffff:203.0.113.7', LOCAL, '203.0.113.7'],
  ['127.0.0.1', 'unknown', LOCAL, '127.0.0.1'],
  ['127.0.0.1', '203.0.113.7, unknown', LOCAL, '127.0.0.1'],
  ['127.0.0.1', '', LOCAL, '127.0.0.1'],
  ['127.0.0.1', ',,', LOCAL, '127.0.0.1'],
  ['127.0.0.1', '999.1.1.1', LOCAL, '127.0.0.1'],
  ['127.0.0.1', '203.0.113.7\0', LOCAL, '127.0.0.1'],
])('for peer %s, X-Forwarded-For %p and trusted proxies %s, is %s', (peer, forwarded, proxies, client) =>
  expect(clientAddress(joinHops(peer, forwarded), trusted(proxies))).toBe(client),
)

test.each([
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.7', '203.0.113.7', true],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:db8:0:0:1::', true],
  ['2001:db8::1', '2001:db8:0:1::', false],
  ['::1', '::2', true],
  ['::1', '0:0:0:0:9:9:9:9', true],
  ['1::', '2::', false],
])('%s and %s are in the same network: %p', (one, other, same) =>
  expect(networkOf(one) === networkOf(other)).toBe(same),
)
