import { isIP } from 'node:net'
import { unmapped } from '../base/address.ts'

/** Says of an address whether what it tells about others is believed. */
export interface Trust {
  trusts(address: string): boolean
}

const PORT_OR_BRACKETS = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/

/**
 * The address of the client: the peer's own, or, where proxies are trusted, the rightmost that none of them added.
 * @param forwarded the `X-Forwarded-For` header
 */
export function clientAddress(peer: string, forwarded: string | null, proxies: Trust): string {
  let address = unmapped(peer)
  if (forwarded === null) return address
  const hops = forwarded.split(',')
  while (proxies.trusts(address)) {
    const hop = hops.pop()
    const next = hop === undefined ? undefined : readAddress(hop.trim())
    if (next === undefined) break
    address = next
  }
  return address
}

function readAddress(hop: string): string | undefined {
  const [, bracketed, withPort] = PORT_OR_BRACKETS.exec(hop) ?? []
  const address = unmapped(bracketed ?? withPort ?? hop)
  return isIP(address) ? address : undefined
}
