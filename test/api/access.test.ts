import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, CALLERS, TABLE } from '../helpers/accessTable.ts'
import type { Account } from '../helpers/board.ts'
import { dump, type FixtureBoard, insertJob, openFixtureBoard, WEBHOOK } from '../helpers/fixtures.ts'
import { routesOfBoard } from '../helpers/routes.ts'

let board: FixtureBoard
let accounts: Record<Exclude<Caller, 'nobody'>, Account>

/** After so many scenes there is a new board, because everything that is stored is compared after each request. */
const SCENES_OF_A_BOARD = 20
let scenes = 0

async function openBoard() {
  board = await openFixtureBoard()
  const { test: fixture, owner, other, admin } = board
  const user = await fixture.account('user@example.com')
  accounts = { 'a user': user, 'the owner': owner, 'another user': other, 'an administrator': admin }
}

beforeAll(openBoard)
afterAll(() => board.test.close())

/** The records that a row's path names, and a dump taken after creating them. Reused until a caller may change them. */
let scene: { readonly pattern: string; readonly path: string; readonly before: object } | undefined

/** Returns everything that is stored, except the counts of page views, which a timer stores. */
const stored = (): object => ({ ...dump(board.test), days: null, views: null, jobDays: null })

async function sceneFor(pattern: string) {
  if (scene?.pattern === pattern) return scene
  if (++scenes % SCENES_OF_A_BOARD === 0) {
    await board.test.close()
    await openBoard()
  }
  const path = await stage(pattern)
  return (scene = { pattern, path, before: stored() })
}

/** Creates the records that rows name, and puts their ids into a path. */
async function stage(path: string): Promise<string> {
  const { test: fixture, owner, other } = board
  const logo = path.includes('{logo}')
    ? await fixture.board.images.logos.write({ bytes: new Uint8Array([1]) })
    : ''
  const ids = await fixture.board.store.write(tables => {
    const unique = crypto.randomUUID()
    const parent = path.startsWith('/terms') ? tables.terms : tables.categories
    const plan = tables.plans.insert({ ...PLAN, name: `${unique} plan` })
    const empty = parent.insert({ name: `${unique} empty` })
    const full = parent.insert({ name: `${unique} full` })
    const column = parent === tables.terms ? 'termId' : 'categoryId'
    insertJob(tables, { userId: other.id, [column]: full.id })
    const insertOwnJob = (columns: object) =>
      insertJob(tables, { userId: owner.id, planId: plan.id, ...columns }).id
    const isPlan = path.startsWith('/plans')
    return {
      job: insertOwnJob({ logo }),
      expired: insertOwnJob({ expiresAt: 0 }),
      pending: insertOwnJob({ pending: true }),
      orphan: insertJob(tables).id,
      empty: isPlan ? tables.plans.insert({ ...PLAN, name: `${unique} unused` }).id : empty.id,
      full: isPlan ? plan.id : full.id,
      archived: tables.plans.insert({ ...PLAN, name: `${unique} archived`, archived: true }).id,
      owner: owner.id,
      leaver: tables.users.insert({ ...LEAVER, email: `${unique}@example.com` }).id,
      subscriber: tables.subscribers.insert({ ...SUBSCRIBER, email: `${unique}@example.com` }).id,
      mail: tables.mails.insert({ ...MAIL, content: { kind: 'registered', userId: owner.id } }).id,
      webhook: path.includes('{webhook}') ? tables.webhooks.insert(WEBHOOK).id : 0,
      token: 'nobodys',
      logo,
    }
  })
  return path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof ids) => String(ids[name]))
}

const PLAN = { price: 0, period: 30, highlight: false, badge: false, pin: false, archived: false }
const SUBSCRIBER = { confirmed: false, createdAt: 0, updatedAt: 0, digestedUntil: 0 }
const MAIL = { createdAt: 0, attempts: 0, triedSince: null, dueAt: 0, failed: false, lastError: '' }
const LEAVER = {
  confirmed: true,
  passwordHash: 'none',
  role: 'user',
  epoch: 1,
  createdAt: 0,
  updatedAt: 0,
} as const

/** Names that are already taken must not be confused with a refused request. */
const withNewNames = (body: object | undefined) =>
  body && 'name' in body ? { ...body, name: crypto.randomUUID() } : body

const send = (method: string, path: string, caller: Caller, body?: object) =>
  board.test.request(method, path, {
    ...(caller !== 'nobody' && { as: accounts[caller] }),
    ...(body && { body }),
  })

const isRefusal = (status: number) => status >= 400

describe.each(TABLE)('%s %s', (method, pattern, statuses, body) => {
  test.each(CALLERS.map((caller, at) => [caller, statuses[at] ?? 0] as const))(
    'as %s gets %i',
    async (caller, status) => {
      const { path, before } = await sceneFor(pattern)
      const response = await send(method, path, caller, withNewNames(body))
      expect(response.status).toBe(status)
      if (isRefusal(status) || method === 'GET') expect(stored()).toEqual(before)
      else scene = undefined
      expect(response.headers.has('www-authenticate')).toBe(status === 401)
    },
  )
})

const WRITES = TABLE.filter(([method, , , body]) => method !== 'GET' && body)

test.each(WRITES)('%s %s: refuses callers without permission before it checks fields', async (...row) => {
  const [method, pattern, statuses] = row
  for (const [at, caller] of CALLERS.entries()) {
    const status = statuses[at] ?? 0
    // with a role, the field itself is forbidden
    if (!isRefusal(status) || pattern === '/users/{owner}.json') continue
    const response = await send(method, await stage(pattern), caller, { name: 7, title: 7, email: 7 })
    expect([caller, response.status]).toEqual([caller, status])
  }
})

test('the table lists every route, and no others', () => {
  const routeOf = (method: string, path: string) => {
    const [pathname = ''] = path.split('?')
    const [, folder] = /^\/(pages|docs)\//.exec(pathname) ?? []
    if (folder) return `${method} /${folder}/{name}`
    if (pathname.startsWith('/sources/'))
      return `${method} ${pathname.replace('s{job}', '{source}').replace('/1.json', '/{external_id}.json')}`
    const name = pathname.startsWith('/logos/') ? '{name}' : pathname.includes('{token}') ? '{token}' : '{id}'
    return `${method} ${pathname.replace(/\{\w+\}|\d+/, name)}`
  }
  const named = new Set(TABLE.map(([method, path]) => routeOf(method, path)))
  const routes = new Set(routesOfBoard(board.test.board).map(({ method, path }) => `${method} ${path}`))
  expect([...named].toSorted()).toEqual([...routes].toSorted())
})
