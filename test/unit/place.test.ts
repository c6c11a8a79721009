import { expect, test } from 'bun:test'
import { formatPlace, parsePlace } from '../../src/base/place.ts'

test.each([
  ['Lisbon, Portugal', { country: 'PT', locality: 'Lisbon' }],
  ['Paris, France', { country: 'FR', locality: 'Paris' }],
  ['Berlin, Germany', { country: 'DE', locality: 'Berlin' }],
  ['Portland, Maine, USA', { country: 'US', region: 'Maine', locality: 'Portland' }],
  ['London, UK', { country: 'GB', locality: 'London' }],
  ['Pitlochry, Scotland', { country: 'GB', locality: 'Pitlochry' }],
  ['Singapore', { country: 'SG' }],
  ['united states', { country: 'US' }],
  ['US, TX, Houston', { country: 'US', region: 'TX', locality: 'Houston' }],
  ['CA, ON, Toronto', { country: 'CA', region: 'ON', locality: 'Toronto' }],
  ['US, NV, Remote', { country: 'US', region: 'NV' }],
  ['GB, , Milton Keynes', { country: 'GB', locality: 'Milton Keynes' }],
  ['US, ,', { country: 'US' }],
  ['US', { country: 'US' }],
  ['Austin, TX', { country: 'US', region: 'TX', locality: 'Austin' }],
  ['Los Angeles, CA 90001', { country: 'US', region: 'CA', locality: 'Los Angeles' }],
  ['Toronto, ON M6K 3H1', { country: 'CA', region: 'ON', locality: 'Toronto' }],
])('%j is a place', (location, place) => expect(parsePlace(location)).toEqual(place))

test.each([
  'Anywhere',
  'Remote',
  'Worldwide',
  'Europe',
  'European Union',
  'Not stated',
  'New York',
  // Georgia is a state and a country, GA a state and Gabon, CA a state and Canada
  'Tbilisi, Georgia',
  'Atlanta, GA',
  'Los Angeles, CA',
  'CA',
  'GA',
  // codes of the past
  'FX, ,',
  'Leipzig, DD',
  'us, tx, houston',
  ',',
  '',
])('%j has no known country', location => expect(parsePlace(location)).toBeUndefined())

test.each([
  ['US, , NEW YORK', 'New York, US'],
  ['US, KY,', 'Kentucky, US'],
  ['Brest,France', 'Brest, France'],
  ['US, ,', 'United States'],
  ['GB, LND, london', 'London, UK'],
  ['GR, I, Athens', 'Athens, Greece'],
  ['AU, VIC, Carlton', 'Carlton, VIC, Australia'],
  ['US, NY, NY', 'New York, US'],
  ['US, CA, Bakersfield, CA', 'Bakersfield, CA, US'],
  ["US, MI, O'FALLON", "O'Fallon, MI, US"],
  ['SG, 01, Singapore', 'Singapore'],
  ['US, NV, Remote', 'Nevada, US'],
  ['Saint John, NB E2J5E5', 'Saint John, NB'],
  ['Springfield, il 62701', 'Springfield, IL'],
  ['on the coast', 'On the coast'],
  ['Lisbon, Portugal', 'Lisbon, Portugal'],
  ['eThekwini', 'eThekwini'],
  ["'s-Hertogenbosch", "'s-Hertogenbosch"],
  ['東京', '東京'],
  [', ,', ', ,'],
])('%j is shown as %j', (location, text) => expect(formatPlace(location)).toBe(text))
