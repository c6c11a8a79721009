import { type Clock, dateOf, HOUR, MINUTE, timestamp } from '../base/clock.ts'
import { errorMessage } from '../base/error.ts'
import { keyErrors } from '../config/consistency.ts'
import { OptionError } from '../config/errors.ts'
import { type TextFile, textFile } from '../config/fileValues.ts'
import { nameOf } from '../config/names.ts'
import type { Log } from '../http/log.ts'
import type { CertificateStatus } from './certificateStatus.ts'
import { type KeyPair, validityOf } from './keyPair.ts'

interface Setup {
  /** The files of `--tls-cert` and `--tls-key`, as they were at the start. */
  readonly cert: TextFile
  readonly key: TextFile
  readonly clock: Clock
  readonly log: Log
  readonly status: CertificateStatus
  /** Uses a new pair for new connections. */
  readonly use: (pair: KeyPair) => Promise<void>
}

/** Follows the files of a certificate that another program renews. A pair that can't be used changes nothing. */
export class CertificateFiles {
  private current: KeyPair
  /** Why the changed files can't be used. */
  private refusal: string | undefined
  private checking: Promise<void> = Promise.resolve()
  private timer: Timer | undefined
  private isClosed = false

  constructor(private readonly setup: Setup) {
    this.current = { cert: setup.cert.text, key: setup.key.text }
    setup.status.expiresAt = validityOf(this.current.cert).until
  }

  /** Checks the files every hour, and every minute while they can't be used: another program may still be writing them. */
  start(): void {
    clearTimeout(this.timer)
    const wait = this.refusal === undefined ? HOUR : MINUTE
    if (!this.isClosed) this.timer = setTimeout(() => void this.check(), wait)
  }

  /** Checks the files now. */
  check(): Promise<void> {
    this.checking = this.compareAfter(this.checking)
    return this.checking
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }

  private async compareAfter(previous: Promise<void>) {
    await previous
    const { log, status, use } = this.setup
    const refusal = await this.adopt(use).catch(errorMessage)
    if (refusal !== undefined && refusal !== this.refusal)
      log.warn('the changed certificate is refused, and the old one stays in use', { cause: refusal })
    this.refusal = refusal
    status.problem = refusal
    this.start()
  }

  /** Uses the pair in the files if it is another one. Returns why it can't be used. */
  private async adopt(use: Setup['use']): Promise<string | undefined> {
    const cert = textFile(this.setup.cert.path)
    const key = textFile(this.setup.key.path)
    if (cert instanceof OptionError) return `${nameOf('tlsCert')} ${cert.sentence}.`
    if (key instanceof OptionError) return `${nameOf('tlsKey')} ${key.sentence}.`
    const pair = { cert: cert.text, key: key.text }
    if (pair.cert === this.current.cert && pair.key === this.current.key) return undefined
    const errors = [...keyErrors(pair.cert, pair.key)]
    if (errors.length > 0) return errors.join(' ')
    const { until } = validityOf(pair.cert)
    if (until <= this.setup.clock()) return `The certificate expired on ${dateOf(until)}.`
    await use(pair)
    this.current = pair
    this.setup.status.expiresAt = until
    this.setup.log.info('using the changed certificate', { expires: timestamp(until) })
    return undefined
  }
}
