import { notUtf8 } from '../../base/text.ts'

/**
 * Parses the query of a URL. If a name is repeated, the last value counts.
 * @throws Problem 'malformed' if it is not UTF-8
 */
export function parseQueryString(url: string): Map<string, string> {
  const start = url.indexOf('?')
  if (start < 0) return new Map()
  const hash = url.indexOf('#')
  const end = hash < 0 ? url.length : hash
  return new Map(parsePairs(url.slice(start + 1, end), 'query'))
}

/**
 * Parses a URL-encoded text as in the WHATWG URL Standard, except that invalid UTF-8 is an error instead of being
 * replaced. Yields the names and values in order.
 * @param what names the source of the text in the message, such as `body`
 * @throws Problem 'malformed' if it is not UTF-8
 */
export function* parsePairs(text: string, what: string): Generator<[name: string, value: string]> {
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const nameEnd = equals < 0 ? pair.length : equals
    yield [decode(pair.slice(0, nameEnd), what), decode(pair.slice(nameEnd + 1), what)]
  }
}

const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi

function decode(text: string, what: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced.replace(STRAY_PERCENT, '%25'))
  } catch {
    throw notUtf8(what)
  }
}
