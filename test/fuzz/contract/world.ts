import { issueToken } from '../../../src/accounts/tokens.ts'
import { DAY } from '../../../src/base/clock.ts'
import { statusOf } from '../../../src/store/jobStatus.ts'
import { getOrThrow } from '../../../src/store/lookup.ts'
import type { JobRow, UserRow } from '../../../src/store/rows.ts'
import type { TableName, Tables } from '../../../src/store/tables.ts'
import type { TokenPurpose } from '../../../src/store/tokenRows.ts'
import type { DeliveryRow } from '../../../src/store/webhookRows.ts'
import { type Account, basic, PASSWORD, START, TestBoard } from '../../helpers/board.ts'
import { dump, insertJob, logosIn, PLANS } from '../../helpers/fixtures.ts'
import { statesAt } from '../../helpers/jobStates.ts'

/** Tables that visits, mails and the time write, whatever the outcome of a request. */
const MOVING: ReadonlySet<string> = new Set([
  'days',
  'views',
  'jobDays',
  'mails',
  'tokens',
  'journal',
  'sourceRuns',
  'sources',
])
const PURPOSES: readonly TokenPurpose[] = ['subscription', 'unsubscription', 'account', 'reset', 'renewal']
/** The maximum number of rows in each table. Older ones are deleted. */
const MAX_ROWS = 24

/** The number of jobs of the source of each account. */
export const SOURCED_JOBS = 2

export type Role = 'admin' | 'owner' | 'other'
type Parent = 'categories' | 'terms' | 'plans'

interface Snapshot {
  readonly rows: string
  readonly logos: readonly string[]
}

/** Returns whether something was added or changed. A logo's file may be deleted later than its job. */
export const hasChanged = (before: Snapshot, { rows, logos }: Snapshot) =>
  rows !== before.rows || logos.some(name => !before.logos.includes(name))

/** The outcome of a test of a webhook. */
const DELIVERY: DeliveryRow = {
  messageId: 'msg_test',
  seq: null,
  type: 'webhook.test',
  at: START,
  attempt: 1,
  responseStatus: null,
  duration: 0,
  error: "the host wasn't found",
}

/** A board that always has records of every kind. */
export class World {
  /** A token of each purpose. */
  readonly tokens = new Map<TokenPurpose, string>()
  /** The id of the job that the renewal token is for. */
  renewable = 0
  /** The name of a logo that always exists. */
  private logo = ''
  /** The number of commits that changed something that only requests change. */
  changes = 0
  private readonly keptHash: string

  private constructor(
    readonly test: TestBoard,
    readonly accounts: Readonly<Record<Role, Account>>,
  ) {
    // A request for changes would wait for half a minute.
    test.board.journalTimer.watch.close()
    // Webhooks would be sent to whatever URLs are made up.
    void test.board.webhooks.close()
    test.board.webhooks.sendTest = id => {
      getOrThrow(test.board.store.read.webhooks, id, 'webhook')
      return Promise.resolve(DELIVERY)
    }
    this.keptHash = test.board.store.read.users.get(accounts.admin.id)?.passwordHash ?? ''
    test.board.store.subscribe(changes => {
      if (changes.some(({ table }) => !MOVING.has(table))) this.changes++
    })
  }

  static async open(...flags: string[]): Promise<World> {
    const test = await TestBoard.open(...flags)
    const admin = await test.account('admin@example.com', 'admin')
    const owner = await test.account('owner@example.com')
    const other = await test.account('other@example.com')
    const world = new World(test, { admin, owner, other })
    world.logo = await test.board.images.logos.write({ bytes: new Uint8Array([1]) })
    await world.restock()
    return world
  }

  /** Returns the ids of a table, newest last. */
  ids(table: TableName): readonly number[] {
    return this.test.board.store.read[table].all().map(({ id }) => id)
  }

  /** Returns the names of logos that will exist for a while: files are deleted a little later than their jobs. */
  get logoNames(): readonly string[] {
    const named = this.test.board.store.read.jobs.all().flatMap(({ logo }) => (logo === '' ? [] : [logo]))
    return [...named, this.logo]
  }

  /** Returns everything that only requests change, for comparison. */
  snapshot(): Snapshot {
    const { logos: _, ...still } = dump(this.test, MOVING)
    return { rows: JSON.stringify(still), logos: logosIn(this.test.folder) }
  }

  authorization(role: Role): string {
    return basic(this.accounts[role].email, PASSWORD)
  }

  /** Restores deleted records, and deletes excess ones. */
  async restock(): Promise<void> {
    const { store, clock } = this.test.board
    const now = clock()
    await store.write(tables => {
      for (const role of ['admin', 'owner', 'other'] as const) this.restockAccount(tables, role, now)
      // makes it likely that a request meets the last administrator
      for (const user of tables.users.all())
        if (user.role === 'admin' && !this.isStanding(user)) tables.users.update(user, { role: 'user' })
      for (const table of ['jobs', 'categories', 'terms', 'plans', 'users', 'subscribers'] as const)
        this.prune(tables, table)
      this.restockParents(tables)
      this.restockJobs(tables, now)
      for (const role of ['admin', 'owner', 'other'] as const) this.restockSource(tables, role, now)
      this.restockTokens(tables, now)
    })
  }

