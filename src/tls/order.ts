import { setTimeout as sleep } from 'node:timers/promises'
import type { Authorization, Order } from 'acme-client'
import { MINUTE, SECOND } from '../base/clock.ts'
import { openAccount } from './account.ts'
import type { AcmeClient } from './acmeClient.ts'
import { AcmeError, parseProblem } from './acmeProblem.ts'
import type { KeyPair } from './keyPair.ts'

/** In milliseconds, how often the authority is asked whether it has finished: at first, and at most. */
const FIRST_INTERVAL = 100
const MAX_INTERVAL = 5 * SECOND
/** In milliseconds, how long the authority may take for a step. */
const PATIENCE = 3 * MINUTE
const CHALLENGE = 'http-01'

/** The responses to challenges by their token, which the server gives on port 80. */
export type Challenges = Map<string, string>

interface OrderRequest {
  /** In the certificate; the first is the main one. */
  readonly names: readonly string[]
  /** The account's address; undefined without one. */
  readonly email: string | undefined
  readonly challenges: Challenges
  /** The authority's name for the certificate that this one replaces, which it then doesn't count as a further one. */
  readonly replaces: string | undefined
  /** Stops the order. */
  readonly signal: AbortSignal
}

/**
 * Orders a certificate with a new key: proves that the names lead here, and has the authority sign them.
 * @throws AcmeError if the authority refuses, or the error of a connection
 */
export async function orderCertificate(
  { client, crypto }: AcmeClient,
  { names, email, challenges, replaces, signal }: OrderRequest,
): Promise<KeyPair> {
  await openAccount(client, email)
  const identifiers = names.map(value => ({ type: 'dns', value }))
  const order = await client.createOrder({ identifiers, ...(replaces !== undefined && { replaces }) })
  const until = poll(signal)
  await authorize({ client, crypto }, order, challenges, until)
  const ready = requireValid(await until(() => client.getOrder(order), isSettled))
  const [key, request] = await crypto.createCsr(
    { altNames: [...names] },
    await crypto.createPrivateEcdsaKey(),
  )
  await client.finalizeOrder(ready, request)
  const done = requireValid(await until(() => client.getOrder(order), isFinished))
  return { cert: await client.getCertificate(done), key: key.toString() }
}

const isSettled = ({ status }: Order) => status !== 'pending'
const isFinished = ({ status }: Order) => status === 'valid' || status === 'invalid'

/** Returns an order. @throws AcmeError if the authority has given it up */
function requireValid(order: Order): Order {
  if (order.status === 'invalid') throw new AcmeError([parseProblem(errorOf(order))])
  return order
}

/** Returns the description of an order's or challenge's error, which the library's types leave out. */
const errorOf = (item: object): unknown => ('error' in item ? item.error : undefined)

type Poll = <T>(read: () => Promise<T>, isOver: (value: T) => boolean) => Promise<T>

/** Returns a function that reads a value until it meets a condition. */
const poll =
  (signal: AbortSignal): Poll =>
  async (read, isOver) => {
    const deadline = performance.now() + PATIENCE
    for (let interval = FIRST_INTERVAL; ; interval = Math.min(2 * interval, MAX_INTERVAL)) {
      const value = await read()
      if (isOver(value)) return value
      if (performance.now() > deadline)
        throw new Error(`The certificate authority hasn't finished after ${PATIENCE / MINUTE} minutes`)
      await sleep(interval, undefined, { signal })
    }
  }

/** Proves that the names lead to this server, or throws an AcmeError that tells which don't. */
async function authorize({ client }: AcmeClient, order: Order, challenges: Challenges, until: Poll) {
  const tokens: string[] = []
  try {
    for (const { status, challenges: offered } of await client.getAuthorizations(order)) {
      const challenge = offered.find(({ type }) => type === CHALLENGE)
      // The authority remembers for a while that a name was proven.
      if (status !== 'pending' || !challenge) continue
      tokens.push(challenge.token)
      challenges.set(challenge.token, await client.getChallengeKeyAuthorization(challenge))
      await client.completeChallenge(challenge)
    }
    const authorizations = await until(
      () => client.getAuthorizations(order),
      all => all.every(({ status }) => status !== 'pending'),
    )
    const failed = authorizations.filter(({ status }) => status !== 'valid')
    if (failed.length > 0) throw new AcmeError(failed.map(problemOf))
  } finally {
    for (const token of tokens) challenges.delete(token)
  }
}

function problemOf({ identifier, challenges }: Authorization) {
  const error = challenges.map(errorOf).find(found => found !== undefined)
  return parseProblem(error, identifier.value)
}
