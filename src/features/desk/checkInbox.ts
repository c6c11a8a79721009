import { type HiddenReply, seeOther } from '../../http/response/reply.ts'
import type { RouteContext } from '../../http/route.ts'
import type { Desk } from './desk.ts'

/** What the page says after each form. It is the same for every address. */
const TEXTS = {
  'sign-in':
    "If the address has an account, we've sent a link that signs you in. It is valid for 15 minutes.",
  forgot:
    "If the address has an account, we've sent a link to choose a new password. It is valid for 24 hours.",
  register:
    "We've sent you an e-mail with the next step. Confirm your address with the link in it, then sign in.",
  post: "Your job is saved as a draft, and we've sent you an e-mail. Click the link in it to post the job. It is valid for 7 days.",
}

const TITLE = 'Check your inbox'

/** Goes to the page that says that an e-mail was sent. */
export const checkInbox = (after: keyof typeof TEXTS) => seeOther(`/check-inbox?after=${after}`)

export function showCheckInbox(desk: Desk, context: RouteContext): HiddenReply {
  const text = new Map(Object.entries(TEXTS)).get(context.query.get('after') ?? '')
  const link = { path: '/', text: 'See all jobs' }
  const texts = text === undefined ? [] : [text, 'If nothing arrives, look into your spam folder.']
  return desk.reply(context, 'sent', TITLE, { heading: TITLE, texts, link })
}
