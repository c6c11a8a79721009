/** A job's place, parsed from the location, which is free text. */
export interface Place {
  /** An ISO 3166-1 code of two letters. */
  readonly country: string
  readonly region?: string
  readonly locality?: string
}

/** The names of regions by their codes. */
const namesByCode = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split('; ').map(entry => [entry.split(' ', 1).join(), entry.slice(entry.indexOf(' ') + 1)]))

const UNITED_STATES = namesByCode(
  'AL Alabama; AK Alaska; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut; DE Delaware; FL Florida; GA Georgia; HI Hawaii; ID Idaho; IL Illinois; IN Indiana; IA Iowa; KS Kansas; KY Kentucky; LA Louisiana; ME Maine; MD Maryland; MA Massachusetts; MI Michigan; MN Minnesota; MS Mississippi; MO Missouri; MT Montana; NE Nebraska; NV Nevada; NH New Hampshire; NJ New Jersey; NM New Mexico; NY New York; NC North Carolina; ND North Dakota; OH Ohio; OK Oklahoma; OR Oregon; PA Pennsylvania; RI Rhode Island; SC South Carolina; SD South Dakota; TN Tennessee; TX Texas; UT Utah; VT Vermont; VA Virginia; WA Washington; WV West Virginia; WI Wisconsin; WY Wyoming; DC Washington DC',
)
const CANADA = namesByCode(
  'AB Alberta; BC British Columbia; MB Manitoba; NB New Brunswick; NL Newfoundland and Labrador; NS Nova Scotia; NT Northwest Territories; NU Nunavut; ON Ontario; PE Prince Edward Island; QC Quebec; SK Saskatchewan; YT Yukon',
)
/** The regions that people know by their codes, of the countries where addresses contain these. */
const REGIONS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  US: UNITED_STATES,
  CA: CANADA,
  AU: namesByCode(
    'WA Western Australia; SA South Australia; NT Northern Territory; NSW New South Wales; VIC Victoria; QLD Queensland; TAS Tasmania; ACT Canberra',
  ),
}
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
const shortNames = new Intl.DisplayNames('en', { type: 'region', style: 'short' })
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
  const parts = partsOf(location)
  return byName(parts) ?? byCode(parts) ?? byState(parts)
}

const partsOf = (location: string) => location.split(',').map(part => part.trim().replaceAll(/\s+/g, ' '))

/**
 * Writes a location as people do: `New York, US` for `US, , NEW YORK`, and `Brest, France` for `Brest,France`. Only codes,
 * capitals, commas and postal codes change; everything else stays as it was written.
 */
export function formatPlace(location: string): string {
  const parts = partsOf(location)
  const coded = byCode(parts)
  const written = coded ? namesOf(coded) : parts.filter(part => /[\p{L}\p{N}]/u.test(part)).map(asWritten)
  const text = written.filter((name, index) => name !== written[index - 1]).join(', ')
  return text === '' ? location : capitalized(text)
}

/** Returns the names of a place that was given by codes. */
function namesOf({ country, region = '', locality = '' }: Place): string[] {
  const regions = REGIONS[country]
  const code = regions?.has(region.toUpperCase()) ? region.toUpperCase() : ''
  const cities = partsOf(locality).filter(name => name !== '' && name.toUpperCase() !== code)
  const short = shortNames.of(country) ?? country
  if (cities.length > 0) return [...cities.map(titleCase), ...(code === '' ? [] : [code]), short]
  return code === ''
    ? [short.length === 2 ? (names.of(country) ?? short) : short]
    : [regions?.get(code) ?? code, short]
}

/** Whether a name is written in capitals, and is too long for an abbreviation. */
const isShouted = (name: string) => /\p{Lu}{4}/u.test(name) && name === name.toUpperCase()

const titleCase = (name: string) =>
  isShouted(name) || name === name.toLowerCase()
    ? name.toLowerCase().replaceAll(/(?<![\p{L}\p{M}\p{N}])\p{L}/gu, letter => letter.toUpperCase())
    : name

function asWritten(part: string): string {
  const name = part.replace(POSTAL_CODE, '')
  const isState = UNITED_STATES.has(name.toUpperCase()) || CANADA.has(name.toUpperCase())
  if (isState) return name.toUpperCase()
  return isShouted(part) ? titleCase(part) : part
}

const capitalized = (text: string) =>
  text.replace(/^\p{Ll}+(?![\p{Lu}\p{Ll}])/u, word => word.charAt(0).toUpperCase() + word.slice(1))

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
