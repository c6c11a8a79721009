import type { Role } from '../base/caller.ts'

/** What is stored, a shape for each table. Moments are milliseconds since 1970, whole seconds. */
export interface Row {
  readonly id: number
}

/** Whether any column of these differs from the row's. Columns hold plain values. */
export const differs = <R extends Row>(row: R, columns: Partial<Omit<R, 'id'>>) =>
  // the names are those of the row's columns
  Object.entries(columns).some(([column, value]) => value !== row[column as keyof R])

/** A category or an employment term. */
export interface LabelRow extends Row {
  readonly name: string
}

export interface PlanRow extends Row {
  readonly name: string
  /** In whole units of the board's currency. */
  readonly price: number
  /** In days; 0 never ends. */
  readonly period: number
  readonly highlight: boolean
  readonly badge: boolean
  readonly pin: boolean
  readonly archived: boolean
}

export interface UserRow extends Row {
  /** In lower case. */
  readonly email: string
  /** An argon2id hash in PHC form. */
  readonly passwordHash: string
  readonly role: Role
  /** Whether it is known that mail to the address reaches the user; without that they post no jobs. */
  readonly confirmed: boolean
  /** Raised by whatever ends credentials that were verified before: another address, password or role. */
  readonly epoch: number
  readonly createdAt: number
  readonly updatedAt: number
}

export const ARRANGEMENTS = ['remote', 'onsite', 'hybrid'] as const
export const SALARY_PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
export const APPLICATION_TYPES = ['url', 'email'] as const

export interface JobRow extends Row {
  readonly title: string
  readonly description: string
  readonly location: string
  readonly arrangement: (typeof ARRANGEMENTS)[number]
  readonly salary: number | null
  readonly salaryCurrency: string
  readonly salaryPeriod: (typeof SALARY_PERIODS)[number]
  readonly company: string
  readonly companyWebsite: string
  readonly applicationType: (typeof APPLICATION_TYPES)[number]
  /** Where to apply if the type says so, `''` if it was never given; so is the address below. */
  readonly applicationUrl: string
  readonly applicationEmail: string
  readonly categoryId: number
  readonly termId: number
  readonly planId: number
  readonly userId: number | null
  /** The name of a file in `logos/`, `''` if there is none. */
  readonly logo: string
  /** Waits for an administrator's approval. */
  readonly pending: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** When it became active first, which is when subscribers may hear of it; null if it never was. */
  readonly appearedAt: number | null
  /** Null: never, or, if it never was active, not yet known. */
  readonly expiresAt: number | null
}

export interface SubscriberRow extends Row {
  /** In lower case. */
  readonly email: string
  /** Whether the one who reads mail at this address said that they want it. */
  readonly confirmed: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** Of jobs that appeared before this moment they hear no more. */
  readonly digestedUntil: number
}

/** What a link in a mail may do. */
export type TokenPurpose = 'subscription' | 'unsubscription' | 'account' | 'reset'

/** The right of whoever has a link to do one thing. The link itself is stored nowhere. */
export interface TokenRow extends Row {
  /** SHA-256 of the link's token, in base64. */
  readonly hash: string
  readonly purpose: TokenPurpose
  /** Whom it is about: one of the two. */
  readonly subscriberId: number | null
  readonly userId: number | null
  readonly createdAt: number
  readonly expiresAt: number
}

/** What a mail is to say. It becomes words when it is sent, so that no link lies in the store. */
export type MailContent =
  | { readonly kind: 'subscription'; readonly subscriberId: number }
  | {
      readonly kind: 'digest'
      readonly subscriberId: number
      /** Of the jobs that appeared from this moment on … */
      readonly since: number
      /** … and before this one. */
      readonly until: number
    }
  | { readonly kind: 'account'; readonly userId: number }
  | { readonly kind: 'registered'; readonly userId: number }
  | { readonly kind: 'reset'; readonly email: string }
  | { readonly kind: 'waiting'; readonly userId: number; readonly jobId: number }
  | { readonly kind: 'approved'; readonly userId: number; readonly jobId: number }
  | { readonly kind: 'refused'; readonly userId: number; readonly title: string }

/** A mail that is to leave, or that could not. One that has left has no row. */
export interface MailRow extends Row {
  readonly content: MailContent
  readonly createdAt: number
  /** How often it failed to leave. */
  readonly attempts: number
  /** When it was tried first. */
  readonly triedSince: number | null
  /** When it is to be tried next. */
  readonly dueAt: number
  /** Given up. */
  readonly failed: boolean
  /** Why the last attempt failed, in words that may be logged; `''` before. */
  readonly lastError: string
}

/** How often a job was read; under the job's id. */
export interface ViewsRow extends Row {
  readonly views: number
}

type KeyCounts = readonly (readonly [key: string, count: number])[]

/** What was counted on a day, UTC; its id is the number of days since 1970. */
export interface DayRow extends Row {
  /** Of every event, also of those whose keys were too many to keep. */
  readonly total: number
  readonly paths: KeyCounts
  readonly countries: KeyCounts
  readonly sources: KeyCounts
}
