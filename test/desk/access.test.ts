import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/clock.ts'
import { START } from '../helpers/board.ts'
import { dump, type FixtureBoard, insertJobs, openFixtureBoard } from '../helpers/fixtures.ts'
import { routesOfBoard } from '../helpers/routes.ts'
import { Visitor } from '../helpers/visitor.ts'

const CALLERS = ['nobody', 'a user', 'the owner', 'an administrator'] as const
type Statuses = readonly [nobody: number, user: number, owner: number, admin: number]
type Row = readonly [method: 'GET' | 'POST', path: string, statuses: Statuses]

const OPEN: Statuses = [200, 200, 200, 200]
const GONE: Statuses = [404, 404, 404, 404]
const SIGNED_IN: Statuses = [303, 200, 200, 200]
/** The pages of a pending job, which its owner and administrators may see. */
const OWNERS: Statuses = [303, 404, 200, 200]
/** A form is rejected if it lacks the token of the session, whatever else it says. */
const REJECTED: Statuses = [303, 422, 422, 422]
const OWNERS_REJECTED: Statuses = [303, 404, 422, 422]
const SENT: Statuses = [422, 422, 422, 422]

const VERBS = ['edit', 'submit', 'renew', 'fill', 'close', 'reopen', 'duplicate', 'delete']

/** Every page and form for accounts × everybody. `{job}` is the owner's, and awaiting approval. */
const TABLE: readonly Row[] = [
  ['GET', '/sign-in', OPEN],
  ['POST', '/sign-in', SENT],
  ['POST', '/sign-in/link', SENT],
  ['GET', '/sign-in/confirm', GONE],
  ['POST', '/sign-in/confirm', GONE],
  ['GET', '/sign-out', OPEN],
  ['POST', '/sign-out', REJECTED],
  ['GET', '/register', OPEN],
  ['POST', '/register', SENT],
  ['GET', '/forgot', OPEN],
  ['POST', '/forgot', SENT],
  ['GET', '/check-inbox', OPEN],
  ['GET', '/post', OPEN],
  ['POST', '/post', SENT],
  ['POST', '/post/preview', OPEN],
  ['GET', '/post/confirm', GONE],
  ['POST', '/post/confirm', GONE],
  ['GET', '/account', SIGNED_IN],
  ['GET', '/account/settings', SIGNED_IN],
  ['GET', '/account/email', SIGNED_IN],
  ['POST', '/account/email', REJECTED],
  ['POST', '/account/confirmation', REJECTED],
  ['GET', '/account/password', SIGNED_IN],
  ['POST', '/account/password', REJECTED],
  ['POST', '/account/sessions/end', REJECTED],
  ['POST', '/account/sessions/1/end', REJECTED],
  ['GET', '/account/tokens/new', SIGNED_IN],
  ['POST', '/account/tokens/new', REJECTED],
  ['POST', '/account/tokens/1/delete', REJECTED],
  ['GET', '/account/delete', SIGNED_IN],
  ['POST', '/account/delete', REJECTED],
  ['GET', '/account/jobs/{job}', OWNERS],
  ...VERBS.flatMap((verb): Row[] => [
    ['GET', `/account/jobs/{job}/${verb}`, OWNERS],
    ['POST', `/account/jobs/{job}/${verb}`, OWNERS_REJECTED],
  ]),
]

let fixture: FixtureBoard
let visitors: readonly Visitor[]
let job: number

beforeAll(async () => {
  const mail = ['--smtp-url', 'smtp://127.0.0.1:9', '--mail-from', 'board@example.com', '--digest', 'off']
  fixture = await openFixtureBoard('--registration', 'open', ...mail)
  const emails = [fixture.other.email, fixture.owner.email, fixture.admin.email]
  visitors = [new Visitor(fixture.test), ...emails.map(() => new Visitor(fixture.test))]
  for (const [at, email] of emails.entries()) await visitors[at + 1]?.signIn(email)
  const columns = { userId: fixture.owner.id, pending: true, publishedAt: null, expiresAt: START + DAY }
  ;[job = 0] = await insertJobs(fixture.test.board, [columns])
})
afterAll(() => fixture.test.close())

describe.each(TABLE)('%s %s', (method, pattern, statuses) => {
  test.each(CALLERS.map((caller, at) => [caller, statuses[at] ?? 0, at] as const))(
    'as %s gets %i, is not stored by caches, and changes nothing',
    async (_, status, at) => {
      const before = dump(fixture.test)
      const path = pattern.replace('{job}', String(job))
      const visitor = visitors[at]
      const page = await (method === 'GET' ? visitor?.get(path) : visitor?.post(path))
      expect(page?.status).toBe(status)
      const headers = page?.response.headers
      expect(headers?.get('cache-control')).toContain('no-store')
      if (status === 200)
        expect(headers?.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'self';")
      expect(headers?.has('www-authenticate')).toBeFalse()
      expect(dump(fixture.test)).toEqual(before)
    },
  )
})

test('the table lists every page for accounts, and no others', () => {
  const isForAccounts = (path: string) => /^\/(account|post|sign-|register|forgot|check-inbox)/.test(path)
  const routes = routesOfBoard(fixture.test.board).filter(({ path }) => isForAccounts(path))
  const named = TABLE.map(
    ([method, path]) =>
      `${method} ${path.replace(/\{job\}|\/1(?=\/)/, match => (match === '{job}' ? '{id}' : '/{id}'))}`,
  )
  expect(named.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted())
})
