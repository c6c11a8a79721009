export const ROLES = ['user', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Who asks: an account, or nobody in particular. */
export type Caller = Account | Anonymous
export interface Account {
  readonly userId: number
  readonly role: Role
  /** The account's epoch when the credentials were checked: with another, they are no longer right. */
  readonly epoch: number
}
export interface Anonymous {
  readonly userId: undefined
  readonly role: undefined
}

export const ANONYMOUS: Anonymous = { userId: undefined, role: undefined }

export const isAdmin = (caller: Caller) => caller.role === 'admin'

/** Whether this is the caller's own; what belongs to no account belongs to nobody either. */
export const isOwner = (caller: Caller, thing: { readonly userId: number | null }) =>
  caller.userId !== undefined && caller.userId === thing.userId
