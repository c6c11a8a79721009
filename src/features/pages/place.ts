/** A job's place, parsed from the location, which is free text. */
export interface Place {
  /** An ISO 3166-1 code of two letters. */
  readonly country: string
  readonly region?: string
  readonly locality?: string
}

const UNITED_STATES = new Set(
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC'.split(
    ' ',
  ),
)
const CANADA = new Set('AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' '))
const POSTAL_CODE = /\s+(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d)$/i
/** Common names of countries, in addition to those of Intl. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  uk: 'GB',
  'u.k.': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'great britain': 'GB',
  uae: 'AE',
  'the netherlands': 'NL',
  holland: 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
  'republic of ireland': 'IE',
}
/** Names of a country that are also names of a state. */
const AMBIGUOUS = new Set(['georgia'])
/** Codes that Intl has in addition to the 249 of ISO 3166-1: former codes, parts of countries, and groups. */
const OTHER_CODES = new Set(
  'AN BU CS DD DY FX HV NH RH SU TP UK VD YD YU ZR AC CP CQ DG EA IC TA EU EZ QO UN XA XB XK ZZ'.split(' '),
)

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCode = (code: string) =>
  /^[A-Z]{2}$/.test(code) && !OTHER_CODES.has(code) && names.of(code) !== undefined

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...LETTERS.flatMap(first => LETTERS.map(second => first + second))
    .filter(isCode)
    .map((code): [string, string] => [String(names.of(code)).toLowerCase(), code]),
  ...Object.entries(OTHER_NAMES),
])

/** Parses `Lisbon, Portugal`, `US, TX, Houston`, `Austin, TX` and the like. Returns undefined if the country is uncertain. */
export function parsePlace(location: string): Place | undefined {
  const parts = location.split(',').map(part => part.trim())
  return byName(parts) ?? byCode(parts) ?? byState(parts)
}

/** Parses `City, Region, Country`, or a country alone. */
function byName(parts: readonly string[]): Place | undefined {
  const name = parts.at(-1)?.toLowerCase() ?? ''
  const country = AMBIGUOUS.has(name) ? undefined : BY_NAME.get(name)
  if (country === undefined) return undefined
  const [locality, region] = parts.slice(0, -1)
  return place(country, parts.length > 2 ? region : undefined, locality)
}

/** Parses `US, TX, Houston`: a country's code, region and city. Region and city may be blank. */
function byCode(parts: readonly string[]): Place | undefined {
  const [country = '', region, ...rest] = parts
  const isAlone = parts.length === 1 && !UNITED_STATES.has(country) && !CANADA.has(country)
  if (!isCode(country) || !(parts.length > 2 || isAlone)) return undefined
  return place(country, region, rest.join(', '))
}

/** Parses `Austin, TX 78701`: a city and a state or province, unless a country has the same code. */
function byState(parts: readonly string[]): Place | undefined {
  const [locality, last = ''] = parts
  const state = last.replace(POSTAL_CODE, '').toUpperCase()
  if (parts.length !== 2 || (isCode(state) && state === last)) return undefined
  const [isAmerican, isCanadian] = [UNITED_STATES.has(state), CANADA.has(state)]
  return isAmerican || isCanadian ? place(isAmerican ? 'US' : 'CA', state, locality) : undefined
}

const isPlaceName = (name: string | undefined) =>
  name !== undefined && /\p{L}/u.test(name) && !/^remote$/i.test(name)

const place = (country: string, region: string | undefined, locality: string | undefined): Place => ({
  country,
  ...(region !== undefined && isPlaceName(region) && { region }),
  ...(locality !== undefined && isPlaceName(locality) && { locality }),
})
