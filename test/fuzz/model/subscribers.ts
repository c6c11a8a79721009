import {
  DAY,
  faulty,
  forAdmins,
  MISSING,
  type Plans,
  type Purpose,
  type Records,
  type Token,
} from './records.ts'
import { shownSubscriber } from './shown.ts'

const normal = (email: string) => email.trim().toLowerCase()

const subscriberOf = ({ subscribers }: Records, email: string) =>
  subscribers.all.find(subscriber => subscriber.email === email)

export const postSubscriber =
  (email: string): Plans =>
  records => ({
    method: 'POST',
    path: '/subscribers.json',
    body: { email },
    outcome: () => {
      const moments = { createdAt: records.second, updatedAt: records.second }
      const known = subscriberOf(records, normal(email))
      if (!known) records.subscribers.add({ email: normal(email), confirmed: false, ...moments })
      else if (!known.confirmed) records.subscribers.change(known.id, { updatedAt: records.second })
      return { status: 202 }
    },
  })

export interface SubscriberInput {
  readonly email?: string
  readonly email_confirmed?: boolean | '' | null
}

export const putSubscriber =
  (number: number, input: SubscriberInput): Plans =>
  (records, who) => {
    const id = records.subscribers.pick(number)
    const outcome = forAdmins(who, () => {
      const subscriber = records.subscribers.get(id)
      if (!subscriber) return MISSING
      const email = input.email === undefined ? subscriber.email : normal(input.email)
      const moves = email !== subscriber.email
      if (moves && subscriberOf(records, email)) return faulty(['email'])
      const isConfirmed = input.email_confirmed === '' ? undefined : input.email_confirmed
      const confirmed = isConfirmed ?? (subscriber.confirmed && !moves)
      if (!moves && confirmed === subscriber.confirmed)
        return { status: 200, body: shownSubscriber(subscriber) }
      if (moves) endTokens(records, id)
      const columns = { email, confirmed, updatedAt: records.second }
      return { status: 200, body: shownSubscriber(records.subscribers.change(id, columns)) }
    })
    return { method: 'PUT', path: `/subscribers/${id}.json`, body: input, outcome }
  }

const isForSubscriber = ({ purpose }: Token) => purpose === 'subscription' || purpose === 'unsubscription'

/** Invalidates tokens that were sent to the former address. */
function endTokens({ tokens, now }: Records, holder: number) {
  for (const token of tokens.all)
    if (isForSubscriber(token) && token.holder === holder)
      tokens.change(token.id, { until: Math.min(token.until, now) })
}

export const deleteSubscriber =
  (number: number): Plans =>
  (records, who) => {
    const id = records.subscribers.pick(number)
    const outcome = forAdmins(who, () => {
      const subscriber = records.subscribers.get(id)
      if (!subscriber) return MISSING
      erase(records, id)
      return { status: 200, says: subscriber.email }
    })
    return { method: 'DELETE', path: `/subscribers/${id}.json`, outcome }
  }

/** Deletes subscribers who did not confirm within 30 days, as a board does at its start. */
export function removeUnconfirmed(records: Records): void {
  for (const { id, confirmed, updatedAt } of records.subscribers.all)
    if (!confirmed && updatedAt <= records.now - 30 * DAY) erase(records, id)
}

function erase(records: Records, id: number) {
  records.subscribers.remove(id)
  for (const token of records.tokens.all)
    if (isForSubscriber(token) && token.holder === id) records.tokens.change(token.id, { until: 0 })
}

export const getSubscribers = (): Plans => (records, who) => ({
  method: 'GET',
  path: '/subscribers.json',
  outcome: forAdmins(who, () => {
    const subscribers = records.subscribers.all.map(shownSubscriber)
    return { status: 200, body: subscribers, total: subscribers.length }
  }),
})

export const getSubscriber =
  (number: number): Plans =>
  (records, who) => {
    const id = records.subscribers.pick(number)
    const outcome = forAdmins(who, () => {
      const subscriber = records.subscribers.get(id)
      return subscriber ? { status: 200, body: shownSubscriber(subscriber) } : MISSING
    })
    return { method: 'GET', path: `/subscribers/${id}.json`, outcome }
  }

/** Opens a link (GET, which changes nothing) or presses its button (POST). `text` is the token. */
export const useToken =
  (id: number, text: string, purpose: Purpose, method: 'GET' | 'POST'): Plans =>
  records => ({
    method,
    path: `/subscribers/${purpose === 'subscription' ? 'confirm' : 'unsubscribe'}.json?token=${text}`,
    outcome: () => {
      const token = records.tokens.get(id)
      if (token?.purpose !== purpose || token.until <= records.now) return MISSING
      if (method === 'POST') take(records, token)
      return { status: 200 }
    },
  })

function take(records: Records, { purpose, holder }: Token) {
  if (purpose === 'unsubscription') return erase(records, holder)
  const subscriber = records.subscribers.get(holder)
  if (subscriber && !subscriber.confirmed)
    records.subscribers.change(holder, { confirmed: true, updatedAt: records.second })
}
