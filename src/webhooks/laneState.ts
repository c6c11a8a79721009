import { STATUS } from '../http/response/errors.ts'
import type { WebhookRow } from '../store/webhookRows.ts'
import type { Answer } from './receiver.ts'
import { delayAfter, parseRetryAfter } from './retries.ts'

/** The statuses of responses whose `Retry-After` counts. */
const BUSY: ReadonlySet<number> = new Set([STATUS.throttled, STATUS.busy])

/** The columns of a webhook that deliveries change. */
type Columns = 'position' | 'skipped' | 'attempts' | 'nextAttemptAt' | 'lastError' | 'epoch'

/** How far a webhook has been told of changes. It is ahead of what is stored. */
export interface LaneState extends Pick<WebhookRow, Columns> {
  /** The status that ends the deliveries; undefined while they go on. */
  readonly stoppedAs: 'failing' | 'disabled' | undefined
}

export const stateOf = ({
  position,
  skipped,
  attempts,
  nextAttemptAt,
  lastError,
  epoch,
}: WebhookRow): LaneState => ({
  position,
  skipped,
  attempts,
  nextAttemptAt,
  lastError,
  epoch,
  stoppedAs: undefined,
})

/** Returns the state after a change was delivered. */
export const afterDelivery = (state: LaneState, seq: number): LaneState => ({
  ...state,
  position: seq,
  attempts: 0,
  nextAttemptAt: null,
  lastError: null,
})

/** Returns the state after a failed try. A receiver that is gone, or the last of all tries, ends the deliveries. */
export function afterFailure(
  state: LaneState,
  { status, error, retryAfter }: Answer,
  now: number,
): LaneState {
  const attempts = state.attempts + 1
  const failed = { ...state, attempts, nextAttemptAt: null, lastError: error ?? null }
  if (status === STATUS.gone) return { ...failed, stoppedAs: 'disabled' }
  const asked = BUSY.has(status ?? 0) ? parseRetryAfter(retryAfter, now) : undefined
  const delay = delayAfter(attempts, asked)
  if (delay === undefined) return { ...failed, stoppedAs: 'failing' }
  return { ...failed, nextAttemptAt: Math.ceil(now + delay) }
}
