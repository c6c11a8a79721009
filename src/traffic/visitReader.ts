import type { Config } from '../config/config.ts'
import { isBot, isCrawler } from './bots.ts'
import { Countries } from './countries.ts'
import type { VisitReader } from './dailyCounts.ts'
import { sourceHostOf } from './referrer.ts'

/** Returns the functions that classify page views of this board, with its own host. */
export function visitReader(
  { geoipDb }: Config,
  baseUrl: string,
  addressOf: (hops: string) => string,
): VisitReader {
  const countries = new Countries(geoipDb)
  const ownHost = sourceHostOf(baseUrl)
  return {
    isBot,
    isCrawler,
    country: hops => countries.nameOf(addressOf(hops)),
    source: referrer => {
      const host = sourceHostOf(referrer)
      return host === ownHost ? '' : host
    },
  }
}
