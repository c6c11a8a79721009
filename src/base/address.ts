import { isIPv6 } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4
const MAPPED_GROUP = 0xffff
const BYTE = 256

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 one, since who has one of its addresses
 * has them all.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const network = groupsOf(address).slice(0, NETWORK_GROUPS)
  return network.map(group => group.toString(16)).join(':')
}

/** An IPv4 address that came as an IPv6 one (`::ffff:192.0.2.1`, `::ffff:c000:201`) as the IPv4 address it is. */
export function unmapped(address: string): string {
  if (!/:ffff:/i.test(address) || !isIPv6(address)) return address
  const [high = 0, low = 0] = groupsOf(address).slice(-2)
  const isMapped = groupsOf(address).every((group, at) => at > 5 || group === (at === 5 ? MAPPED_GROUP : 0))
  return isMapped ? bytesOf(high, low).join('.') : address
}

/** The eight groups of an IPv6 address, which may end as an IPv4 address does. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.replace(/[\d.]+\.\d+$/, groupsOfDotted).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Math.max(0, GROUPS - left.length - right.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...right].map(group => parseInt(group, 16))
}

function groupsOfDotted(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  return `${(a * BYTE + b).toString(16)}:${(c * BYTE + d).toString(16)}`
}

const bytesOf = (...groups: number[]) => groups.flatMap(group => [Math.floor(group / BYTE), group % BYTE])
