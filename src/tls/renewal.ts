import { type Clock, DAY, HOUR, MINUTE, timestamp } from '../base/clock.ts'
import { errorMessage, errorStack } from '../base/error.ts'
import { keyErrors } from '../config/consistency.ts'
import type { Log } from '../http/log.ts'
import { accountKeyOf } from './account.ts'
import { type AuthorityAddress, openClient } from './acmeClient.ts'
import { consult } from './authority.ts'
import type { CertificateStatus } from './certificateStatus.ts'
import { HeldCertificate } from './heldCertificate.ts'
import type { KeyPair } from './keyPair.ts'
import { type Challenges, orderCertificate } from './order.ts'
import { explain, explainClock, isAboutTime } from './problemText.ts'
import { retryPause } from './retryPause.ts'
import type { TlsFolder } from './tlsFolder.ts'

/** In milliseconds. Below this, differences between the clock and that of the authority don't matter. */
const MAX_SKEW = 5 * MINUTE
/** In milliseconds, how often the authority is asked for its time and for when it wants a renewal. */
const CONSULTATION = 6 * HOUR
/** In milliseconds, between two steps. */
const MIN_WAIT = 100
/** In milliseconds, how long one order may take. */
const ORDER_TIMEOUT = 10 * MINUTE

interface Setup {
  /** The names of the certificate, the main one first. */
  readonly names: readonly string[]
  readonly email: string | undefined
  readonly authority: AuthorityAddress
  readonly folder: TlsFolder
  readonly clock: Clock
  readonly log: Log
  readonly status: CertificateStatus
  readonly challenges: Challenges
  /** Uses a new pair for new connections. @throws Error if it can't listen */
  readonly use: (pair: KeyPair) => Promise<void>
}

/** Gets the certificate of a board from an authority, and renews it. */
export class CertificateRenewal {
  private held: HeldCertificate | undefined
  /** Whether connections use the certificate. */
  private isUsed = false
  private isStarted = false
  private failures = 0
  /** When the next attempt and the next consultation may be. Both are in the time of `performance.now`. */
  private retryAt = 0
  private consultAt = 0
  /** In milliseconds, by how much the authority's clock is ahead; 0 if the difference doesn't matter. */
  private skew = 0
  private running: Promise<void> = Promise.resolve()
  private timer: Timer | undefined
  private readonly stopping = new AbortController()

  constructor(private readonly setup: Setup) {}

  /** Uses the stored certificate, if there is one, and starts to get and renew certificates. */
  async start(): Promise<void> {
    const { folder, names, log } = this.setup
    const stored = await folder.readCertificate().catch((error: unknown) => {
      log.warn('the stored certificate is not used', { cause: errorMessage(error) })
    })
    const held = stored && new HeldCertificate(stored)
    if (held?.isFor(names[0] ?? '')) await this.adopt(held).catch((error: unknown) => this.fail(error))
    this.isStarted = true
    this.run()
  }

  /** Tries again now, if the last attempt failed. */
  async check(): Promise<void> {
    // Before the start, the stored certificate is unknown.
    if (!this.isStarted) return
    this.retryAt = 0
    this.consultAt = 0
    this.run()
    await this.running
  }

  /** Stops an order, and waits for its end. */
  async close(): Promise<void> {
    this.stopping.abort()
    clearTimeout(this.timer)
    await this.running
  }

  private run() {
    clearTimeout(this.timer)
    this.running = this.stepAfter(this.running)
  }

  private async stepAfter(previous: Promise<void>) {
    await previous
    if (this.stopping.signal.aborted) return
    await this.step().catch((error: unknown) => {
      if (!this.stopping.signal.aborted) this.fail(error)
    })
    clearTimeout(this.timer)
    if (!this.stopping.signal.aborted) this.timer = setTimeout(() => this.run(), this.wait)
  }

