import type { Header } from '../request.ts'
import type { Content, Operation } from './document.ts'
import type { Entry } from './entries.ts'
import type { Framing } from './headers.ts'
import type { Mangling } from './mangling.ts'
import type { Role } from './world.ts'

/** The sender: an account of the world, nobody, a wrong password, an unknown address, or a literal header. */
export type By = Role | 'nobody' | 'wrong' | 'unknown' | { readonly authorization: string }

/** A placeholder in the path for an id, a name or a token: an existing one, or any text. */
export type Place = { readonly number: number } | { readonly text: string }

/** A body to be encoded in one of the three content types. */
export interface BodyInput {
  readonly content: Content
  readonly entries: readonly Entry[]
  readonly manglings: readonly Mangling[]
}

/** A request whose placeholders are not yet replaced by the board's records. */
export interface Attempt {
  readonly operation: Operation
  readonly by: By
  readonly place: Place
  /** Names and values, not encoded. */
  readonly query: readonly (readonly [string, string])[]
  /** Literal text after the query. */
  readonly queryEnd: string
  readonly input: BodyInput | undefined
  readonly headers: readonly Header[]
  /** The method, if not the operation's own. */
  readonly verb: string | undefined
  /** Whether it comes from an address shared by many requests. */
  readonly isCrowded: boolean
  readonly framing: Framing
}
