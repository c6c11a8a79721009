import { notUtf8 } from '../../base/text.ts'

/**
 * What the query of a URL says: the last value of each name.
 * @throws Problem 'malformed' if it is not UTF-8
 */
export function parseQuery(url: string): Map<string, string> {
  const start = url.indexOf('?')
  if (start < 0) return new Map()
  const hash = url.indexOf('#')
  const end = hash < 0 ? url.length : hash
  return new Map(parsePairs(url.slice(start + 1, end), 'query'))
}

/**
 * The names and values of an urlencoded text, in its order, decoded as WHATWG's URL standard says, save that bytes
 * which are not UTF-8 are refused, not replaced.
 * @param what the text's name in that refusal, such as `body`
 * @throws Problem 'malformed'
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
