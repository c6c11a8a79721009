/** The longest name that DNS knows. */
const HOST_LENGTH = 253

/** The host that a referrer names: in lower case, without `www.`; `''` where it names none. */
export function hostOf(referrer: string): string {
  const host = URL.parse(referrer)?.hostname ?? ''
  return host.length > HOST_LENGTH
    ? ''
    : host
        .toLowerCase()
        .replace(/^www\./, '')
        .replace(/\.$/, '')
}
