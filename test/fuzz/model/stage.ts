import { expect } from 'bun:test'
import { join } from 'node:path'
import { issueToken } from '../../../src/accounts/tokens.ts'
import { basic, PASSWORD, START } from '../../helpers/board.ts'
import { type FixtureBoard, openFixtureBoard, PLANS } from '../../helpers/fixtures.ts'
import { journaledRows, replayed } from '../../helpers/replay.ts'
import { curl, type Header } from '../request.ts'
import { type ActualResponse, differenceOf } from './difference.ts'
import { type Approval, DAY, type Plans, type Purpose, Records, type User } from './records.ts'
import { removeUnconfirmed } from './subscribers.ts'
import { removeOldDrafts } from './verbs.ts'

/** The initial accounts, in the order of their ids. */
export const ADMIN = 'admin@example.com'
export const OWNER = 'owner@example.com'
export const OTHER = 'other@example.com'
export const PASSWORDS = [PASSWORD, 'battery staple', 'очень длинный']

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const LIFE = { subscription: 7 * DAY, unsubscription: 90 * DAY, reset: DAY, renewal: 30 * DAY }

/** The caller's address, with a wrong password if given. */
export interface Credentials {
  readonly email: string
  readonly isWrong?: boolean
}

/** Signing in with the board's own hashes takes 20 ms after each move of the clock. */
const quickHash = (password: string) =>
  Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
const QUICK_HASHES = new Map(
  await Promise.all(PASSWORDS.map(async word => [word, await quickHash(word)] as const)),
)

/** A board and the model of its records. */
export class Stage {
  readonly records: Records
  /** The requests so far, to reproduce a failure. */
  readonly script: string[] = []
  private readonly tokens = new Map<number, string>()
  /** Each account's previous password. */
  private readonly former = new Map<number, string>()
  private readonly seen = new Map<string, { readonly tag: string; readonly text: string }>()
  private asked = 0

  private constructor(
    private scene: FixtureBoard,
    private readonly approval: Approval,
  ) {
    this.records = new Records(START, approval)
    for (const name of ['Trades', 'Health']) this.records.categories.add({ name })
    for (const name of ['Full time', 'Contract']) this.records.terms.add({ name })
    for (const plan of Object.values(PLANS)) this.records.plans.add(plan)
    for (const email of [ADMIN, OWNER, OTHER]) {
      const role = email === ADMIN ? 'admin' : 'user'
      this.records.users.add({ email, role, password: PASSWORD, createdAt: START, updatedAt: START })
    }
  }

  static async open(approval: Approval): Promise<Stage> {
    return new Stage(await openFixtureBoard('--approve', approval), approval)
  }

  close(): Promise<void> {
    return this.scene.test.close()
  }

  async restart(): Promise<void> {
    this.script.push('# the board is closed and opened again')
    const test = await this.scene.test.reopen('--approve', this.approval)
    this.scene = { ...this.scene, test }
    await test.board.mail.runDue()
    removeUnconfirmed(this.records)
    removeOldDrafts(this.records)
  }

  wait(ms: number): void {
    this.script.push(`# ${ms} ms pass`)
    this.scene.test.clock.now += ms
    this.records.now += ms
  }

  /** Returns the errors that were logged. */
  async errors(): Promise<string[]> {
    await this.scene.test.board.log.flush()
    return this.scene.test.logged.filter(line => line.includes('"level":"error"'))
  }

  /** Compares the records with those of the journal, replayed into an empty store. */
  async checkJournal(): Promise<void> {
    const { board, folder } = this.scene.test
    const rows = await replayed(join(folder, 'replayed'), board.store.read.journal.all())
    expect(rows).toEqual(journaledRows(board.store))
  }

  /** Issues a token as an e-mail would contain it. */
  async issue(purpose: Purpose, holder: number): Promise<void> {
    const { store } = this.scene.test.board
    const { now, tokens } = this.records
    const token = tokens.add({ purpose, holder, until: now + LIFE[purpose] })
    this.tokens.set(token.id, await store.write(tables => issueToken(tables, purpose, holder, now)))
  }

  /** Returns a token's text; unknown tokens get one of the same form. */
  textOf(id: number): string {
    return this.tokens.get(id) ?? 'x'.repeat(43)
  }

  /**
   * Sends a request and compares the response with the model.
   * @throws Error with the difference
   */
  async play(by: Credentials | undefined, plans: Plans): Promise<void> {
    const user = by && this.records.user(by.email)
    const isKnown = by === undefined || (user !== undefined && !by.isWrong)
    const { method, path, body, outcome } = plans(this.records, user)
    const password = by?.isWrong ? this.formerOf(user) : (user?.password ?? PASSWORD)
    const authorization = by && basic(by.email, password)
    const before = this.records.users.all
    const expected = isKnown ? outcome() : { status: 401 }
    for (const { id, password: former } of before)
      if (this.records.users.get(id)?.password !== former) this.former.set(id, former)
    const response = await this.ask(method, path, authorization, body)
    const differs = differenceOf(response, expected)
    if (differs) throw new Error(`${by?.email ?? 'nobody'}: ${method} ${path}: ${differs}`)
    if (body && 'password' in body && expected.status < 300) await this.quicken()
  }

  private formerOf(user: User | undefined): string {
    const former = user && this.former.get(user.id)
    return former === undefined || former === user?.password ? 'not the password' : former
  }

  private async ask(
    method: string,
    path: string,
    authorization: string | undefined,
    body?: object,
  ): Promise<ActualResponse> {
    const { test } = this.scene
    const key = `${authorization} ${path}`
    const cached = method === 'GET' ? this.seen.get(key) : undefined
    const client = ++this.asked
    const headers = {
      'user-agent': BROWSER,
      'x-forwarded-for': `10.${client >> 16}.${(client >> 8) % 256}.${client % 256}`,
      ...(authorization !== undefined && { authorization }),
      ...(cached && { 'if-none-match': cached.tag }),
    }
    if (method !== 'GET') this.script.push(command(method, path, authorization, body))
    const response = await test.request(method, path, { headers, ...(body && { body }) })
    // after 304, the earlier body is current
    const text = response.status === 304 && cached ? cached.text : await response.text()
    const tag = response.headers.get('etag')
    if (tag !== null) this.seen.set(key, { tag, text })
    return { status: response.status === 304 ? 200 : response.status, headers: response.headers, text }
  }

  /** Replaces password hashes with fast ones after they were used to sign in. */
  private async quicken(): Promise<void> {
    const { store, accounts } = this.scene.test.board
    const { credentials } = accounts
    for (const row of store.read.users.all()) {
      const password = this.records.users.get(row.id)?.password ?? ''
      const passwordHash = QUICK_HASHES.get(password)
      if (passwordHash === undefined || [...QUICK_HASHES.values()].includes(row.passwordHash)) continue
      const caller = await credentials.identify(basic(row.email, password), () => '10.255.255.255')
      if (caller.userId !== row.id) throw new Error(`${row.email} cannot sign in`)
      await store.write(tables => tables.users.update(row, { passwordHash }))
    }
  }
}

function command(
  method: string,
  target: string,
  authorization: string | undefined,
  body: object | undefined,
) {
  const headers: Header[] = authorization === undefined ? [] : [['authorization', authorization]]
  if (!body) return curl({ method, target, headers })
  headers.push(['content-type', 'application/json'])
  return curl({ method, target, headers, body: Buffer.from(JSON.stringify(body)) })
}
