import { printable } from '../base/text.ts'
import { findLogoIntegrityErrors, type LogoIntegrityError } from '../features/checks/logos.ts'
import { requireStore } from '../store/folder.ts'
import type { IntegrityError } from '../store/integrityError.ts'
import { CLI } from '../store/journal/journalRow.ts'
import { Store } from '../store/store.ts'
import { command, CommandError } from './command.ts'

/** Milliseconds until a second check: on a running server, an unfinished change can look like an error. */
const RECHECK_DELAY = 500

export const checkCommand = command({
  name: 'check',
  activity: 'checking the data',
  summary: 'check records and logos for errors',
  details: `Safe on a running server, except with --repair. The exit status is 1 if errors remain.
--repair deletes nothing: files that no job uses move to lost/ in the data directory, and a missing category, term
or plan gets a placeholder.`,
  args: [],
  flags: { repair: { help: 'fix errors' } },
  options: ['data'],
  run: async ({ flags: { repair }, config, clock, stdout }) => {
    requireStore(config.data)
    const store = await Store.open(config.data, { shared: !repair, clock, actor: CLI })
    try {
      const found = repair ? await findErrors(store) : await findLastingErrors(store)
      for (const { message } of found.all) stdout.write(`${printable(message)}\n`)
      if (found.all.length > 0) await repairOrThrow(store, found, repair)
      const result = found.all.length > 0 ? 'all errors are fixed' : 'no errors found'
      stdout.write(`${countRecords(store)}: ${result}.\n`)
    } finally {
      await store.close()
    }
  },
})

interface FoundErrors {
  readonly records: readonly IntegrityError[]
  readonly logos: readonly LogoIntegrityError[]
  readonly all: readonly { readonly message: string }[]
}

async function findErrors(store: Store): Promise<FoundErrors> {
  const records = store.findIntegrityErrors()
  // The logos of jobs that can't be read are unknown.
  const logos = records.some(({ repair }) => !repair) ? [] : await findLogoIntegrityErrors(store)
  return { records, logos, all: [...records, ...logos] }
}

/** Finds the errors that a second check finds too. */
async function findLastingErrors(store: Store): Promise<FoundErrors> {
  const first = await findErrors(store)
  if (first.all.length === 0) return first
  await Bun.sleep(RECHECK_DELAY)
  const again = await findErrors(store)
  const known = new Set(first.all.map(({ message }) => message))
  return { ...again, all: again.all.filter(({ message }) => known.has(message)) }
}

/** @throws CommandError if errors remain */
async function repairOrThrow(store: Store, { records, logos, all }: FoundErrors, repair: boolean) {
  if (!repair)
    throw new CommandError(
      `Found ${all.length === 1 ? '1 error' : `${all.length} errors`}. Stop the server and run check --repair to fix what can be fixed.`,
    )
  if (records.length > 0) await store.repair(records)
  for (const error of logos) await error.repair()
  const remaining = (await findErrors(store)).all
  if (remaining.length > 0)
    throw new CommandError(`These errors remain:\n${remaining.map(({ message }) => message).join('\n')}`)
}

function countRecords({ read }: Store): string {
  const { jobs, categories, terms, plans, users } = read
  const counts = [jobs, categories, terms, plans, users].map(table => `${table.name}: ${table.count}`)
  return `Checked all records and logos (${counts.join(', ')})`
}
