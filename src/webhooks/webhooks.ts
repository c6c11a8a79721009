import { type Clock, SECOND } from '../base/clock.ts'
import { notFound, Problem } from '../base/problem.ts'
import type { Log } from '../http/log.ts'
import type { Store } from '../store/store.ts'
import type { Change, Tables } from '../store/tables.ts'
import type { DeliveryRow, WebhookRow } from '../store/webhookRows.ts'
import { Lane, type LaneContext } from './lane.ts'
import { encodeBody } from './messageBody.ts'
import { Messages, type PresentChange } from './messages.ts'
import { Pace } from './pace.ts'
import { Progress } from './progress.ts'
import { Receiver } from './receiver.ts'
import { Sender } from './sender.ts'

/** How often the tries that are due are looked for, and the changes by other processes. */
const INTERVAL = SECOND
/** The most messages in a second, and at once after a pause. */
const MAX_PER_SECOND = 1000
const MAX_AT_ONCE = 20
/** The time that deliveries in progress get to finish when the board closes. Aborted ones are sent again later. */
const CLOSE_TIMEOUT = 2 * SECOND
/** Seconds after which a stopped server is probably there again. */
const RETRY_AFTER = 5
const TEST_TYPE = 'webhook.test'
const TEST_DATA = { message: 'This is a test. If its signature is valid, the webhook works.' }

interface WebhookOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Whether messages may be sent to this machine and its network, and by plain http. */
  readonly allowsPrivate: boolean
  /** Called in the transaction in which deliveries to a webhook end because they failed. */
  readonly onStop: (tables: Tables, id: number) => void
}

const stopping = () =>
  new Problem('busy', 'The board is stopping. Please try again.', { retryAfter: RETRY_AFTER })

/** Tells other programs of the changes in the journal, by the specification of Standard Webhooks. */
export class Webhooks {
  readonly allowsPrivate: boolean
  private readonly lanes = new Map<number, Lane>()
  /** The webhooks to which a test is being sent. */
  private readonly tested = new Set<number>()
  private context: LaneContext | undefined
  private readonly progress: Progress
  private timer: Timer | undefined
  private isClosed = false

  constructor(private readonly options: WebhookOptions) {
    const { store, log, allowsPrivate } = options
    this.allowsPrivate = allowsPrivate
    this.progress = new Progress(store, cause =>
      log.warn('the progress of webhooks could not be stored yet', { cause: String(cause) }),
    )
  }

  /** Starts to send. @param present returns changes as the change feed shows them */
  start(present: PresentChange): void {
    if (this.context) return
    const { store, clock, log, allowsPrivate, onStop } = this.options
    this.context = {
      clock,
      log,
      messages: new Messages(store.read.journal, present),
      sender: new Sender(new Receiver({ allowsPrivate }), clock, log),
      pace: new Pace(MAX_PER_SECOND, MAX_AT_ONCE),
      progress: this.progress,
      onStop,
    }
    for (const row of store.read.webhooks.all()) this.open(row, this.context)
    this.timer = setInterval(() => this.run(), INTERVAL)
    this.timer.unref()
  }

  /** The number of tries since the start. */
  get counts(): Readonly<Sender['counts']> {
    return this.context?.sender.counts ?? { delivered: 0, failed: 0 }
  }

  /** Sends what is due now. */
  run(): void {
    for (const lane of this.lanes.values()) lane.wake()
  }

  applyChanges(changes: readonly Change[]): void {
    const { context } = this
    if (!context) return
    context.messages.applyChanges(changes)
    for (const change of changes) if (change.table === 'webhooks') this.follow(change, context)
    if (changes.some(({ table }) => table === 'journal')) this.run()
  }

  /**
   * Sends a test to a webhook, also to one that is disabled, and returns how that went.
   * @throws Problem 'notFound', 'conflict' while another test is under way, 'busy' if the board is closing
   */
  async sendTest(id: number): Promise<DeliveryRow> {
    const lane = this.lanes.get(id)
    if (this.isClosed) throw stopping()
    if (!lane) throw notFound('webhook')
    if (this.tested.has(id))
      throw new Problem('conflict', 'A test is already running. Wait until it finishes.')
    this.tested.add(id)
    try {
      const body = encodeBody(TEST_TYPE, this.options.clock(), TEST_DATA)
      const messageId = `msg_test_${crypto.randomUUID()}`
      const delivery = await lane.sendTest({ id: messageId, seq: null, type: TEST_TYPE, body })
      if (!delivery) throw this.isClosed ? stopping() : notFound('webhook')
      await this.progress.flush()
      return delivery
    } finally {
      this.tested.delete(id)
    }
  }

  /** Resolves when nothing more can be sent now, and everything is stored. */
  async whenIdle(): Promise<void> {
    this.run()
    await Promise.all([...this.lanes.values()].map(lane => lane.idle))
    await this.progress.flush()
  }

  /** Stores the progress so far. */
  flush(): Promise<void> {
    return this.progress.flush()
  }

  /** Starts nothing more, and waits for deliveries in progress, which are aborted if they take too long. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    this.isClosed = true
    const lanes = [...this.lanes.values()]
    for (const lane of lanes) lane.end(false)
    const timer = setTimeout(() => lanes.forEach(lane => lane.end(true)), CLOSE_TIMEOUT)
    await Promise.all(lanes.map(lane => lane.idle))
    clearTimeout(timer)
    await this.progress.flush()
  }

  private open(row: WebhookRow, context: LaneContext) {
    if (this.isClosed) return
    const lane = new Lane(row, context)
    this.lanes.set(row.id, lane)
    lane.wake()
  }

  private follow({ id, after }: Change & { readonly table: 'webhooks' }, context: LaneContext) {
    const lane = this.lanes.get(id)
    if (!after) {
      lane?.end(true)
      this.lanes.delete(id)
    } else if (lane) lane.update(after)
    else this.open(after, context)
  }
}
