import { SECOND } from '../base/clock.ts'
import { MAX_LIFETIME } from './sessions.ts'

/** The part of a request that contains its session. */
interface CookieSource {
  readonly path: string
  header(name: string): string | null
}

const NAME = 'corkboard'
/** Matches paths with an extension, such as `.json`, except `.csv`. Sessions work on pages, and on the CSV files that these link to. */
export const FILE_PATH = /\.(?!csv$)\w+$/

/**
 * The cookie of a session. Paths of the API ignore it, so that no other site can make a browser use it there.
 */
export class SessionCookie {
  private readonly name: string
  private readonly attributes: string
  private readonly pattern: RegExp

  /** @param base the board's base URL. With https, other hosts can't set a cookie of this name */
  constructor(base: string) {
    const isSecure = base.startsWith('https:')
    this.name = isSecure ? `__Host-${NAME}` : NAME
    this.attributes = `HttpOnly; SameSite=Lax; Path=/${isSecure ? '; Secure' : ''}`
    this.pattern = new RegExp(`(?:^|; *)${this.name}=([\\w-]{43})(?:;|$)`)
  }

  /** Returns the token in a request's cookie; undefined if it has none, or if sessions don't work on its path. */
  tokenOf(request: CookieSource): string | undefined {
    const cookies = request.header('cookie')
    if (cookies === null || FILE_PATH.test(request.path)) return undefined
    return this.pattern.exec(cookies)?.[1]
  }

  /** Returns the header that stores a session's token in the browser. */
  set(token: string): string {
    return `${this.name}=${token}; Max-Age=${MAX_LIFETIME / SECOND}; ${this.attributes}`
  }

  /** Returns the header that removes the token from the browser. */
  get removal(): string {
    return `${this.name}=; Max-Age=0; ${this.attributes}`
  }
}
