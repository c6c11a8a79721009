import { afterEach, describe, expect, test } from 'bun:test'
import { issueToken } from '../../src/accounts/tokens.ts'
import { DAY, MINUTE, timestamp } from '../../src/base/clock.ts'
import { START } from '../helpers/board.ts'
import { dump, type FixtureBoard, insertJobs, openFixtureBoard, PLAN_ID } from '../helpers/fixtures.ts'
import { textsOf, valuesOf } from '../helpers/html.ts'
import { MailServer } from '../helpers/mail.ts'
import { jsonObject, statusOf } from '../helpers/responses.ts'
import { HTML } from '../helpers/website.ts'

let fixture: FixtureBoard
let server: MailServer | undefined
afterEach(async () => {
  await fixture.test.close()
  await server?.stop()
  server = undefined
})

const END = START + 30 * DAY
const WRONG = 'This link is invalid or has expired. Sign in to renew the job.'

/** Opens a board with two jobs of the owner, the first of which is about to expire. */
async function open(columns: object = {}, ...flags: string[]) {
  fixture = await openFixtureBoard('--name', 'Fjord Jobs', ...flags)
  const own = { userId: fixture.owner.id, expiresAt: END }
  await insertJobs(fixture.test.board, [{ ...own, title: 'Nurse <3', ...columns }, own])
  fixture.test.clock.now = END - DAY
}

const link = (suffix = '.json', token = issue()) => token.then(text => `/jobs/1/renew${suffix}?token=${text}`)
const issue = (id = 1) =>
  fixture.test.board.store.write(tables => issueToken(tables, 'renewal', id, fixture.test.clock.now))
const read = () => jsonObject(fixture.test.get('/jobs/1.json', { as: fixture.owner }))

describe('the renewal link', () => {
  test('changes nothing by itself; a POST renews the job, without an account', async () => {
    await open()
    const path = await link()
    const before = dump(fixture.test)
    expect(await jsonObject(fixture.test.get(path))).toEqual({
      message: 'Renew "Nurse <3" for 30 days? To choose "Renew it", send a POST to this address.',
    })
    expect(await statusOf(fixture.test.request('HEAD', path))).toBe(200)
    expect(dump(fixture.test)).toEqual(before)
    expect(await jsonObject(fixture.test.post(path))).toEqual({ message: 'The job "Nurse <3" is renewed.' })
    expect(await read()).toMatchObject({ status: 'active', expires_at: timestamp(END + 30 * DAY) })
    // A double click adds nothing, and a later one says why.
    expect(await statusOf(fixture.test.post(path))).toBe(200)
    expect(await read()).toMatchObject({ expires_at: timestamp(END + 30 * DAY) })
    fixture.test.clock.now += 10 * MINUTE
    const again = await fixture.test.post(path)
    expect([again.status, (await jsonObject(again))['error']]).toEqual([
      409,
      'The job expires on 11 March 2026 at 18:21 UTC. It can be renewed from 25 February 2026 at 18:21 UTC on.',
    ])
  })

  test('is a page in the look of the board, with one button', async () => {
    await open()
    const path = await link('')
    const response = await fixture.test.get(path, { headers: HTML })
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).toContain('Renew &#34;Nurse &lt;3&#34; for 30 days?')
    expect(textsOf(html, 'main form button')).toEqual(['Renew it'])
    expect(valuesOf(html, 'main form', 'method')).toEqual(['post'])
    expect(html).toContain('Fjord Jobs')
    expect(html).toContain('noindex')
    const renewed = await fixture.test.post(path, { headers: { ...HTML, 'sec-fetch-site': 'same-origin' } })
    expect(await renewed.text()).toContain('The job &#34;Nurse &lt;3&#34; is renewed.')
    expect(await read()).toMatchObject({ expires_at: timestamp(END + 30 * DAY) })
  })

  test.each([
    ['a wrong token', () => Promise.resolve('x'.repeat(43))],
    ['no token', () => Promise.resolve('')],
    ['the token of another job', () => issue(2)],
    [
      'the token of another purpose',
      () => fixture.test.board.store.write(tables => issueToken(tables, 'reset', 1, fixture.test.clock.now)),
    ],
    [
      'a token that is 30 days old',
      async () => {
        const token = await issue()
        fixture.test.clock.now += 30 * DAY
        return token
      },
    ],
    [
      'a token whose owner was deleted',
      async () => {
        const token = await issue()
        await fixture.test.delete(`/users/${fixture.owner.id}.json`, { as: fixture.admin })
        return token
      },
    ],
  ])('with %s is 404, and changes nothing', async (_, makeToken) => {
    await open()
    const token = await makeToken()
    const before = dump(fixture.test)
    for (const method of ['GET', 'POST']) {
      const response = await fixture.test.request(method, `/jobs/1/renew.json?token=${token}`)
      expect([response.status, (await jsonObject(response))['error']]).toEqual([404, WRONG])
      const page = await fixture.test.request(method, `/jobs/1/renew?token=${token}`, { headers: HTML })
      expect(page.status).toBe(404)
      expect(await page.text()).toContain(WRONG)
    }
    expect(dump(fixture.test)).toEqual(before)
  })

  test('is valid until just before 30 days, also after the end of the job', async () => {
    await open()
    const path = await link()
    fixture.test.clock.now += 30 * DAY - 1
    expect(await statusOf(fixture.test.post(path))).toBe(200)
    expect(await read()).toMatchObject({ status: 'active' })
  })

  test('asks for approval where its owner would need it, but not for that of an administrator', async () => {
    await open({}, '--approve', 'all')
    const message = 'The job "Nurse <3" is awaiting approval, and will be renewed then.'
    expect(await jsonObject(fixture.test.post(await link()))).toEqual({ message })
    expect(await read()).toMatchObject({ status: 'pending' })
    const [id = 0] = await insertJobs(fixture.test.board, [{ userId: fixture.admin.id, expiresAt: END }])
    const path = `/jobs/${id}/renew.json?token=${await issue(id)}`
    expect(await jsonObject(fixture.test.post(path))).toEqual({ message: 'The job "Nurse" is renewed.' })
  })

  test('says why a job on an archived plan, or one that is awaiting approval, is not renewed', async () => {
    await open({ planId: PLAN_ID.archived })
    const path = await link()
    const errorOf = async () => (await jsonObject(fixture.test.post(path)))['error']
    expect(await errorOf()).toBe('The plan "Archived" is archived. Sign in to choose another one.')
    await fixture.test.board.store.write(({ jobs }) => {
      const job = jobs.get(1)
      if (job) jobs.update(job, { pending: true })
    })
    expect(await errorOf()).toBe('The job is awaiting approval. Renew it once it is approved.')
  })

  test.each([
    ['on', '/jobs/1/renew?token='],
    ['off', '/jobs/1/renew.json?token='],
  ])('is in the mail, with --pages %s', async (pages, path) => {
    server = await MailServer.start()
    await open({}, '--pages', pages, ...server.flags)
    await fixture.test.board.mail.runDue()
    const mail = await server.mailOn('Your job expires within a day: Nurse <3')
    expect(mail.text).toContain(`https://board.example.com${path}`)
    expect(await statusOf(fixture.test.post(`${path}${mail.token}`))).toBe(200)
    expect(await statusOf(fixture.test.get('/jobs/1/renew?token=x'))).toBe(404)
  })
})
