import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { AdminSite } from '../helpers/adminSite.ts'
import { START } from '../helpers/board.ts'
import { jsonObject } from '../helpers/responses.ts'

let site: AdminSite

beforeAll(async () => {
  site = await AdminSite.open()
})
afterAll(async () => {
  await site.board.close()
})

const PROBLEM = 'www.jobs.example has no address in the DNS.'

test.each([
  ['none, without HTTPS', undefined, undefined, null, undefined, []],
  ['none yet', undefined, PROBLEM, null, 'There is no HTTPS certificate yet', [PROBLEM]],
  ['good', START + 61.5 * DAY, undefined, 61, undefined, ['61 days left']],
  [
    'not renewed',
    START + 20 * DAY,
    PROBLEM,
    20,
    "The HTTPS certificate can't be renewed",
    ['20 days left', PROBLEM],
  ],
  [
    'about to expire',
    START + 1.5 * DAY,
    undefined,
    1,
    'The HTTPS certificate expires in 1 day',
    ['1 day left'],
  ],
  ['expired', START - DAY, PROBLEM, -1, 'The HTTPS certificate has expired', ['Expired', PROBLEM]],
])('a certificate that is %s', async (_, expiresAt, problem, days, warning, facts) => {
  Object.assign(site.board.board.certificate, { expiresAt, problem })
  const health = await jsonObject(site.board.get('/health.json', { as: site.admin }))
  expect(health).toMatchObject({ certificate_days: days, certificate_problem: problem ?? null })
  expect(await jsonObject(site.board.get('/health.json'))).not.toHaveProperty('certificate_days')
  const page = await site.browser.get('/admin')
  expect(page.texts('.attention a').filter(text => text.includes('certificate'))).toEqual(
    warning === undefined ? [] : [warning],
  )
  const shown = page.texts('.facts-list div').filter(text => text.startsWith('Certificate'))
  expect(shown).toEqual(facts.map(text => `Certificate${text}`))
})
