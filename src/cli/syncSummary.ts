import { printable } from '../base/text.ts'
import type { SyncResult } from '../features/sources/schema.ts'
import type { Output } from './host.ts'

/** Prints the outcome of a synchronization, and on the other output what was refused or left alone. */
export function writeResult(
  { refused, detached, message }: SyncResult,
  isDryRun: boolean,
  stdout: Output,
  stderr: Output,
): void {
  for (const { n, external_id: id, errors } of refused) {
    const reasons = Object.entries(errors).map(([field, [error = 'is invalid']]) => `${field} ${error}`)
    stderr.write(`${printable(`Posting ${n}${id === null ? '' : ` (${id})`}: ${reasons.join('; ')}.`)}\n`)
  }
  for (const { id, external_id: externalId } of detached)
    stderr.write(`${printable(`Left alone, because somebody has changed it: ${externalId} (job ${id}).`)}\n`)
  stdout.write(`${isDryRun ? 'Nothing was changed. This would be done: ' : ''}${printable(message)}\n`)
}
