import { createHmac, randomBytes } from 'node:crypto'
import { DAY } from '../base/clock.ts'
import type { WebhookRow } from '../store/webhookRows.ts'

const PREFIX = 'whsec_'
/** In bytes. Standard Webhooks asks for 24 to 64. */
const SECRET_SIZE = 32
/** How long a secret goes on signing after it was replaced. */
const ROTATION_PERIOD = DAY
/** The number of replaced secrets that sign at a time. */
export const MAX_OLD_SECRETS = 4

type Secrets = Pick<WebhookRow, 'secret' | 'oldSecrets'>

/** Creates a secret, as Standard Webhooks writes it. */
export const newSecret = () => PREFIX + randomBytes(SECRET_SIZE).toString('base64')

/** Returns new secrets. Those before go on signing for a day. */
export const rotated = ({ secret, oldSecrets }: Secrets, now: number): Secrets => ({
  secret: newSecret(),
  oldSecrets: [{ secret, until: now + ROTATION_PERIOD }, ...oldSecrets.filter(({ until }) => until > now)],
})

/** Returns the headers of a message, which Standard Webhooks 1.0.0 defines. Every valid secret signs it. */
export function signatureHeaders(
  { secret, oldSecrets }: Secrets,
  { id, body }: { readonly id: string; readonly body: Uint8Array },
  now: number,
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000))
  const valid = [secret, ...oldSecrets.filter(({ until }) => until > now).map(old => old.secret)]
  const signatures = valid.map(key => {
    const hmac = createHmac('sha256', Buffer.from(key.slice(PREFIX.length), 'base64'))
    return `v1,${hmac.update(`${id}.${seconds}.`).update(body).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}
