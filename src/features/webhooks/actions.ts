import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import { floorToSecond } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Board } from '../../board.ts'
import { getOrThrow } from '../../store/lookup.ts'
import { differs } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'
import type { DeliveryRow, WebhookRow } from '../../store/webhookRows.ts'
import type { Validation } from '../../validation/validation.ts'
import { MAX_OLD_SECRETS, newSecret, rotated } from '../../webhooks/secrets.ts'
import { urlError } from '../../webhooks/target.ts'
import type { Replay, WebhookFields } from './schema.ts'

const MAX_WEBHOOKS = 20

/** The columns of a webhook whose next change has not been tried yet. */
const ANEW = { attempts: 0, nextAttemptAt: null, lastError: null }

/** Returns a webhook. @throws Problem 'notFound' */
export const getWebhook = (tables: TableReaders, id: number): WebhookRow =>
  getOrThrow(tables.webhooks, id, 'webhook')

/** Returns the last deliveries of a webhook, the newest first. @throws Problem 'notFound' */
export function listDeliveries(tables: TableReaders, id: number): DeliveryRow[] {
  getWebhook(tables, id)
  return [...(tables.webhookLogs.get(id)?.deliveries ?? [])].reverse()
}

/** Creates a webhook, which is told of the changes from now on. @throws Problem 'invalid', or 'conflict' if there are too many */
export function createWebhook(
  board: Board,
  caller: Caller,
  input: Validation<WebhookFields>,
): Promise<WebhookRow> {
  const now = floorToSecond(board.clock())
  checkUrl(board, input)
  const { url, types, description = null, status } = input.valueOrThrow()
  return writeAs(board.store, caller, tables => {
    if (tables.webhooks.count >= MAX_WEBHOOKS)
      throw new Problem(
        'conflict',
        `There are ${MAX_WEBHOOKS} webhooks, which is the maximum. Delete one first.`,
      )
    return tables.webhooks.insert({
      url,
      types,
      description,
      status,
      secret: newSecret(),
      oldSecrets: [],
      createdAt: now,
      updatedAt: now,
      position: tables.journal.lastId,
      skipped: 0,
      ...ANEW,
      epoch: 1,
    })
  })
}

/** Changes a webhook. With another URL, or when it is enabled, the next change is sent at once. @throws Problem 'notFound', 'invalid' */
export async function updateWebhook(
  board: Board,
  caller: Caller,
  id: number,
  input: Validation<Partial<WebhookFields>>,
): Promise<WebhookRow> {
  checkUrl(board, input)
  await board.webhooks.flush()
  return await writeAs(board.store, caller, tables => {
    const row = getWebhook(tables, id)
    const { types, ...columns } = input.valueOrThrow()
    const isSameTypes = types === undefined || String(types) === String(row.types)
    const isResumed = columns.status === 'enabled' && (row.status !== 'enabled' || row.attempts > 0)
    if (!isResumed && isSameTypes && !differs(row, columns)) return row
    // Who disables a webhook knows of its error. Otherwise, what is being sent now still counts.
    const isGivenUp = columns.status === 'disabled' && row.status !== 'disabled' && row.attempts > 0
    const isAnew = isResumed || isGivenUp || (columns.url ?? row.url) !== row.url
    return tables.webhooks.update(row, {
      ...columns,
      ...(types && { types }),
      ...(isAnew && { ...ANEW, epoch: row.epoch + 1 }),
      updatedAt: floorToSecond(board.clock()),
    })
  })
}

/** Deletes a webhook with its deliveries. @throws Problem 'notFound' */
export const deleteWebhook = ({ store }: Board, caller: Caller, id: number): Promise<unknown> =>
  writeAs(store, caller, tables => {
    getWebhook(tables, id)
    return tables.webhooks.remove(id)
  })

/** Gives a webhook another secret. @throws Problem 'notFound', or 'conflict' if it was done too often */
export const rotateSecret = ({ store, clock }: Board, caller: Caller, id: number): Promise<WebhookRow> =>
  writeAs(store, caller, tables => {
    const row = getWebhook(tables, id)
    const secrets = rotated(row, clock())
    if (secrets.oldSecrets.length > MAX_OLD_SECRETS)
      throw new Problem(
        'conflict',
        `The secret was changed ${MAX_OLD_SECRETS} times within a day. Please wait, or create another webhook.`,
      )
    return tables.webhooks.update(row, { ...secrets, updatedAt: floorToSecond(clock()) })
  })

/**
 * Continues the deliveries after a seq.
 * @throws Problem 'notFound', 'invalid' if there is no such change yet, or 'gone' if the next ones are no longer kept
 */
export async function replay(
  { store, webhooks }: Board,
  caller: Caller,
  id: number,
  input: Validation<Replay>,
): Promise<WebhookRow> {
  await webhooks.flush()
  return await writeAs(store, caller, tables => {
    const row = getWebhook(tables, id)
    const { lastId } = tables.journal
    const after = input.value('after') ?? 0
    if (after > lastId) input.addError('after', `must be at most ${lastId}, the last seq`)
    input.valueOrThrow()
    const earliest = tables.journal.after(0, 1)[0]?.id ?? lastId + 1
    if (after < earliest - 1)
      throw new Problem('gone', `The changes before ${earliest} are no longer kept.`, {
        figures: { earliest },
      })
    return tables.webhooks.update(row, { position: after, ...ANEW, epoch: row.epoch + 1 })
  })
}

function checkUrl({ webhooks }: Board, input: Validation<Partial<WebhookFields>>) {
  const url = input.value('url')
  const error = url === undefined ? undefined : urlError(url, webhooks.allowsPrivate)
  if (error !== undefined) input.addError('url', error)
}
