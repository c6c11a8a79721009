import { isIP } from 'node:net'
import { unmapped } from '../../base/address.ts'

/** Decides which addresses are trusted proxies, whose `X-Forwarded-For` header is believed. */
export interface ProxyTrust {
  trusts(address: string): boolean
}

const PORT_OR_BRACKETS = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/

/**
 * Returns the addresses that a request came through, separated by commas, the peer last.
 * @param forwarded the `X-Forwarded-For` header
 */
export const joinHops = (peer: string, forwarded: string | null) =>
  forwarded === null ? peer : `${forwarded},${peer}`

/** Returns the client's address: the last hop that isn't a trusted proxy. An invalid hop ends the search. */
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
