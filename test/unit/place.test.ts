import { expect, test } from 'bun:test'
import { parsePlace } from '../../src/features/pages/place.ts'

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
