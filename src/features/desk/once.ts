import { LRUCache } from 'lru-cache'
import { MINUTE, SECOND } from '../../base/clock.ts'
import type { Later } from '../../base/later.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { Upload } from '../../http/request/fields.ts'
import type { Reply } from '../../http/response/reply.ts'
import type { Fields } from '../../validation/validation.ts'

const MAX_FORMS = 1000

/** Runs each form once: if a double click sends it twice, the second request gets the reply to the first. */
export class Once {
  private readonly replies = new LRUCache<string, Promise<Reply>>({ max: MAX_FORMS })

  /** Runs the form of a mailed link, which works once: for a moment, the same client gets the same reply. */
  runLink(
    { clientAddress, path, session }: RequestContext,
    token: string,
    work: () => Later<Reply>,
  ): Promise<Reply> {
    return this.run(`${path} ${token} ${clientAddress} ${session?.id}`, NO_FIELDS, work, DOUBLE_CLICK)
  }

  /**
   * Runs a form, or returns the reply to the same one.
   * @param key the path and the session or network of the form
   * @param fields what was entered; with other values it is another form
   * @param lifetime how long the reply is kept, in milliseconds
   */
  run(key: string, fields: Fields, work: () => Later<Reply>, lifetime = 10 * MINUTE): Promise<Reply> {
    const id = `${key} ${hashOf(fields)}`
    const known = this.replies.get(id)
    if (known) return known
    const reply = Promise.try(work)
    this.replies.set(id, reply, { ttl: lifetime })
    // A form that was rejected may be sent again.
    reply.catch(() => this.replies.delete(id))
    return reply
  }
}

/** In milliseconds, how long a link that signs in replies to the second click of a double click. */
const DOUBLE_CLICK = 5 * SECOND
const NO_FIELDS: Fields = { values: new Map(), isForm: true }

/** Hashes all values, among them the form's token, which differs each time the form is shown. */
function hashOf({ values }: Fields): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const [name, value] of values) {
    hasher.update(`${name}\0`)
    hasher.update(value instanceof Upload ? value.bytes : `${JSON.stringify(value)}\0`)
  }
  return hasher.digest('base64')
}
