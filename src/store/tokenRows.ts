import type { Row } from './rows.ts'

/** A browser in which somebody is signed in to an account. */
export interface SessionRow extends Row {
  /** SHA-256 of the token in the browser's cookie, in base64. */
  readonly hash: string
  readonly userId: number
  /** The account's epoch at the sign-in. Once it changes, the session has ended. */
  readonly epoch: number
  /** The browser and the system, such as `Firefox on Linux`. */
  readonly device: string
  readonly createdAt: number
  readonly lastUsedAt: number
}

/** The purpose of a link in a mail. */
export type TokenPurpose =
  'subscription' | 'unsubscription' | 'account' | 'reset' | 'signIn' | 'renewal' | 'post'

/** The token of a link in a mail. The link itself isn't stored. */
export interface TokenRow extends Row {
  /** SHA-256 of the link's token, in base64. */
  readonly hash: string
  readonly purpose: TokenPurpose
  /** The link is for a subscriber, a user or a job. */
  readonly subscriberId: number | null
  readonly userId: number | null
  readonly jobId: number | null
  readonly createdAt: number
  readonly expiresAt: number
}

/** A token for programs, which identifies an account and limits what it may do. The token itself isn't stored. */
export interface AccessTokenRow extends Row {
  /** SHA-256 of the token, in base64. */
  readonly hash: string
  readonly userId: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  /** Null if it never expires. */
  readonly expiresAt: number | null
  /** The number of the day (UTC) of its last use since 1970; null if it was never used. */
  readonly lastUsedOn: number | null
}
