import { isIPv6 } from 'node:net'
import { type CountryResponse, Reader } from 'mmdb-lib'

const IPV4_ONLY = 4
/** Any address, to test whether a database can be read. */
const TEST_ADDRESS = '192.0.2.1'

/** A database of the countries of IP addresses, in MaxMind's format (mmdb). */
export class CountryDatabase {
  private readonly reader: Reader<CountryResponse>

  /** @throws Error if the file isn't an mmdb database */
  constructor(file: Buffer) {
    this.reader = new Reader(file)
    this.reader.get(TEST_ADDRESS)
  }

  /**
   * Returns the code of the country that an address belongs to (most databases use ISO 3166, such as `PT`);
   * undefined if the database has none.
   * @param address a valid one, not an IPv4-mapped IPv6 address
   */
  codeOf(address: string): string | undefined {
    // An IPv4-only database would look up an IPv6 address by its first 32 bits.
    if (this.reader.metadata.ipVersion === IPV4_ONLY && isIPv6(address)) return undefined
    try {
      return codeIn(this.reader.get(address))
    } catch {
      // This part of the file is damaged.
      return undefined
    }
  }
}

/** Finds the code in a record: `country.iso_code` from MaxMind and DB-IP, `country_code` or `country` from others. */
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
