import { describe, expect, test } from 'bun:test'
import { TrustedProxies } from '../../src/config/proxies.ts'
import { readConfig } from '../helpers/config.ts'

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
  ])('%s contains %s: %p', (text, address, expected) => {
    const proxies = TrustedProxies.parse(text)
    expect(proxies instanceof TrustedProxies && proxies.trusts(address)).toBe(expected)
  })
})

test.each([
  ['127.0.0.0/8,::1', true],
  ['10.0.0.1, 127.0.0.0/8', true],
  ['127.0.0.1/8', true],
  ['127.0.0.1', false],
  ['127.0.0.0/9,127.128.0.0/9', false],
  ['10.0.0.0/8', false],
  ['none', false],
])('with %p as proxies, the whole loopback network is trusted: %p', (text, expected) => {
  expect(readConfig(['--trust-proxy', text], {}).trustProxy.trustsLoopback).toBe(expected)
})
