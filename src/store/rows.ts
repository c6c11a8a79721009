import type { Role } from '../base/caller.ts'

/** A stored row. There is a type for each table. Times are milliseconds since 1970, whole seconds. */
export interface Row {
  readonly id: number
}

/** Returns whether any of these columns differs from the row's. Columns have primitive values. */
export const differs = <R extends Row>(row: R, columns: Partial<Omit<R, 'id'>>) =>
  // The names are the row's columns.
  Object.entries(columns).some(([column, value]) => value !== row[column as keyof R])

/** A category or an employment term. */
export interface LabelRow extends Row {
  readonly name: string
}

/** A plan that jobs are posted on. */
export interface PlanRow extends Row {
  readonly name: string
  /** In whole units of the board's currency. */
  readonly price: number
  /** In days; 0 means that jobs never expire. */
  readonly period: number
  readonly highlight: boolean
  readonly badge: boolean
  readonly pin: boolean
  readonly archived: boolean
}

/** An account. */
export interface UserRow extends Row {
  /** In lower case. */
  readonly email: string
  /** An argon2id hash in PHC form. */
  readonly passwordHash: string
  readonly role: Role
  /** Whether mail to the address reaches the user. Otherwise they can't post jobs. */
  readonly confirmed: boolean
  /** Increased by changes that invalidate verified credentials: of address, password or role. */
  readonly epoch: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** The arrangements with their names on pages, in mails and on images. */
export const ARRANGEMENT_NAMES = { remote: 'Remote', onsite: 'On-site', hybrid: 'Hybrid' }
export const ARRANGEMENTS = ['remote', 'onsite', 'hybrid'] as const
export const SALARY_PERIODS = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const
export const APPLICATION_TYPES = ['url', 'email'] as const

/** A job. In a draft, texts can be empty that are otherwise required. `jobStatus.ts` computes its status. */
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
  /** The address for applications if the type is `url`; `''` if it was never set. */
  readonly applicationUrl: string
  /** The address for applications if the type is `email`; `''` if it was never set. */
  readonly applicationEmail: string
  /** This and the next two are null only in a draft. */
  readonly categoryId: number | null
  readonly termId: number | null
  readonly planId: number | null
  readonly userId: number | null
  /** The name of a file in `logos/`, `''` if there is none. */
  readonly logo: string
  /** Whether the job is awaiting approval. */
  readonly pending: boolean
  /** Whether approving the job renews it for another period of its plan. */
  readonly renewing: boolean
  /** Why an administrator refused the job; null unless it is refused. */
  readonly refusal: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** When the job was first submitted; null for a draft. */
  readonly submittedAt: number | null
  /** When its owner wants it to be published; null for at once. */
  readonly publishAt: number | null
  /** Since when the job is published, or from when, if that is later than now; null if it was never approved. */
  readonly publishedAt: number | null
  readonly filledAt: number | null
  readonly closedAt: number | null
  /** Null if the job never expires, or was never approved. */
  readonly expiresAt: number | null
  /** The `expiresAt` that its owner was last reminded of, and the number of reminders for it. */
  readonly remindedOf: number | null
  readonly reminders: number
  /** When it was last renewed; null if it never was. */
  readonly renewedAt: number | null
  /** When its owner was warned that the draft will be deleted; null unless it is an unchanged draft. */
  readonly warnedAt: number | null
  /** The address that can claim a draft, which was entered without an account; null otherwise. */
  readonly claimEmail: string | null
  /** Where the job comes from, and its id there; null if it was posted here. */
  readonly source: string | null
  readonly externalId: string | null
}

/** A subscriber to job alerts. */
export interface SubscriberRow extends Row {
  /** In lower case. */
  readonly email: string
  /** Whether the subscriber has confirmed the address. */
  readonly confirmed: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** The time from which jobs appear in the next alert. */
  readonly digestedUntil: number
}

/** The content of a mail. The text is created when the mail is sent, so that no link is stored. */
export type MailContent =
  | { readonly kind: 'subscription'; readonly subscriberId: number }
  | {
      readonly kind: 'digest'
      readonly subscriberId: number
      /** The digest is about jobs that appeared from `since` … */
      readonly since: number
      /** … until before this time. */
      readonly until: number
    }
  | { readonly kind: 'account'; readonly userId: number }
  | { readonly kind: 'registered'; readonly userId: number }
  | { readonly kind: 'reset'; readonly email: string }
  | { readonly kind: 'signIn'; readonly email: string }
  | { readonly kind: 'waiting'; readonly userId: number; readonly jobId: number }
  | { readonly kind: 'approved'; readonly userId: number; readonly jobId: number }
  | { readonly kind: 'refused'; readonly userId: number; readonly jobId: number }
  | { readonly kind: 'deleted'; readonly userId: number; readonly title: string }
  | {
      /** A reminder that a job expires soon, or has expired. */
      readonly kind: 'expiry'
      readonly userId: number
      readonly jobId: number
      readonly expiresAt: number
    }
  | { readonly kind: 'draft'; readonly userId: number; readonly jobId: number }
  | { readonly kind: 'post'; readonly jobId: number }
  | { readonly kind: 'backupFailed'; readonly userId: number; readonly reason: string }
  | { readonly kind: 'webhook'; readonly userId: number; readonly webhookId: number }
  | { readonly kind: 'test'; readonly userId: number }

/** A mail in the queue, or one that failed. The row is deleted once the mail is sent. */
export interface MailRow extends Row {
  readonly content: MailContent
  readonly createdAt: number
  /** The number of failed attempts. */
  readonly attempts: number
  /** The time of the first attempt. */
  readonly triedSince: number | null
  /** The time of the next attempt. */
  readonly dueAt: number
  /** Whether the mail will not be tried again. */
  readonly failed: boolean
  /** Why the last attempt failed, without personal data; `''` before the first failure. */
  readonly lastError: string
}

/** The settings of the board: one row, whose id is 1. A setting is null if no administrator has changed it. */
export interface SettingsRow extends Row {
  readonly name: string | null
  readonly tagline: string | null
  readonly accent: string | null
  readonly registration: 'open' | 'closed' | null
  readonly approve: 'none' | 'paid' | 'all' | null
  readonly digest: 'off' | 'daily' | 'weekly' | null
  /** This and the next three are Markdown. */
  readonly imprint: string | null
  readonly privacy: string | null
  readonly terms: string | null
  readonly guidelines: string | null
  /** The name of a file in `logos/`, `''` if there is none. */
  readonly logo: string
}
