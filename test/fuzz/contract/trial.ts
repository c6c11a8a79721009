import { jsonObject } from '../../helpers/responses.ts'
import { curl, type Raw } from '../request.ts'
import type { Attempt } from './attempt.ts'
import { Contract } from './document.ts'
import { faultsOf } from './rules.ts'
import { realize, type Sent } from './sent.ts'
import { Tally } from './tally.ts'
import { SECRET } from './texts.ts'
import { type ReceivedResponse, Transport } from './transport.ts'
import { Verdict } from './verdict.ts'
import { hasChanged, World } from './world.ts'

/** The whole board is compared before and after one in this many refused requests. */
const COMPARED_EVERY = 20
/** A second passes after this many requests. */
const SECOND_EVERY = 40
/** The time after which a failed sign-in no longer delays others at its account, in milliseconds. */
const SLOWED_DOWN = 2000
const UNAUTHENTICATED = 401
const MAX_SHOWN = 2000
/** The time in which the board finishes background work, in milliseconds. */
const INVALID_HTTP = 30

/** Sends requests to a board, and checks the responses against its API description. */
export class Trial {
  readonly tally = new Tally()
  readonly verdict: Verdict

  private constructor(
    readonly contract: Contract,
    private readonly world: World,
    private readonly transport: Transport,
  ) {
    this.verdict = new Verdict(contract)
  }

  /** Opens a board, and reads its API description. */
  static async open(...flags: string[]): Promise<Trial> {
    const world = await World.open(...flags)
    const document = await jsonObject(world.test.get('/openapi.json'))
    return new Trial(new Contract(document), world, new Transport(world.test))
  }

  async close(): Promise<void> {
    await this.transport.close()
    await this.world.test.close()
  }

  /**
   * Makes one attempt.
   * @throws Error with the request, the response, and what is wrong with it
   */
  async make(attempt: Attempt): Promise<void> {
    const { world, tally } = this
    if (tally.total % SECOND_EVERY === 0) world.test.clock.now += 1000
    const sent = framed(realize(attempt, world))
    const before = tally.total % COMPARED_EVERY === 0 ? world.snapshot() : undefined
    const { changes } = world
    const response = await this.send(sent)
    if (response?.status === UNAUTHENTICATED) world.test.clock.now += SLOWED_DOWN
    const isOwn = attempt.verb === undefined && response?.headers.has('x-request-id') === true
    tally.count(attempt.operation, isOwn ? response?.status : undefined)
    const isRejectedByBun = isCutOff(sent, response)
    const faults = isRejectedByBun ? [] : this.faultsOf(sent, response)
    // the board may still be working on it
    if (sent.attempt.framing === 'short' || sent.attempt.framing === 'long') await Bun.sleep(INVALID_HTTP)
    const isChanged =
      world.changes !== changes || (before !== undefined && hasChanged(before, world.snapshot()))
    if (isChanged && mayNotChange(sent, response, isRejectedByBun)) faults.push('it changed something')
    faults.push(...(await this.logged()))
    if (world.changes !== changes) await world.restock()
    if (faults.length > 0) throw new Error(report(sent, response, faults))
  }

  private faultsOf(sent: Sent, response: ReceivedResponse | undefined): string[] {
    if (!response) return ['the connection was closed']
    return [...faultsOf(this.contract, sent, response), ...this.verdict.of(sent, response, this.world)]
  }

  private async send({ raw, attempt: { framing } }: Sent): Promise<ReceivedResponse | undefined> {
    if (framing === 'none') return await this.transport.send(raw)
    if (framing !== 'long') return await this.transport.sendByWire(raw)
    await this.transport.sendIncomplete(raw)
    return undefined
  }

  /** Returns the errors that were only logged. */
  private async logged(): Promise<string[]> {
    const { test } = this.world
    if (this.tally.total % COMPARED_EVERY !== 0) return []
    await test.board.log.flush()
    const lines = test.logged.splice(0)
    return lines
      .filter(line => line.includes('"level":"error"') || line.includes(SECRET))
      .map(line => `it logged ${line}`)
  }
}

/** Bun's status for a request whose line and headers exceed 16 KiB. */
const TOO_LONG = 431
const MAX_HEAD_BYTES = 8192

const VERBS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])

/** Returns whether Bun responded itself, because the request is not valid HTTP. */
function isCutOff({ raw, attempt }: Sent, response: ReceivedResponse | undefined): boolean {
  if (attempt.framing === 'long') return true
  if (response?.status === TOO_LONG && `${raw.target}${raw.headers.flat().join('')}`.length > MAX_HEAD_BYTES)
    return true
  const isOdd =
    attempt.framing === 'short' || !VERBS.has(raw.method) || raw.headers.some(([name]) => name === 'host')
  return isOdd && (!response || response.status === 400 || isOfBun(response))
}

/** Bun's own responses have no body, and close the connection. */
const isOfBun = ({ headers, body }: ReceivedResponse) =>
  headers.get('connection') === 'close' && body.length === 0

/** Returns whether a request must change nothing. One that was complete before invalid bytes followed may have an effect. */
function mayNotChange(
  { raw, attempt }: Sent,
  response: ReceivedResponse | undefined,
  isRejectedByBun: boolean,
): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(raw.method)) return true
  if (attempt.framing === 'long') return attempt.operation.bodies.length > 0 && attempt.verb === undefined
  return !isRejectedByBun && (!response || response.status >= 400)
}

/** Returns a request with the headers of its framing. */
function framed(sent: Sent): Sent {
  const { raw, attempt } = sent
  const { body = new Uint8Array() } = raw
  const { framing } = attempt
  if (body.length === 0)
    return { ...sent, attempt: { ...attempt, framing: framing === 'none' ? 'none' : 'wire' } }
  const say = (name: string, value: number | string): Raw => ({
    ...raw,
    headers: [...raw.headers, [name, String(value)]],
  })
  if (framing === 'chunked') return { ...sent, raw: say('transfer-encoding', 'chunked') }
  if (framing === 'short') return { ...sent, raw: say('content-length', body.length >> 1) }
  return framing === 'long' ? { ...sent, raw: say('content-length', body.length + 1) } : sent
}

function report(
  { raw, attempt }: Sent,
  response: ReceivedResponse | undefined,
  faults: readonly string[],
): string {
  const manglings = attempt.input?.manglings.map(({ does }) => does) ?? []
  const head = response && [...response.headers].map(([name, value]) => `  ${name}: ${value}`).join('\n')
  return [
    `${attempt.operation.name}: ${faults.join('; ')}`,
    `${attempt.framing === 'none' ? '' : `by socket (${attempt.framing}) `}${manglings.join(', ')}`,
    curl(raw),
    response
      ? `HTTP ${response.status}\n${head}\n\n  ${response.body.toString().slice(0, MAX_SHOWN)}`
      : 'no response',
  ].join('\n')
}
