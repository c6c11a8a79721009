export const ROLES = ['user', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The sender of a request: an account, or anonymous. */
export type Caller = Account | Anonymous | Operator
export interface Account {
  readonly userId: number
  readonly role: Role
  /** The account's epoch when the credentials were checked. Once it changes, they are no longer valid. */
  readonly epoch: number
  /** The access token that the request was sent with; undefined for a password or a session. */
  readonly token?: { readonly id: number; readonly scopes: readonly string[] }
}
export interface Anonymous {
  readonly userId: undefined
  readonly role: undefined
  readonly token?: undefined
}

/** Somebody who runs a command in the data directory, and may do everything. */
export interface Operator {
  readonly userId: undefined
  readonly role: 'admin'
  readonly token?: undefined
}

/** A signed-in browser. */
export interface Session {
  readonly id: number
  readonly account: Account
  /** The token in the browser's cookie, which also signs the forms of this session. */
  readonly token: string
}

export const ANONYMOUS: Anonymous = { userId: undefined, role: undefined }
export const OPERATOR: Operator = { userId: undefined, role: 'admin' }

export const isAdmin = (caller: Caller) => caller.role === 'admin'

/** Whether a record belongs to the caller. A record without an owner belongs to no caller, not even an anonymous one. */
export const isOwner = (caller: Caller, record: { readonly userId: number | null }) =>
  caller.userId !== undefined && caller.userId === record.userId
