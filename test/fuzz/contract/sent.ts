import type { TokenPurpose } from '../../../src/store/tokenRows.ts'
import { basic } from '../../helpers/board.ts'
import type { Header, Raw } from '../request.ts'
import type { Attempt, By, Place } from './attempt.ts'
import { encode } from './bodies.ts'
import type { Operation } from './document.ts'
import { type Entry, Pick } from './entries.ts'
import { SECRET } from './texts.ts'
import { SOURCED_JOBS, type World } from './world.ts'

/** A request as it is sent, and its meaning. */
export interface Sent {
  readonly raw: Raw
  readonly attempt: Attempt
  /** The body's entries, with placeholders replaced by ids. */
  readonly entries: readonly Entry[]
}

const TABLES = ['jobs', 'categories', 'terms', 'plans', 'users', 'subscribers', 'mails', 'webhooks'] as const

const PURPOSES: readonly (readonly [path: string, TokenPurpose])[] = [
  ['/subscribers/confirm', 'subscription'],
  ['/subscribers/unsubscribe', 'unsubscription'],
  ['/users/confirm', 'account'],
  ['/password-resets', 'reset'],
  ['/jobs/{id}/renew', 'renewal'],
]

let clients = 0

/** Replaces the placeholders of an attempt with the board's records. */
export function realize(attempt: Attempt, world: World): Sent {
  const { operation, verb, input } = attempt
  const entries = (input?.entries ?? []).map(([name, value]): Entry => [name, resolved(value, world)])
  const encoded =
    input && input.manglings.reduce((made, { apply }) => apply(made), encode(input.content.media, entries))
  const headers: Header[] = [...attempt.headers, ['x-forwarded-for', clientOf(attempt)]]
  const authorization = authorizationOf(attempt.by, world)
  if (authorization !== undefined) headers.push(['authorization', authorization])
  if (encoded && encoded.type !== '') headers.push(['content-type', encoded.type])
  const method = verb ?? operation.method
  return {
    raw: { method, target: targetOf(attempt, world), headers: once(headers), body: encoded?.bytes },
    attempt,
    entries,
  }
}

function resolved(value: unknown, world: World): unknown {
  if (!(value instanceof Pick)) return value
  const rows = world.test.board.store.read[value.table].all()
  const usable = rows.filter(row => !('archived' in row && row.archived))
  return usable[value.number % Math.max(1, usable.length)]?.id ?? 1
}

function authorizationOf(by: By, world: World): string | undefined {
  if (typeof by === 'object') return by.authorization
  if (by === 'nobody') return undefined
  if (by === 'wrong') return basic(world.accounts.admin.email, `${SECRET} but wrong`)
  if (by === 'unknown') return basic('nobody@example.com', SECRET)
  return world.authorization(by)
}

/** Returns a unique address, or one that many requests share. */
function clientOf({ isCrowded }: Attempt): string {
  if (isCrowded) return '192.0.2.1'
  const client = ++clients
  return `10.${(client >> 16) % 256}.${(client >> 8) % 256}.${client % 256}`
}

/** Returns the first value of a repeated name. */
const once = (headers: readonly Header[]) =>
  headers.filter(([name], at) => headers.findIndex(([other]) => other === name) === at)

function targetOf({ operation, by, place, query, queryEnd }: Attempt, world: World): string {
  // Each account has its own source.
  const template = operation.template.replace('{source}', typeof by === 'string' ? by : 'any')
  const path = template.replace(/\{\w+\}/, () => placed(operation, place, world))
  const token = tokenFor(operation, world)
  const parameters = query.map(([name, value]): [string, string] => [
    name,
    name === 'token' && 'number' in place && token !== undefined ? token : value,
  ])
  const pairs = parameters.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
  )
  const all = [...pairs, ...(queryEnd === '' ? [] : [queryEnd])].join('&')
  return all === '' ? path : `${path}?${all}`
}

/** Returns the text for a placeholder in a path. */
function placed(operation: Operation, place: Place, world: World): string {
  if ('text' in place) return place.text
  if (operation.template.startsWith('/sources/')) return `r${place.number % SOURCED_JOBS}`
  if (hasToken(operation) && operation.template.startsWith('/jobs/')) return String(world.renewable)
  const table = TABLES.find(name => operation.template.startsWith(`/${name}/`))
  const names = table ? world.ids(table).map(String) : world.logoNames
  const token = table ? undefined : tokenFor(operation, world)
  return token ?? names[place.number % Math.max(1, names.length)] ?? 'none'
}

const hasToken = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'token')

function tokenFor({ template }: Operation, world: World): string | undefined {
  const purpose = PURPOSES.find(([path]) => template.startsWith(path))?.[1]
  return purpose && world.tokens.get(purpose)
}
