import { BlockList, isIP } from 'node:net'
import { withoutZone } from '../base/address.ts'
import { OptionError } from './errors.ts'

const NONE = 'none'
/** The prefix length of 127.0.0.0/8. */
const LOOPBACK_BITS = 8
const BITS = { 4: 32, 6: 128 } as const
const NETWORK = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/

/** The proxies that are trusted to say which address a client has. */
export class TrustedProxies {
  private readonly list = new BlockList()
  private hasLoopback = false

  /**
   * Parses addresses and networks (`10.0.0.0/8`) that are separated by commas, or `none`. An IPv4 address and its
   * IPv4-mapped IPv6 form are the same.
   */
  static parse(text: string): TrustedProxies | OptionError {
    const proxies = new TrustedProxies()
    if (text.trim() === NONE) return proxies
    for (const entry of text.split(',').map(part => part.trim()))
      if (!proxies.add(entry))
        return new OptionError(
          `must be IP addresses or networks such as 10.0.0.0/8, separated by commas, or ${NONE}`,
        )
    return proxies
  }

  /** Returns whether the peer with this address is trusted; false if the text isn't an address. */
  trusts(address: string): boolean {
    const plain = withoutZone(address)
    const family = isIP(plain)
    return family !== 0 && this.list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }

  /** Whether all of 127.0.0.0/8 is trusted. */
  get trustsLoopback(): boolean {
    return this.hasLoopback
  }

  private add(entry: string): boolean {
    const [, address = '', prefix] = NETWORK.exec(entry) ?? []
    const family = isIP(address)
    if ((family !== 4 && family !== 6) || address.includes('%')) return false
    const bits = prefix === undefined ? BITS[family] : Number(prefix)
    if (bits > BITS[family]) return false
    this.list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
    if (address.startsWith('127.') && bits <= LOOPBACK_BITS) this.hasLoopback = true
    return true
  }
}
