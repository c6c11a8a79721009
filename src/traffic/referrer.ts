/** The maximum length of a DNS name. */
const MAX_HOST_LENGTH = 253

/** The host in a referrer, in lower case and without `www.`; `''` if there is none. */
export function sourceHostOf(referrer: string): string {
  const host = URL.parse(referrer)?.hostname ?? ''
  return host.length > MAX_HOST_LENGTH
    ? ''
    : host
        .toLowerCase()
        .replace(/^www\./, '')
        .replace(/\.$/, '')
}