  private restockAccount(tables: Tables, role: Role, now: number) {
    const { email } = this.accounts[role]
    const columns = { email, passwordHash: this.keptHash, role: role === 'admin' ? 'admin' : 'user' } as const
    const row = tables.users.findBy('email', email)
    if (!row) tables.users.insert({ ...columns, confirmed: true, epoch: 1, createdAt: now, updatedAt: now })
    else if (row.role !== columns.role || row.passwordHash !== this.keptHash)
      tables.users.update(row, { ...columns, epoch: row.epoch + 1 })
  }

  private prune(tables: Tables, name: 'jobs' | 'users' | 'subscribers' | Parent) {
    const all = tables[name].all()
    for (const { id } of all.slice(0, Math.max(0, all.length - MAX_ROWS))) {
      if (name === 'users' && this.isStanding(tables.users.get(id))) continue
      if (name === 'plans') for (const job of tables.jobs.idsWhere('planId', id)) tables.jobs.remove(job)
      tables[name].remove(id)
    }
  }

  private isStanding(user: UserRow | undefined): boolean {
    return Object.values(this.accounts).some(({ email }) => email === user?.email)
  }

  private restockParents(tables: Tables) {
    const newName = () => crypto.randomUUID()
    for (const table of [tables.categories, tables.terms])
      while (table.count < 2) table.insert({ name: newName() })
    for (const plan of Object.values(PLANS)) {
      const isThere = tables.plans
        .all()
        .some(row => row.archived === plan.archived && row.price === plan.price)
      if (!isThere) tables.plans.insert({ ...plan, name: newName() })
    }
  }

  /** Adds jobs in every status, with and without an owner, a draft that lacks fields, and a job that can be renewed. */
  private restockJobs(tables: Tables, now: number) {
    const categoryId = tables.categories.all().at(-1)?.id ?? 0
    const termId = tables.terms.all().at(-1)?.id ?? 0
    const planId = tables.plans.all().find(({ archived }) => !archived)?.id ?? 0
    const owner = tables.users.findBy('email', this.accounts.owner.email)?.id ?? null
    const all = tables.jobs.all()
    const put = (columns: object) =>
      insertJob(tables, { categoryId, termId, planId, userId: owner, ...columns })
    if (all.filter(job => job.userId === owner && !job.pending && job.expiresAt === null).length < 2) put({})
    if (!all.some(job => job.userId === null)) put({ userId: null })
    for (const [status, columns] of Object.entries(statesAt(now)))
      if (!all.some(job => statusOf(job, now) === status)) put(columns)
    if (!all.some(job => job.categoryId === null))
      put({ ...statesAt(now).draft, company: '', categoryId: null })
    const isRenewable = (job: JobRow) =>
      job.userId === owner &&
      statusOf(job, now) === 'active' &&
      job.expiresAt !== null &&
      job.expiresAt < now + DAY
    this.renewable = (all.find(isRenewable) ?? put({ expiresAt: now + DAY / 2 })).id
  }

  /** Gives an account a source that has its name, and its jobs. */
  private restockSource(tables: Tables, role: Role, now: number) {
    const userId = tables.users.findBy('email', this.accounts[role].email)?.id ?? null
    const source = tables.sources.findBy('name', role)
    if (!source) tables.sources.insert({ name: role, userId, createdAt: now, failed: false })
    else if (source.userId !== userId) tables.sources.update(source, { userId })
    const [categoryId, termId] = [tables.categories.all().at(-1)?.id ?? 0, tables.terms.all().at(-1)?.id ?? 0]
    const planId = tables.plans.all().find(({ archived }) => !archived)?.id ?? 0
    for (let n = 0; n < SOURCED_JOBS; n++) {
      const columns = { source: role, externalId: `r${n}`, userId, categoryId, termId, planId }
      const job = tables.jobs.get(tables.jobs.findIdBy('externalId', columns.externalId, role) ?? null)
      if (!job) insertJob(tables, columns)
      else if (job.userId !== userId) tables.jobs.update(job, { userId })
    }
  }

  private restockTokens(tables: Tables, now: number) {
    for (const { id } of tables.tokens.all()) tables.tokens.remove(id)
    const moments = { createdAt: now, updatedAt: now, digestedUntil: now }
    const subscriber =
      tables.subscribers.all().find(row => !row.confirmed) ??
      tables.subscribers.insert({ email: `${crypto.randomUUID()}@example.com`, confirmed: false, ...moments })
    const user = tables.users.findBy('email', this.accounts.other.email)
    for (const purpose of PURPOSES) {
      const holders = { subscription: subscriber.id, unsubscription: subscriber.id, renewal: this.renewable }
      const holder = purpose in holders ? holders[purpose as keyof typeof holders] : user?.id
      this.tokens.set(purpose, issueToken(tables, purpose, holder ?? 0, now))
    }
  }
}
