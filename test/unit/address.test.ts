import { expect, test } from 'bun:test'
import { networkOf, unmapped } from '../../src/base/address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['::ffff:c000:201%eth0.1', '192.0.2.1'],
  ['::ffff:1%eth0.1', '::ffff:1%eth0.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['0000::ffff:c000:0201', '192.0.2.1'],
  ['::ffff:0:0', '0.0.0.0'],
  ['2001:db8::ffff:c000:201', '2001:db8::ffff:c000:201'],
  ['::1:ffff:c000:201', '::1:ffff:c000:201'],
  ['::ffff:0:c000:201', '::ffff:0:c000:201'],
  ['0:ffff:1:2', '0:ffff:1:2'],
  ['unknown', 'unknown'],
])('%s unmapped is %s', (address, plain) => expect(unmapped(address)).toBe(plain))

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:2::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['fe80::1:2:3:4:5%eth0.1', 'fe80:0:0:1'],
  ['2001:db8:1::1.2.3.4%eth0', '2001:db8:1:0'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