  /** In milliseconds, until the next step: an hour at most, to notice a changed clock. */
  private get wait(): number {
    const now = performance.now()
    const untilDue = this.isDue ? 0 : (this.held?.renewAt ?? 0) - this.now
    const wait = Math.max(this.retryAt - now, Math.min(untilDue, this.consultAt - now))
    return Math.min(Math.max(wait, MIN_WAIT), HOUR)
  }

  /** The time, by the clock of the authority if ours is wrong. */
  private get now(): number {
    return this.setup.clock() + this.skew
  }

  private get isDue(): boolean {
    const { held, now } = this
    const { names, authority } = this.setup
    return !held || held.renewAt <= now || !held.isFrom(authority.directory, names)
  }

  private async step() {
    if (performance.now() < this.retryAt) return
    if (this.held && !this.isUsed) await this.adopt(this.held)
    if (this.isDue || performance.now() >= this.consultAt) await this.consult()
    if (this.isDue) await this.renew()
    const { status, clock } = this.setup
    this.failures = 0
    status.retryAt = undefined
    status.problem = this.skew === 0 ? undefined : explainClock(clock(), this.now)
  }

  /** Asks the authority for its time and for when it wants a renewal. */
  private async consult() {
    const { authority, clock, log } = this.setup
    this.consultAt = performance.now() + HOUR
    const found = await consult(authority, this.held?.cert, this.stopping.signal).catch((error: unknown) => {
      // Before a renewal is due, it doesn't matter if the authority can't be reached.
      if (this.isDue || isAboutTime(error)) throw error
    })
    if (!found) return
    const skew = (found.time ?? clock()) - clock()
    const wasWrong = this.skew !== 0
    this.skew = Math.abs(skew) > MAX_SKEW ? skew : 0
    if (this.skew !== 0 && !wasWrong) log.warn(explainClock(clock(), this.now))
    this.held?.follow(found.renewal)
    this.consultAt =
      performance.now() + Math.min(Math.max(found.renewal?.askAgainAfter ?? CONSULTATION, MINUTE), DAY)
  }

  private async renew() {
    const { names, email, authority, folder, challenges, log } = this.setup
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(ORDER_TIMEOUT)])
    log.info('ordering a certificate', { names: names.join(', '), authority: authority.directory })
    const client = await openClient(authority, await accountKeyOf(folder, log), signal)
    // An authority may refuse to replace a certificate, but not to issue another one.
    const replaces = this.failures === 0 ? this.held?.renewalId : undefined
    const pair = await orderCertificate(client, { names, email, challenges, replaces, signal })
    if (keyErrors(pair.cert, pair.key).length > 0)
      throw new Error("The authority's certificate can't be used")
    await folder.writeCertificate(pair, authority.directory).catch((error: unknown) => {
      log.error('the new certificate could not be stored: a restart will order another one', {
        cause: errorMessage(error),
      })
    })
    const held = new HeldCertificate({ ...pair, authority: authority.directory })
    await this.adopt(held)
    this.consultAt = 0
    log.info('using a new certificate', { names: names.join(', '), expires: timestamp(held.validity.until) })
    // Otherwise the board would order one certificate after another.
    if (this.isDue)
      throw new Error('The new certificate is already due for renewal. Check the clock of this machine')
  }

  private async adopt(held: HeldCertificate) {
    this.held = held
    this.isUsed = false
    await this.setup.use(held)
    this.isUsed = true
    this.setup.status.expiresAt = held.validity.until
  }

  /** Records why there is no new certificate, and when to try again. */
  private fail(error: unknown) {
    const { names, authority, clock, log, status } = this.setup
    this.failures++
    const pause = retryPause(this.failures, error, this.held !== undefined)
    this.retryAt = performance.now() + pause
    status.retryAt = clock() + pause
    status.problem = explain(error, { authority: new URL(authority.directory).host, names, clock })
    log.warn(this.held ? 'the certificate could not be renewed' : 'there is no certificate yet', {
      cause: status.problem,
      next_attempt: timestamp(status.retryAt),
    })
    log.debug('the certificate failed', { cause: errorStack(error) })
  }
}
