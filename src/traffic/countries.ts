import { readFileSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import embedded from '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb' with { type: 'file' }
import { CountryDatabase } from '../base/countryDatabase.ts'

const UNKNOWN = 'Unknown'

/** Addresses that belong to nobody in particular (IANA's special-purpose registries), whatever a database says. */
const NOWHERE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/127',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]

const REGION = /^[A-Z]{2}$/i

/** Tells the country that an address is in, by its English name. */
export class Countries {
  private readonly nowhere = new BlockList()
  private readonly names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

  /** @param database in place of the embedded one, which is opened when it is first needed */
  constructor(private database?: CountryDatabase) {
    for (const network of NOWHERE) {
      const [address = '', bits] = network.split('/')
      this.nowhere.addSubnet(address, Number(bits), familyOf(address))
    }
  }

  /** @param address a valid one, IPv4 as such */
  nameOf(address: string): string {
    if (this.nowhere.check(address, familyOf(address))) return UNKNOWN
    this.database ??= new CountryDatabase(readFileSync(embedded))
    const code = this.database.codeOf(address) ?? ''
    // ZZ is no country's, and Intl throws where a code can't be one
    return (REGION.test(code) && code !== 'ZZ' && this.names.of(code)) || UNKNOWN
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
