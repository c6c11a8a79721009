import { isIP, isIPv6 } from 'node:net'
import { hostOf, reachOf, unmapped } from '../base/address.ts'

/** Returns the IP addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Why nothing is sent to a URL. The message says what is wrong with it, as the end of a sentence. */
export class TargetError extends Error {}

const NOT_HTTPS = 'must begin with https://'
const PRIVATE = 'must lead to the internet, not to this machine or a private network (see --webhook-private)'
const NOWHERE = 'leads to an address that no receiver can have'

/**
 * Returns what is wrong with a URL, as far as that shows without resolving its host; undefined if nothing is.
 * @param allowsPrivate whether it may lead to this machine and its network, and be plain http
 */
export function urlError(text: string, allowsPrivate: boolean): string | undefined {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be an absolute URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.protocol !== 'https:' && !allowsPrivate) return NOT_HTTPS
  const host = hostOf(url)
  if (isIP(host) !== 0) return addressError(host, allowsPrivate)
  return isLocalName(host) && !allowsPrivate ? PRIVATE : undefined
}

/**
 * Resolves the host of a URL, and returns the addresses to connect to. Every address is checked, and the connection goes to
 * the very address that was checked: the name could lead elsewhere a moment later.
 * @throws TargetError
 */
export async function addressesOf(url: URL, resolve: Resolve, allowsPrivate: boolean): Promise<string[]> {
  const error = urlError(url.href, allowsPrivate)
  if (error !== undefined) throw new TargetError(error)
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length === 0) throw new TargetError('has a host without an address')
  for (const address of addresses) {
    const wrong = addressError(address, allowsPrivate)
    if (wrong !== undefined) throw new TargetError(wrong)
  }
  return addresses.map(unmapped)
}

/** Returns a URL that leads to an address. */
export function withAddress(url: URL, address: string): string {
  const direct = new URL(url)
  direct.hostname = isIPv6(address) ? `[${address}]` : address
  direct.hash = ''
  return direct.href
}

function addressError(address: string, allowsPrivate: boolean): string | undefined {
  const reach = reachOf(address)
  if (reach === 'local' && !allowsPrivate) return PRIVATE
  return reach === 'none' ? NOWHERE : undefined
}

const isLocalName = (host: string) => /(^|\.)localhost\.?$/i.test(host)
