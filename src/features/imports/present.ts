import { timestamp, timestampOrNull } from '../../base/clock.ts'
import type { RunningImport } from './runningImport.ts'
import { type Import, MAX_SHOWN } from './schema.ts'

/** Returns an import as administrators see it. */
export function presentImport(running: RunningImport): Import {
  const { id, filename, options, status, progress, importer, imported, created, message } = running
  const { rows, refused, skipped } = importer
  return {
    id,
    file: filename ?? null,
    status,
    dry_run: options.dry_run,
    keep_going: options.keep_going,
    progress,
    rows,
    imported,
    refused,
    skipped,
    errors: running.errors.map(({ place, title = null, message: text, errors }) => ({
      row: place,
      title,
      message: text,
      errors,
    })),
    created: {
      categories: presentNames(created.categories),
      terms: presentNames(created.terms),
      plans: presentNames(created.plans),
      archived_plans: presentNames(created.archivedPlans),
      administrators: presentNames(created.administrators),
      users: presentNames(created.users),
      subscribers: presentNames(created.subscribers),
    },
    message,
    started_at: timestamp(running.startedAt),
    ended_at: timestampOrNull(running.endedAt),
  }
}

const presentNames = (names: readonly string[]) => ({ count: names.length, names: names.slice(0, MAX_SHOWN) })
