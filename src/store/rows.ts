import type { Role } from '../base/caller.ts'

/** What is stored, a shape for each table. Moments are milliseconds since 1970, whole seconds. */
export interface Row {
  readonly id: number
}

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
  /** Raised by whatever ends credentials that were verified before: a new password, another role. */
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
  /** The URL or the e-mail address, as the type says. */
  readonly application: string
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
  /** Null: never, or, while it is pending, not yet known. */
  readonly expiresAt: number | null
}
