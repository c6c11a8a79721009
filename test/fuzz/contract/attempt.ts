import type { Header } from '../request.ts'
import type { Content, Operation } from './document.ts'
import type { Entry } from './entries.ts'
import type { Framing } from './headers.ts'
import type { Mangling } from './mangling.ts'
import type { Role } from './world.ts'

/** Who asks: an account of the world's, nobody, the wrong password of one, an unknown address, or a header as it is. */
export type By = Role | 'nobody' | 'wrong' | 'unknown' | { readonly authorization: string }

/** What stands for an id, a name or a token in the path: one that is there, or anything. */
export type Place = { readonly number: number } | { readonly text: string }

/** A body that is to be said in one of the three forms. */
export interface Said {
  readonly content: Content
  readonly entries: readonly Entry[]
  readonly manglings: readonly Mangling[]
}

/** A request before it is known what there is on the board. */
export interface Attempt {
  readonly operation: Operation
  readonly by: By
  readonly place: Place
  /** Names and values, not encoded. */
  readonly query: readonly (readonly [string, string])[]
  /** What stands behind it, as it is. */
  readonly queryEnd: string
  readonly said: Said | undefined
  readonly headers: readonly Header[]
  /** Instead of the operation's own. */
  readonly verb: string | undefined
  /** Whether it comes from where many others come from. */
  readonly isCrowded: boolean
  readonly framing: Framing
}
