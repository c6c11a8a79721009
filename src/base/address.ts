import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const NETWORK_GROUPS = 4
const DOTTED_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Removes the interface from a link-local address (`fe80::1%eth0`). */
export const withoutZone = (address: string) => address.replace(/%.*$/, '')

/**
 * Returns the network that counts as one client: an IPv4 address itself, or the /64 of an IPv6 address, because a client
 * with one address of a /64 can use all of them.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const groups = ipaddr.IPv6.parse(withoutZone(address)).parts.slice(0, NETWORK_GROUPS)
  return groups.map(group => group.toString(16)).join(':')
}

/** Turns an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, `::ffff:c000:201`) into the IPv4 address; returns others unchanged. */
export function unmapped(address: string): string {
  const [, dotted] = DOTTED_MAPPED.exec(address) ?? []
  if (dotted !== undefined) return dotted
  if (!/:ffff:/i.test(address) || !isIPv6(address)) return address
  const parsed = ipaddr.IPv6.parse(withoutZone(address))
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : address
}

/** Returns whether a host is this machine. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|::1)$/i.test(host)

/** Returns the host of a URL; an IPv6 address has no brackets. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** The first hextet of global unicast addresses, 2000::/3. What is outside of it isn't the internet. */
const GLOBAL_UNICAST = { first: 0x2000, last: 0x3fff }
const LOCAL_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

/** Where an IP address leads to: `none` for addresses that no server has, such as multicast ones. */
export type Reach = 'internet' | 'local' | 'none'

/**
 * Returns where an IP address leads to: to the internet; to this machine or its network; or, like a multicast, reserved or
 * link-local one, to neither. An IPv4-mapped address is its IPv4 address. Other addresses that contain an IPv4 address
 * (NAT64, 6to4) lead nowhere, because a gateway could translate them to any.
 */
export function reachOf(address: string): Reach {
  const plain = unmapped(address)
  // The parser takes the obsolete form ::192.0.2.1 for an IPv4-mapped address.
  if (!ipaddr.isValid(plain) || (isIPv6(plain) && plain.includes('.'))) return 'none'
  const parsed = ipaddr.process(plain)
  const range: string = parsed.range()
  if (LOCAL_RANGES.has(range)) return 'local'
  if (range !== 'unicast') return 'none'
  if (parsed.kind() === 'ipv4') return 'internet'
  const [first = 0] = (parsed as ipaddr.IPv6).parts
  return first >= GLOBAL_UNICAST.first && first <= GLOBAL_UNICAST.last ? 'internet' : 'none'
}
