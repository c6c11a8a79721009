/** The longest name that DNS knows. */
const MAX_HOST_LENGTH = 253

/** The host that a referrer names: in lower case, without `www.`; `''` where it names none. */
export function sourceHostOf(referrer: string): string {
  const host = URL.parse(referrer)?.hostname ?? ''
  return host.length > MAX_HOST_LENGTH
    ? ''
    : host
        .toLowerCase()
        .replace(/^www\./, '')
        .replace(/\.$/, '')
}
