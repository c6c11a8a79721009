import { isIPv6 } from 'node:net'
import { type CountryResponse, Reader } from 'mmdb-lib'

const IPV4_ONLY = 4
/** Any address will do, to see whether a database can be read at all. */
const TRIAL = '192.0.2.1'

/** A database of the countries of addresses, in MaxMind's format (mmdb). */
export class CountryDatabase {
  private readonly reader: Reader<CountryResponse>

  /** @throws Error if it is none */
  constructor(file: Buffer) {
    this.reader = new Reader(file)
    this.reader.get(TRIAL)
  }

  /**
   * The code that an address has, as a rule ISO 3166's; undefined if it has none.
   * @param address a valid one, IPv4 as such
   */
  codeOf(address: string): string | undefined {
    // a database of IPv4 alone would look an IPv6 address up by its first half
    if (this.reader.metadata.ipVersion === IPV4_ONLY && isIPv6(address)) return undefined
    try {
      return codeIn(this.reader.get(address))
    } catch {
      return undefined // a damaged place in it
    }
  }
}

/** Publishers differ: `country.iso_code` with MaxMind and DB-IP, `country_code` or `country` with others. */
function codeIn(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  if ('country_code' in record) return textOf(record.country_code)
  if (!('country' in record)) return undefined
  const { country } = record
  return typeof country === 'object' && country !== null && 'iso_code' in country
    ? textOf(country.iso_code)
    : textOf(country)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
