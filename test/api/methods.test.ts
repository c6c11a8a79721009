import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestBoard } from '../helpers/board.ts'
import { type FixtureBoard, insertJobs, openFixtureBoard, writeLogo } from '../helpers/fixtures.ts'
import { jsonObject } from '../helpers/responses.ts'
import { routesOfBoard } from '../helpers/routes.ts'

let fixture: FixtureBoard
let board: TestBoard

beforeAll(async () => {
  fixture = await openFixtureBoard()
  board = fixture.test
  await insertJobs(board.board, [{ userId: fixture.owner.id }])
})
afterAll(() => board.close())

describe('pages of other sites', () => {
  const ORIGIN = 'https://front.example'
  const preflight = (site: TestBoard, method: string, path = '/jobs.json', origin = ORIGIN) =>
    site.request('OPTIONS', path, { headers: { origin, 'access-control-request-method': method } })
  const allowed = ({ headers }: Response) => [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-methods'),
    headers.get('access-control-allow-headers')?.includes('Authorization') ?? null,
  ]

  test('may read by default', async () => {
    const response = await board.get('/jobs.json', { headers: { origin: ORIGIN } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'Link, X-Total-Count, X-Search, X-Search-Corrected, X-Change-Seq, X-Unchanged, ETag, Location',
    )
    const logo = `/logos/${await writeLogo(board)}`
    expect((await board.get(logo)).status).toBe(200)
    for (const path of ['/nothing', '/users.json', logo])
      expect((await board.get(path)).headers.get('access-control-allow-origin')).toBe('*')
    const written = await board.post('/jobs.json', { as: fixture.owner, headers: { origin: ORIGIN } })
    expect(written.headers.has('access-control-allow-origin')).toBeFalse()
    expect(allowed(await preflight(board, 'GET'))).toEqual(['*', 'GET, HEAD, OPTIONS', false])
    expect(allowed(await preflight(board, 'PUT', '/jobs/1.json'))).toEqual(['*', 'GET, HEAD, OPTIONS', false])
  })

  test('in --cors-origin may use every method and sign in, others nothing', async () => {
    const { test: site } = await openFixtureBoard('--cors-origin', `${ORIGIN},https://other.example`)
    const origins = [
      [ORIGIN, ORIGIN],
      ['https://other.example', 'https://other.example'],
      ['https://evil.example', null],
      [`${ORIGIN}.evil.example`, null],
      ['http://front.example', null],
      ['null', null],
    ] as const
    for (const [origin, expected] of origins) {
      for (const [method, path] of [
        ['GET', '/jobs.json'],
        ['POST', '/jobs.json'],
        ['GET', '/nothing'],
      ] as const) {
        const response = await site.request(method, path, { headers: { origin } })
        expect(response.headers.get('access-control-allow-origin')).toBe(expected)
      }
    }
    expect((await site.get('/jobs.json')).headers.has('access-control-allow-origin')).toBeFalse()
    expect(allowed(await preflight(site, 'PUT', '/jobs/1.json'))).toEqual([
      ORIGIN,
      'GET, HEAD, PUT, DELETE, OPTIONS',
      true,
    ])
    const [origin] = allowed(await preflight(site, 'PUT', '/jobs/1.json', 'https://evil.example'))
    expect(origin).toBeNull()
    await site.close()
  })
})

describe('the methods', () => {
  /** Every path of the API, and its methods. */
  const KNOWN: readonly (readonly [string, string])[] = [
    ['/health.json', 'GET, HEAD, OPTIONS'],
    ['/metrics', 'GET, HEAD, OPTIONS'],
    ['/jobs.json', 'GET, HEAD, POST, OPTIONS'],
    ['/jobs/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/jobs/1.png', 'GET, HEAD, OPTIONS'],
    ['/jobs/1/approve.json', 'PUT, OPTIONS'],
    ['/jobs/1/refuse.json', 'PUT, OPTIONS'],
    ['/jobs/1/submit.json', 'PUT, OPTIONS'],
    ['/jobs/1/fill.json', 'PUT, OPTIONS'],
    ['/jobs/1/close.json', 'PUT, OPTIONS'],
    ['/jobs/1/reopen.json', 'PUT, OPTIONS'],
    ['/jobs/1/renew.json', 'GET, HEAD, POST, PUT, OPTIONS'],
    ['/jobs/1/duplicate.json', 'POST, OPTIONS'],
    ['/categories.json', 'GET, HEAD, POST, OPTIONS'],
    ['/categories/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/terms.json', 'GET, HEAD, POST, OPTIONS'],
    ['/terms/999.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/plans.json', 'GET, HEAD, POST, OPTIONS'],
    ['/plans/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/plans/1/archive.json', 'PUT, OPTIONS'],
    ['/plans/1/activate.json', 'PUT, OPTIONS'],
    ['/users.json', 'GET, HEAD, POST, OPTIONS'],
    ['/users/me.json', 'GET, HEAD, OPTIONS'],
    ['/users/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/users/confirm.json', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers.json', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/subscribers/confirm.json', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers/unsubscribe.json', 'GET, HEAD, POST, OPTIONS'],
    ['/analytics.json', 'GET, HEAD, OPTIONS'],
    ['/settings.json', 'GET, HEAD, PUT, OPTIONS'],
    ['/analytics/funnel.json', 'GET, HEAD, OPTIONS'],
    ['/webhooks.json', 'GET, HEAD, POST, OPTIONS'],
    ['/webhooks/1.json', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/webhooks/1/rotate.json', 'PUT, OPTIONS'],
    ['/webhooks/1/test.json', 'POST, OPTIONS'],
    ['/webhooks/1/deliveries.json', 'GET, HEAD, OPTIONS'],
    ['/webhooks/1/replay.json', 'POST, OPTIONS'],
    ['/jobs/batch.json', 'POST, OPTIONS'],
    ['/sources.json', 'GET, HEAD, OPTIONS'],
    ['/sources/ats/sync.json', 'POST, OPTIONS'],
    ['/sources/ats/runs.json', 'GET, HEAD, OPTIONS'],
    ['/sources/ats/jobs/x.json', 'PUT, DELETE, OPTIONS'],
    ['/tokens.json', 'GET, HEAD, POST, OPTIONS'],
    ['/tokens/1.json', 'GET, HEAD, DELETE, OPTIONS'],
    ['/changes.json', 'GET, HEAD, OPTIONS'],
    ['/jobs/changes.json', 'GET, HEAD, OPTIONS'],
    ['/mails.json', 'GET, HEAD, OPTIONS'],
    ['/mails/test.json', 'POST, OPTIONS'],
    ['/mails/1.json', 'DELETE, OPTIONS'],
    ['/mails/1/resend.json', 'PUT, OPTIONS'],
    ['/imports.json', 'GET, HEAD, POST, OPTIONS'],
    ['/imports/1.json', 'GET, HEAD, OPTIONS'],
    ['/export.jsonl', 'GET, HEAD, OPTIONS'],
    ['/backups.json', 'GET, HEAD, POST, OPTIONS'],
    ['/backup.tar', 'GET, HEAD, OPTIONS'],
    ['/events.json', 'POST, OPTIONS'],
    ['/password-resets.json', 'POST, OPTIONS'],
    ['/password-resets/token.json', 'PUT, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
    ['/jobs/1', 'GET, HEAD, OPTIONS'],
    ['/jobs/1/apply', 'GET, HEAD, OPTIONS'],
    ['/jobs/1/stats.json', 'GET, HEAD, OPTIONS'],
    ['/subscribe', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers/confirm', 'GET, HEAD, POST, OPTIONS'],
    ['/subscribers/unsubscribe', 'GET, HEAD, POST, OPTIONS'],
    ['/users/confirm', 'GET, HEAD, POST, OPTIONS'],
    ['/jobs/1/renew', 'GET, HEAD, POST, OPTIONS'],
    ['/reset/token', 'GET, HEAD, POST, OPTIONS'],
    ['/sign-in', 'GET, HEAD, POST, OPTIONS'],
    ['/sign-in/link', 'POST, OPTIONS'],
    ['/sign-in/confirm', 'GET, HEAD, POST, OPTIONS'],
    ['/sign-out', 'GET, HEAD, POST, OPTIONS'],
    ['/forgot', 'GET, HEAD, POST, OPTIONS'],
    ['/account', 'GET, HEAD, OPTIONS'],
    ['/account/jobs/1', 'GET, HEAD, OPTIONS'],
    ...['edit', 'submit', 'renew', 'fill', 'close', 'reopen', 'duplicate', 'delete'].map(
      (verb): [string, string] => [`/account/jobs/1/${verb}`, 'GET, HEAD, POST, OPTIONS'],
    ),
    ['/post', 'GET, HEAD, POST, OPTIONS'],
    ['/post/preview', 'POST, OPTIONS'],
    ['/post/confirm', 'GET, HEAD, POST, OPTIONS'],
    ['/check-inbox', 'GET, HEAD, OPTIONS'],
    ['/account/settings', 'GET, HEAD, OPTIONS'],
    ['/account/email', 'GET, HEAD, POST, OPTIONS'],
    ['/account/password', 'GET, HEAD, POST, OPTIONS'],
    ['/account/confirmation', 'POST, OPTIONS'],
    ['/account/sessions/end', 'POST, OPTIONS'],
    ['/account/sessions/1/end', 'POST, OPTIONS'],
    ['/account/tokens/new', 'GET, HEAD, POST, OPTIONS'],
    ['/account/tokens/1/delete', 'POST, OPTIONS'],
    ['/account/delete', 'GET, HEAD, POST, OPTIONS'],
    ['/feed.xml', 'GET, HEAD, OPTIONS'],
    ['/feed.json', 'GET, HEAD, OPTIONS'],
    ['/feed/indeed.xml', 'GET, HEAD, OPTIONS'],
    ['/feed/linkedin.xml', 'GET, HEAD, OPTIONS'],
    ['/feed/jooble.xml', 'GET, HEAD, OPTIONS'],
    ['/sitemap.xml', 'GET, HEAD, OPTIONS'],
    ['/robots.txt', 'GET, HEAD, OPTIONS'],
    ['/pages/style.css', 'GET, HEAD, OPTIONS'],
    ['/structured-data.json', 'GET, HEAD, OPTIONS'],
    ['/logos/0123456789abcdef-0123456789abcdef0123456789abcdef.webp', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/docs/:name', 'GET, HEAD, OPTIONS'],
  ]

  test.each(KNOWN)('of %s are %s', async (path, allow) => {
    const methods = allow.split(', ')
    const otherMethods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'].filter(
      verb => !methods.includes(verb),
    )
    for (const method of otherMethods) {
      const response = await board.request(method, path, { as: fixture.admin })
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, allow])
    }
    const options = await board.request('OPTIONS', `${path}?x=1`)
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
  })

  test('are tested for every route', () => {
    const pathOf = (path: string) =>
      path
        .replace(/\/\d+/, '/{id}')
        .replace(/^(\/(?:logos|pages|docs)\/).*/, '$1{name}')
        .replace(/\/token\b/, '/{token}')
        .replace('/sources/ats/', '/sources/{source}/')
        .replace('/jobs/x.json', '/jobs/{external_id}.json')
    const knownPaths = new Set(KNOWN.map(([path]) => pathOf(path)))
    // test/admin has the pages for administrators.
    for (const { path } of routesOfBoard(board.board))
      if (!path.startsWith('/admin')) expect(knownPaths).toContain(path)
  })

  test.each([
    '/jobs',
    '/jobs/01.json',
    '/jobs/0.json',
    '/jobs/-1.json',
    '/jobs/+1.json',
    '/jobs/1.5.json',
    '/jobs/1e3.json',
    '/jobs/x.json',
    '/jobs/1.JSON',
    '/jobs/1.xml',
    '/jobs/1.json.json',
    '/jobs/9007199254740993.json',
    '/jobs/99999999999999999999999.json',
    '/jobs/%00.json',
    '/jobs/%ff.json',
    '/jobs/%31.json',
    '/jobs/1%2ejson',
    '/plans/%31/archive.json',
    '/jobs/%zz.json',
    '/jobs/%E0%A4%A.json',
    '/jobs/1.json%20',
    '/jobs/1.json;x=1',
    '/%',
    '/jobs/1%2f.json',
    '/jobs/..%2f..%2fetc%2fpasswd.json',
    '/jobs/.json',
    '/jobs/',
    '/jobs.json/',
    '//jobs.json',
    '/Jobs.json',
    '/jobs/1/approve',
    '/jobs/x/approve.json',
    '/jobs/1.json/approve.json',
    '/plans/1/delete.json',
    '/users/me',
    '/__proto__.json',
    '/constructor',
    '/index.html',
    '/.env',
  ])('of %s are none, because there is no such path', async path => {
    for (const who of ['nobody', 'owner', 'admin'] as const)
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH', 'OPTIONS']) {
        const response = await board.request(method, path, who === 'nobody' ? {} : { as: fixture[who] })
        expect([who, method, response.status]).toEqual([who, method, 404])
      }
    expect(await jsonObject(board.get(path))).toEqual({ error: 'No such path.' })
  })
})
