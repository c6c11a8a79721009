import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { changeUser, removeUser } from '../../src/accounts/users.ts'
import { type Account, basic, START } from '../helpers/board.ts'
import {
  dump,
  type FixtureBoard,
  insertJobs,
  openFixtureBoard,
  REQUIRED_FIELDS,
  WEBHOOK,
} from '../helpers/fixtures.ts'
import { BARE, formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { corkboard } from '../helpers/process.ts'
import { routesOfBoard } from '../helpers/routes.ts'

/** A request of an account, with the path of its route. */
type Change = readonly [method: string, route: string, path: string, body?: object]

let fixture: FixtureBoard
let second: Account
let job: number
let owned: number
let pending: number
let draft: number
let closed: number
let expired: number

beforeEach(async () => {
  fixture = await openFixtureBoard()
  second = await fixture.test.account('second@example.com', 'admin')
  const ids = await insertJobs(fixture.test.board, [
    { userId: second.id },
    { userId: fixture.owner.id },
    { pending: true },
    { userId: second.id, submittedAt: null, publishedAt: null },
    { userId: second.id, closedAt: START },
    { userId: second.id, expiresAt: START },
    { userId: second.id, source: 'ats', externalId: '1' },
  ])
  ;[job = 0, owned = 0, pending = 0, draft = 0, closed = 0, expired = 0] = ids
  await fixture.test.board.store.write(tables => {
    const times = { createdAt: 0, updatedAt: 0, digestedUntil: 0 }
    tables.subscribers.insert({ ...times, email: 'reader@example.com', confirmed: false })
    tables.categories.insert({ name: 'Empty' })
    const mail = { content: { kind: 'reset', email: second.email } as const, createdAt: 0, attempts: 1 }
    tables.mails.insert({ ...mail, triedSince: 0, dueAt: 0, failed: true, lastError: 'refused' })
    const token = { userId: second.id, name: 'Import', scopes: ['jobs:read'], hash: 'x' }
    tables.webhooks.insert(WEBHOOK)
    tables.accessTokens.insert({ ...token, createdAt: 0, expiresAt: null, lastUsedOn: null })
  })
})
afterEach(() => fixture.test.close())

const withLogo = (fields: object) => formOf({ ...fields, logo: logoFile(png(16, 16)) }, BARE)

const ADMIN = { email: 'third@example.com', password: 'long enough', role: 'admin' }

/** Every change that has a body and needs an account, as an administrator sends it. */
const withBody = (): readonly Change[] => [
  ['POST', '/users.json', '/users.json', ADMIN],
  ['POST', '/users.json', '/users.json', new URLSearchParams(ADMIN)],
  ['PUT', '/users/{id}.json', `/users/${fixture.other.id}.json`, { role: 'admin' }],
  ['PUT', '/users/{id}.json', `/users/${second.id}.json`, { email: 'moved@example.com' }],
  ['PUT', '/users/{id}.json', `/users/${second.id}.json`, { password: 'another one' }],
  ['POST', '/categories.json', '/categories.json', { name: 'New' }],
  ['PUT', '/categories/{id}.json', '/categories/1.json', { name: 'New' }],
  ['POST', '/terms.json', '/terms.json', { name: 'New' }],
  ['PUT', '/terms/{id}.json', '/terms/1.json', { name: 'New' }],
  ['POST', '/plans.json', '/plans.json', { name: 'New' }],
  ['PUT', '/plans/{id}.json', '/plans/1.json', { price: 7 }],
  ['PUT', '/jobs/{id}/refuse.json', `/jobs/${pending}/refuse.json`, { reason: 'Incomplete' }],
  ['PUT', '/jobs/{id}/renew.json', `/jobs/${expired}/renew.json`, { plan_id: 1 }],
  ['PUT', '/subscribers/{id}.json', '/subscribers/1.json', { email_confirmed: true }],
  ['POST', '/jobs.json', '/jobs.json', REQUIRED_FIELDS],
  ['PUT', '/settings.json', '/settings.json', { name: 'Another board' }],
  ['POST', '/tokens.json', '/tokens.json', { name: 'Import', scopes: ['admin'] }],
  ['POST', '/jobs.json', '/jobs.json', withLogo(REQUIRED_FIELDS)],
  [
    'POST',
    '/jobs/batch.json',
    '/jobs/batch.json?atomic=true',
    { operations: [{ op: 'create', ...REQUIRED_FIELDS }] },
  ],
  ['PUT', '/sources/{source}/jobs/{external_id}.json', '/sources/ats/jobs/1.json', REQUIRED_FIELDS],
  ['POST', '/webhooks.json', '/webhooks.json', { url: WEBHOOK.url, status: 'disabled' }],
  ['PUT', '/webhooks/{id}.json', '/webhooks/1.json', { description: 'Newsletter' }],
  ['POST', '/webhooks/{id}/replay.json', '/webhooks/1/replay.json', { after: 1 }],
  ['PUT', '/jobs/{id}.json', `/jobs/${job}.json`, { title: 'Other' }],
  ['PUT', '/jobs/{id}.json', `/jobs/${job}.json`, withLogo({ title: 'Other' })],
]

const withoutBody = (): readonly Change[] => [
  ['PUT', '/jobs/{id}/approve.json', `/jobs/${pending}/approve.json`],
  ['PUT', '/jobs/{id}/submit.json', `/jobs/${draft}/submit.json`],
  ['PUT', '/jobs/{id}/fill.json', `/jobs/${job}/fill.json`],
  ['PUT', '/jobs/{id}/close.json', `/jobs/${job}/close.json`],
  ['PUT', '/jobs/{id}/reopen.json', `/jobs/${closed}/reopen.json`],
  ['POST', '/jobs/{id}/duplicate.json', `/jobs/${job}/duplicate.json`],
  ['PUT', '/plans/{id}/archive.json', '/plans/1/archive.json'],
  ['PUT', '/plans/{id}/activate.json', '/plans/4/activate.json'],
  ['PUT', '/webhooks/{id}/rotate.json', '/webhooks/1/rotate.json'],
  ['DELETE', '/webhooks/{id}.json', '/webhooks/1.json'],
  ['DELETE', '/sources/{source}/jobs/{external_id}.json', '/sources/ats/jobs/1.json'],
  ['DELETE', '/plans/{id}.json', '/plans/2.json'],
  ['DELETE', '/categories/{id}.json', '/categories/3.json'],
  ['DELETE', '/terms/{id}.json', '/terms/2.json'],
  ['DELETE', '/tokens/{id}.json', '/tokens/1.json'],
  ['DELETE', '/mails/{id}.json', '/mails/1.json'],
  ['DELETE', '/subscribers/{id}.json', '/subscribers/1.json'],
  ['DELETE', '/users/{id}.json', `/users/${fixture.other.id}.json`],
  ['DELETE', '/jobs/{id}.json', `/jobs/${job}.json`],
]

/** A request whose body ends only on demand. */
class HeldRequest {
  private readonly begun = Promise.withResolvers<void>()
  private readonly ends = Promise.withResolvers<void>()
  readonly response: Promise<Response>

  constructor([method, , path, body]: Change, { authorization }: Account) {
    this.response = this.send(method, path, body, authorization)
  }

  private async send(method: string, path: string, body: object | undefined, authorization: string) {
    const sent = new Request(`http://localhost${path}`, {
      method,
      body: body instanceof FormData || body instanceof URLSearchParams ? body : JSON.stringify(body),
    })
    const type = sent.headers.get('content-type')
    const isJson = !(body instanceof FormData || body instanceof URLSearchParams)
    const bytes = await sent.bytes()
    const pieces = [bytes.subarray(0, 10), bytes.subarray(10)]
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async controller => {
          if (pieces.length === 1) {
            this.begun.resolve()
            await this.ends.promise
          }
          const piece = pieces.shift()
          if (piece) controller.enqueue(piece)
          else controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { authorization, 'content-type': isJson ? 'application/json' : String(type) }
    const response = await fixture.test.handle(
      new Request(`http://localhost${path}`, { method, headers, body: stream }),
    )
    this.begun.resolve()
    return response
  }

  /** Resolves when half of the body has been read, which is after the credentials were checked. */
  get isRead(): Promise<void> {
    return this.begun.promise
  }

  async end(): Promise<number> {
    this.ends.resolve()
    return (await this.response).status
  }
}

const asAdmin = (method: string, body?: object) => () =>
  fixture.test.request(method, `/users/${second.id}.json`, { as: fixture.admin, ...(body && { body }) })

async function byCommand(words: string, stdin = '') {
  const data = `${fixture.test.folder}/data`
  const { status, err } = await corkboard(['user', ...words.split(' '), '--data', data], { stdin })
  expect([status, err]).toEqual([0, ''])
}

const WAYS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['removed', asAdmin('DELETE')],
  ['demoted', asAdmin('PUT', { role: 'user' })],
  ['given a new password', asAdmin('PUT', { password: 'another one' })],
  ['given a new address', asAdmin('PUT', { email: 'moved@example.com' })],
  ['removed by a command', () => byCommand(`remove ${second.email}`)],
  ['demoted by a command', () => byCommand(`role ${second.email} user`)],
  [
    'given a new password by a command',
    () => byCommand(`password ${second.email} --password-stdin`, 'another one\n'),
  ],
]

describe.each([
  ['verified before', true],
  ['verified with each', false],
])('Requests under way, with credentials %s', (_, isKnown) => {
  test.each(WAYS)('change nothing after their account is %s', async (_way, change) => {
    if (isKnown) expect((await fixture.test.get('/users.json', { as: second })).status).toBe(200)
    const requests = withBody()
    const held = requests.map(request => new HeldRequest(request, second))
    await Promise.all(held.map(({ isRead }) => isRead))
    await change()
    const before = dump(fixture.test)
    const statuses = await Promise.all(held.map(request => request.end()))
    expect(requests.map(([method, , path], at) => [method, path, statuses[at]])).toEqual(
      requests.map(([method, , path]) => [method, path, 401]),
    )
    expect(dump(fixture.test)).toEqual(before)
  })
})

test('requests of a user who is deleted meanwhile change nothing', async () => {
  const held = [
    new HeldRequest(['POST', '', '/jobs.json', withLogo(REQUIRED_FIELDS)], fixture.owner),
    new HeldRequest(['PUT', '', `/jobs/${owned}.json`, { title: 'Other' }], fixture.owner),
    new HeldRequest(
      ['PUT', '', `/users/${fixture.owner.id}.json`, { password: 'another one' }],
      fixture.owner,
    ),
  ]
  await Promise.all(held.map(({ isRead }) => isRead))
  await fixture.test.delete(`/users/${fixture.owner.id}.json`, { as: fixture.admin })
  const before = dump(fixture.test)
  // the job is looked up first: a job without an owner belongs to somebody else
  expect(await Promise.all(held.map(request => request.end()))).toEqual([401, 403, 401])
  expect(dump(fixture.test)).toEqual(before)
})

test('requests under way succeed if their account did not change, or only another did', async () => {
  const requests = withBody().filter(([, , path]) => path !== `/users/${second.id}.json`)
  for (const request of requests) {
    const held = new HeldRequest(request, second)
    await held.isRead
    await fixture.test.put(`/users/${fixture.owner.id}.json`, {
      as: fixture.admin,
      body: { password: 'another one' },
    })
    expect([200, 201, 422]).toContain(await held.end())
  }
})

test('a change without a body is refused if the account changes before it is written', async () => {
  const { store, clock } = fixture.test.board
  expect((await fixture.test.get('/users.json', { as: second })).status).toBe(200)
  for (const [method, , path] of withoutBody()) {
    const { epoch = 0 } = store.read.users.get(second.id) ?? {}
    // both wait for one commit; the credentials are checked before it
    const patch = { passwordHash: `none ${epoch}` }
    const change = store.write(tables => changeUser(tables, clock, second.id, patch))
    const response = fixture.test.request(method, path, { as: second })
    await change
    expect([path, (await response).status]).toEqual([path, 401])
    const passwordHash = await HASH
    await store.write(tables => changeUser(tables, clock, second.id, { passwordHash }))
    expect((await fixture.test.get('/users.json', { as: second })).status).toBe(200)
  }
  await store.write(tables => removeUser(tables, second.id))
})

const HASH = Bun.password.hash('correct horse')

test('wrong credentials are requested again', async () => {
  const held = new HeldRequest(['POST', '', '/categories.json', { name: 'New' }], second)
  await held.isRead
  await fixture.test.put(`/users/${second.id}.json`, { as: fixture.admin, body: { password: 'another one' } })
  await held.end()
  const response = await held.response
  expect(response.headers.has('www-authenticate')).toBeTrue()
  expect(await response.json()).toEqual({ error: 'Invalid Email or password.' })
  const as = { ...second, authorization: basic(second.email, 'another one') }
  expect((await fixture.test.post('/categories.json', { as, body: { name: 'New' } })).status).toBe(201)
})

/** Their own tests have these: they need a mail server, a webhook's receiver or a folder for backups, or store rows in many transactions. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'PUT /mails/{id}/resend.json',
  'POST /mails/test.json',
  'POST /backups.json',
  'POST /imports.json',
  'POST /sources/{source}/sync.json',
  'POST /webhooks/{id}/test.json',
])

test('the list above has every change that accounts can make', () => {
  const nameOf = (method: string, path: string) => `${method} ${path}`
  const changeRoutes = routesOfBoard(fixture.test.board).filter(
    ({ method, path, rules }) =>
      method !== 'GET' && rules.access !== 'public' && !ELSEWHERE.has(nameOf(method, path)),
  )
  for (const [isHeld, changes] of [
    [true, withBody()],
    [false, withoutBody()],
  ] as const) {
    const routes = changeRoutes.filter(({ rules }) => (rules.body !== undefined) === isHeld)
    expect([...new Set(changes.map(([method, route]) => nameOf(method, route)))].toSorted()).toEqual(
      routes.map(({ method, path }) => nameOf(method, path)).toSorted(),
    )
  }
})
