/** Where a job is, as far as its location, which is free text, says so beyond doubt. */
export interface Place {
  /** ISO 3166-1, two letters. */
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
/** What people write beside the names that Intl knows. */
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
/** They name a state and a city in it as well as a country. */
const AMBIGUOUS = new Set(['georgia'])
/** What Intl knows beside the 249 codes of ISO 3166-1: codes of the past, of parts of countries, and of groups. */
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

/** Reads `Lisbon, Portugal`, `US, TX, Houston`, `Austin, TX` and the like; undefined where the country is in doubt. */
export function parsePlace(location: string): Place | undefined {
  const parts = location.split(',').map(part => part.trim())
  return byName(parts) ?? byCode(parts) ?? byState(parts)
}

/** `City, Region, Country`, or a country alone. */
function byName(parts: readonly string[]): Place | undefined {
  const name = parts.at(-1)?.toLowerCase() ?? ''
  const country = AMBIGUOUS.has(name) ? undefined : BY_NAME.get(name)
  if (country === undefined) return undefined
  const [locality, region] = parts.slice(0, -1)
  return place(country, parts.length > 2 ? region : undefined, locality)
}

/** `US, TX, Houston`: the country's code, what is below it, and the city, of which the last two may be blank. */
function byCode(parts: readonly string[]): Place | undefined {
  const [country = '', region, ...rest] = parts
  const isAlone = parts.length === 1 && !UNITED_STATES.has(country) && !CANADA.has(country)
  if (!isCode(country) || !(parts.length > 2 || isAlone)) return undefined
  return place(country, region, rest.join(', '))
}

/** `Austin, TX 78701`: a state or province, unless a country has the same code. */
function byState(parts: readonly string[]): Place | undefined {
  const [locality, last = ''] = parts
  const state = last.replace(POSTAL_CODE, '').toUpperCase()
  if (parts.length !== 2 || (isCode(state) && state === last)) return undefined
  const [isAmerican, isCanadian] = [UNITED_STATES.has(state), CANADA.has(state)]
  return isAmerican || isCanadian ? place(isAmerican ? 'US' : 'CA', state, locality) : undefined
}

const isSaid = (name: string | undefined) =>
  name !== undefined && /\p{L}/u.test(name) && !/^remote$/i.test(name)

const place = (country: string, region: string | undefined, locality: string | undefined): Place => ({
  country,
  ...(region !== undefined && isSaid(region) && { region }),
  ...(locality !== undefined && isSaid(locality) && { locality }),
})
