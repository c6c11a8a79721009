import { readFileSync } from 'node:fs'
import embedded from '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb' with { type: 'file' }
import ipaddr from 'ipaddr.js'
import { withoutZone } from '../base/address.ts'
import { CountryDatabase } from '../base/countryDatabase.ts'
import { lazy } from '../base/lazy.ts'

/** Read when it is first needed: it has 8 MB. */
const embeddedDatabase = lazy(() => new CountryDatabase(readFileSync(embedded)))

const UNKNOWN = 'Unknown'

const REGION = /^[A-Z]{2}$/i

/** Looks up the country of an address, by its English name. */
export class Countries {
  private readonly names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

  /** @param database replaces the embedded one */
  constructor(private readonly database?: CountryDatabase) {}

  /** @param address a valid one, not an IPv4-mapped IPv6 address */
  nameOf(address: string): string {
    // IANA's special-purpose ranges belong to no country, whatever a database says
    if (ipaddr.parse(withoutZone(address)).range() !== 'unicast') return UNKNOWN
    const code = (this.database ?? embeddedDatabase()).codeOf(address) ?? ''
    // ZZ stands for no country, and Intl throws for what can't be a code
    return (REGION.test(code) && code !== 'ZZ' && this.names.of(code)) || UNKNOWN
  }
}
