import { jsonObject } from '../../helpers/responses.ts'
import { curl, type Raw } from '../request.ts'
import type { Attempt } from './attempt.ts'
import { Contract } from './document.ts'
import { faultsOf } from './rules.ts'
import { realize, type Sent } from './sent.ts'
import { Tally } from './tally.ts'
import { SECRET } from './texts.ts'
import { type Answer, Transport } from './transport.ts'
import { Verdict } from './verdict.ts'
import { hasChanged, World } from './world.ts'

/** Of refused requests, every so many has the whole board compared before and after. */
const COMPARED_EVERY = 20
/** Every so many requests a second passes. */
const SECOND_EVERY = 40
/** Milliseconds after which a failed sign-in slows down no other one at its account. */
const SLOWED_DOWN = 2000
const UNAUTHENTICATED = 401
const SHOWN = 2000
/** Milliseconds in which the board is done with what nobody waits for. */
const UNHEARD = 30

/** Sends requests to a board, and holds the answers against its document. */
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

  /** Opens a board, and reads the document that it gives of itself. */
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
   * @throws Error with the request, the answer, and what is wrong with it
   */
  async make(attempt: Attempt): Promise<void> {
    const { world, tally } = this
    if (tally.total % SECOND_EVERY === 0) world.test.clock.now += 1000
    const sent = framed(realize(attempt, world))
    const before = tally.total % COMPARED_EVERY === 0 ? world.snapshot() : undefined
    const { changes } = world
    const answer = await this.send(sent)
    if (answer?.status === UNAUTHENTICATED) world.test.clock.now += SLOWED_DOWN
    const isOwn = attempt.verb === undefined && answer?.headers.has('x-request-id') === true
    tally.count(attempt.operation, isOwn ? answer?.status : undefined)
    const isUnheard = isCutOff(sent, answer)
    const faults = isUnheard ? [] : this.faultsOf(sent, answer)
    // the board may still be at it
    if (sent.attempt.framing === 'short' || sent.attempt.framing === 'long') await Bun.sleep(UNHEARD)
    const isChanged =
      world.changes !== changes || (before !== undefined && hasChanged(before, world.snapshot()))
    if (isChanged && mayNotChange(sent, answer, isUnheard)) faults.push('it changed something')
    faults.push(...(await this.logged()))
    if (world.changes !== changes) await world.tend()
    if (faults.length > 0) throw new Error(report(sent, answer, faults))
  }

  private faultsOf(sent: Sent, answer: Answer | undefined): string[] {
    if (!answer) return ['the connection was closed']
    return [...faultsOf(this.contract, sent, answer), ...this.verdict.of(sent, answer, this.world)]
  }

  private async send({ raw, attempt: { framing } }: Sent): Promise<Answer | undefined> {
    if (framing === 'none') return await this.transport.send(raw)
    if (framing !== 'long') return await this.transport.sendByWire(raw)
    await this.transport.breakOff(raw)
    return undefined
  }

  /** Faults that only the log tells of. */
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

/** What Bun answers where a request's line and headers are over 16 KiB. */
const TOO_LONG = 431
const MOST_OF_A_HEAD = 8192

const VERBS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])

/** Whether the board never saw it, or not whole: Bun answers itself what is no HTTP. */
function isCutOff({ raw, attempt }: Sent, answer: Answer | undefined): boolean {
  if (attempt.framing === 'long') return true
  if (answer?.status === TOO_LONG && `${raw.target}${raw.headers.flat().join('')}`.length > MOST_OF_A_HEAD)
    return true
  const isOdd =
    attempt.framing === 'short' || !VERBS.has(raw.method) || raw.headers.some(([name]) => name === 'host')
  return isOdd && (!answer || answer.status === 400 || isOfBun(answer))
}

/** Bun's own answers have no words, and end the connection. */
const isOfBun = ({ headers, body }: Answer) => headers.get('connection') === 'close' && body.length === 0

/** Whether what was sent must leave all as it is. What came whole before the rest of it was wrong may have been done. */
function mayNotChange({ raw, attempt }: Sent, answer: Answer | undefined, isUnheard: boolean): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(raw.method)) return true
  if (attempt.framing === 'long') return attempt.operation.bodies.length > 0 && attempt.verb === undefined
  return !isUnheard && (!answer || answer.status >= 400)
}

/** A request with headers that say how its body goes over the wire. */
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

function report({ raw, attempt }: Sent, answer: Answer | undefined, faults: readonly string[]): string {
  const manglings = attempt.said?.manglings.map(({ does }) => does) ?? []
  const head = answer && [...answer.headers].map(([name, value]) => `  ${name}: ${value}`).join('\n')
  return [
    `${attempt.operation.name}: ${faults.join('; ')}`,
    `${attempt.framing === 'none' ? '' : `by socket (${attempt.framing}) `}${manglings.join(', ')}`,
    curl(raw),
    answer ? `HTTP ${answer.status}\n${head}\n\n  ${answer.body.toString().slice(0, SHOWN)}` : 'no answer',
  ].join('\n')
}
