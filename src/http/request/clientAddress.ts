import { isIP } from 'node:net'
import { unmapped } from '../../base/address.ts'

/** Says of an address whether what it tells about others is believed. */
export interface ProxyTrust {
  trusts(address: string): boolean
}

const PORT_OR_BRACKETS = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/

/**
 * The addresses that a request came through, set apart by commas, the peer last.
 * @param forwarded the `X-Forwarded-For` header
 */
export const joinHops = (peer: string, forwarded: string | null) =>
  forwarded === null ? peer : `${forwarded},${peer}`

/** The address of the client: the peer's own, or, where proxies are trusted, the rightmost that none of them added. */
export function clientAddress(hops: string, proxies: ProxyTrust): string {
  const rest = hops.split(',')
  let address = unmapped(rest.pop() ?? '')
  while (proxies.trusts(address)) {
    const hop = rest.pop()
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
