import type { Clock } from '../base/clock.ts'
import { errorStack } from '../base/error.ts'
import type { Log } from '../http/log.ts'
import type { Tables } from '../store/tables.ts'
import type { DeliveryRow, WebhookRow } from '../store/webhookRows.ts'
import { afterDelivery, afterFailure, type LaneState, stateOf } from './laneState.ts'
import type { ChangeMessage, Messages } from './messages.ts'
import type { Pace } from './pace.ts'
import type { Progress } from './progress.ts'
import type { Message, Sender, Sent } from './sender.ts'

/** The number of deliveries that are kept for administrators. */
const MAX_LOGGED = 50
/** The number of changes that are passed over before others get their turn. */
const MAX_PASSED_OVER = 100
/** What all lanes share. */
export interface LaneContext {
  readonly clock: Clock
  readonly log: Log
  readonly messages: Messages
  readonly sender: Sender
  readonly pace: Pace
  readonly progress: Progress
  /** Called in the transaction in which deliveries to a webhook end because they failed. */
  readonly onStop: (tables: Tables, id: number) => void
}

/** Sends the changes to one webhook, one after the other in their order. */
export class Lane {
  private state: LaneState
  private unsaved: DeliveryRow[] = []
  private saving: ReadonlySet<DeliveryRow> = new Set()
  private isDue = false
  private isEnded = false
  private fault = ''
  private running: Promise<void> | undefined
  private readonly stop = new AbortController()

  constructor(
    private row: WebhookRow,
    private readonly context: LaneContext,
  ) {
    this.state = stateOf(row)
  }

  /** Resolves when nothing more can be sent now. */
  get idle(): Promise<void> {
    return this.running ?? Promise.resolve()
  }

  /** Follows a change by an administrator, or what was saved. */
  update(row: WebhookRow): void {
    const isReset = row.epoch !== this.row.epoch
    const isWoken = isReset || row.status !== this.row.status
    this.row = row
    if (isReset) this.state = stateOf(row)
    if (isWoken) this.wake()
  }

  /** Sends what is due. */
  wake(): void {
    this.isDue = true
    this.running ??= this.run()
  }

  /** Starts nothing more. @param isFinal aborts what is being sent */
  end(isFinal: boolean): void {
    this.isEnded = true
    if (isFinal) this.stop.abort()
  }

  /** Sends a message that is not part of the journal, and returns how that went. */
  async sendTest(message: Message): Promise<DeliveryRow | undefined> {
    const sent = await this.send(message, 1)
    this.context.progress.mark(this)
    return sent?.delivery
  }

  /** Stores the progress, inside a transaction that may still fail. */
  save(tables: Tables): void {
    const { stoppedAs, ...columns } = this.state
    this.saving = new Set(this.unsaved)
    const row = tables.webhooks.get(this.row.id)
    if (!row) return
    if (row.epoch === columns.epoch) {
      const isStopping = stoppedAs !== undefined && row.status === 'enabled'
      tables.webhooks.update(row, { ...columns, ...(isStopping && { status: stoppedAs }) })
      if (isStopping) this.context.onStop(tables, row.id)
    }
    if (this.unsaved.length === 0) return
    const { deliveries = [] } = tables.webhookLogs.get(row.id) ?? {}
    tables.webhookLogs.put({ id: row.id, deliveries: [...deliveries, ...this.unsaved].slice(-MAX_LOGGED) })
  }

  /** Forgets the deliveries that are on disk. */
  confirm(): void {
    this.unsaved = this.unsaved.filter(delivery => !this.saving.has(delivery))
  }

  private async run() {
    while (this.isDue) {
      this.isDue = false
      // A request that made a change is answered first.
      await new Promise(resolve => setImmediate(resolve))
      try {
        await this.sendDue()
        this.fault = ''
      } catch (error) {
        this.report(errorStack(error))
      }
    }
    this.running = undefined
  }

  /** Logs an error, once for as long as it stays the same. */
  private report(cause: string) {
    if (cause !== this.fault)
      this.context.log.error('a webhook could not be served', { webhook: this.row.id, cause })
    this.fault = cause
  }

  private async sendDue() {
    const { messages, pace } = this.context
    for (let passedOver = 0; this.mayDeliver;) {
      const { position, epoch } = this.state
      const message = messages.after(position)
      this.countSkipped(message?.seq ?? messages.end)
      if (!message) return
      if (this.wants(message)) {
        await pace.turn()
        if (this.mayDeliver && epoch === this.state.epoch) await this.deliver(message)
      } else {
        this.state = { ...this.state, position: message.seq }
        this.context.progress.markLater(this)
        if (++passedOver % MAX_PASSED_OVER === 0) await new Promise(resolve => setImmediate(resolve))
      }
    }
  }

  private get mayDeliver() {
    const { stoppedAs, nextAttemptAt } = this.state
    const isOn = this.row.status === 'enabled' && stoppedAs === undefined && !this.isEnded
    return isOn && (nextAttemptAt ?? 0) <= this.context.clock()
  }

  /** Notices that changes have left the journal before their turn. @param next the first seq that can still be sent */
  private countSkipped(next: number) {
    const { position, skipped } = this.state
    const changes = next - 1 - position
    if (changes <= 0) return
    this.state = { ...this.state, position: next - 1, skipped: skipped + changes }
    const details = { webhook: this.row.id, changes }
    this.context.log.warn('a webhook was not told of changes that are no longer kept', details)
    this.context.progress.mark(this)
  }

  private wants({ type }: ChangeMessage): boolean {
    const { types } = this.row
    return type !== '' && (types.length === 0 || types.includes(type))
  }

  private async deliver(message: ChangeMessage) {
    const { epoch, attempts } = this.state
    const sent = await this.send(message, attempts + 1)
    // Meanwhile, an administrator may have set another position.
    if (!sent || epoch !== this.state.epoch) return
    const { answer } = sent
    this.state =
      answer.error === undefined
        ? afterDelivery(this.state, message.seq)
        : afterFailure(this.state, answer, this.context.clock())
    this.context.progress.mark(this)
  }

  private async send(message: Message, attempt: number): Promise<Sent | undefined> {
    const sent = await this.context.sender.send(this.row, message, attempt, this.stop.signal)
    if (sent) this.unsaved = [...this.unsaved, sent.delivery].slice(-MAX_LOGGED)
    return sent
  }
}
