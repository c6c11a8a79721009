import { SECOND } from '../base/clock.ts'
import { MAX_LIFETIME } from './sessions.ts'

/** The part of a request that its session is found by. */
interface CookieSource {
  readonly path: string
  header(name: string): string | null
}

const NAME = 'corkboard'
/** Matches the paths of files, such as `.json` and `.png`. Sessions are for pages, and for the tables that they offer. */
export const FILE_PATH = /\.(?!csv$)\w+$/

/**
 * The cookie of a session. No other site can make a browser use it at a path of the API, because it is ignored there.
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

  /** Returns the token that a request sends; undefined if there is none, or if the path is not that of a page. */
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
