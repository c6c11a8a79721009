// A model of a board's records, from the contract alone, without any of the board's code

export interface Label {
  readonly id: number
  readonly name: string
}

export interface Plan extends Label {
  readonly price: number
  readonly period: number
  readonly highlight: boolean
  readonly badge: boolean
  readonly pin: boolean
  readonly archived: boolean
}

export interface User {
  readonly id: number
  readonly email: string
  readonly role: 'admin' | 'user'
  readonly password: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Job {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly location: string
  readonly arrangement: string
  readonly salary: number | null
  readonly currency: string
  readonly period: string
  readonly applicationType: string
  readonly url: string
  readonly email: string
  /** In a draft, this and the next two can be 0, which no record has. */
  readonly category: number
  readonly term: number
  readonly plan: number
  readonly owner: number | null
  readonly pending: boolean
  readonly renewing: boolean
  readonly renewedAt: number | null
  readonly refusal: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly submittedAt: number | null
  readonly publishAt: number | null
  readonly publishedAt: number | null
  readonly filledAt: number | null
  readonly closedAt: number | null
  readonly expiresAt: number | null
}

/** What others than its owner and administrators did with a job. */
export type Step = 'impression' | 'view' | 'apply'

export interface Subscriber {
  readonly id: number
  readonly email: string
  readonly confirmed: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** A token for one purpose of one subscriber, user or job. */
export interface Token {
  readonly id: number
  readonly purpose: Purpose
  readonly holder: number
  readonly until: number
}

export type Purpose = 'subscription' | 'unsubscription' | 'reset' | 'renewal'

/** Rows with increasing ids, which are never reused. */
export class Rows<T extends { readonly id: number }> {
  private readonly byId = new Map<number, T>()
  /** The last id that was assigned. */
  last = 0

  get all(): T[] {
    return [...this.byId.values()]
  }

  add(row: Omit<T, 'id'>): T {
    const added = { ...row, id: ++this.last } as T // the row with its id
    this.byId.set(added.id, added)
    return added
  }

  get(id: number): T | undefined {
    return this.byId.get(id)
  }

  /** Requires an existing row. */
  change(id: number, columns: Partial<T>): T {
    const row = this.byId.get(id)
    if (!row) throw new Error(`the reference has no row ${id}`)
    const changed = { ...row, ...columns }
    this.byId.set(id, changed)
    return changed
  }

  remove(id: number): void {
    this.byId.delete(id)
  }

  /** Picks from all ids ever assigned and the next one; existing rows are twice as likely. */
  pick(number: number): number {
    const existing = this.all
    const row = number % 3 === 0 ? undefined : existing[number % Math.max(1, existing.length)]
    return row?.id ?? 1 + (number % (this.last + 1))
  }
}

export type Approval = 'none' | 'paid' | 'all'

export const SECOND = 1000
export const DAY = 86_400 * SECOND

export class Records {
  readonly categories = new Rows<Label>()
  readonly terms = new Rows<Label>()
  readonly plans = new Rows<Plan>()
  readonly users = new Rows<User>()
  readonly jobs = new Rows<Job>()
  readonly subscribers = new Rows<Subscriber>()
  readonly tokens = new Rows<Token>()
  /** Views by path, by the number of the day since 1970. */
  readonly visits = new Map<number, Map<string, number>>()

  /** The steps of each job, by its id, with the numbers of their days since 1970. */
  readonly funnel = new Map<number, { readonly day: number; readonly step: Step }[]>()

  constructor(
    public now: number,
    readonly approval: Approval,
  ) {}

  /** The current time as it is stored. */
  get second(): number {
    return Math.floor(this.now / SECOND) * SECOND
  }

  user(email: string): User | undefined {
    return this.users.all.find(user => user.email === email)
  }

  step(job: number, step: Step): void {
    const steps = this.funnel.get(job) ?? []
    this.funnel.set(job, [...steps, { day: Math.floor(this.now / DAY), step }])
  }

  countOf(job: number, step: Step): number {
    return (this.funnel.get(job) ?? []).filter(one => one.step === step).length
  }

  visit(path: string): void {
    const day = Math.floor(this.now / DAY)
    const paths = this.visits.get(day) ?? new Map<string, number>()
    this.visits.set(day, paths.set(path, (paths.get(path) ?? 0) + 1))
  }
}

/** The caller: an account, or anonymous. */
export type Caller = User | undefined

/** The expected response. */
export interface Outcome {
  readonly status: number
  /** The complete body. */
  readonly body?: unknown
  /** A part of its message. */
  readonly says?: string
  /** Where it redirects to. */
  readonly location?: string
  /** The wrong fields in alphabetical order. */
  readonly faults?: readonly string[]
  /** The total of a list. */
  readonly total?: number
}

/** A request and its expected response. Computing it applies the change to the records. */
export interface Move {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly outcome: () => Outcome
}

export type Plans = (records: Records, who: Caller) => Move

const UNAUTHENTICATED: Outcome = { status: 401 }
export const FORBIDDEN: Outcome = { status: 403 }
export const MISSING: Outcome = { status: 404 }

export const isAdmin = (who: Caller) => who?.role === 'admin'

export const forUsers = (who: Caller, outcome: (user: User) => Outcome) => () =>
  who ? outcome(who) : UNAUTHENTICATED

export const forAdmins = (who: Caller, outcome: (admin: User) => Outcome) =>
  forUsers(who, user => (isAdmin(user) ? outcome(user) : FORBIDDEN))

export const faulty = (faults: readonly string[]): Outcome => ({ status: 422, faults: faults.toSorted() })

/** Names are equal regardless of case. */
export const isTaken = (rows: Rows<Label>, name: string, self?: number) =>
  rows.all.some(row => row.id !== self && row.name.toLowerCase() === name.toLowerCase())
