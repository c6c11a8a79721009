import { printable } from '../base/text.ts'
import { findLogoIntegrityErrors, type LogoIntegrityError } from '../features/checks/logos.ts'
import { requireStore } from '../store/folder.ts'
import type { IntegrityError } from '../store/integrity.ts'
import { Store } from '../store/store.ts'
import { command, CommandError } from './command.ts'

/** Milliseconds until a second look: beside a server, what is under way looks like a fault. */
const RECHECK_DELAY = 500

export const checkCommand = command({
  name: 'check',
  summary: 'looks for what is wrong with records and logos',
  details: `Works beside a running server, but with --repair. Exit status 1 if something is wrong and was not mended.
--repair loses nothing: files that no job names go to lost/ in the data directory, and a category, term or
plan that is missing gets a stand-in.`,
  args: [],
  flags: { repair: { help: 'mends what can be mended' } },
  options: ['data'],
  run: async ({ flags: { repair }, config, stdout }) => {
    requireStore(config.data)
    const store = await Store.open(config.data, { shared: !repair })
    try {
      const found = repair ? await findErrors(store) : await findLastingErrors(store)
      for (const { message } of found.all) stdout.write(`${printable(message)}\n`)
      if (found.all.length > 0) await repairOrThrow(store, found, repair)
      const result = found.all.length > 0 ? 'all of this is mended' : 'nothing is wrong'
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
  // jobs that can't be read name no logos that could be looked for
  const logos = records.some(({ repair: mends }) => !mends) ? [] : await findLogoIntegrityErrors(store)
  return { records, logos, all: [...records, ...logos] }
}

/** What is found twice is no matter of the moment. */
async function findLastingErrors(store: Store): Promise<FoundErrors> {
  const first = await findErrors(store)
  if (first.all.length === 0) return first
  await Bun.sleep(RECHECK_DELAY)
  const again = await findErrors(store)
  const known = new Set(first.all.map(({ message }) => message))
  return { ...again, all: again.all.filter(({ message }) => known.has(message)) }
}

/** @throws Failure if anything is left as it was */
async function repairOrThrow(store: Store, { records, logos, all }: FoundErrors, repair: boolean) {
  if (!repair)
    throw new CommandError(
      `${all.length === 1 ? 'Something is' : `${all.length} things are`} wrong. With --repair, while no server runs, what can be mended is.`,
    )
  if (records.length > 0) await store.repair(records)
  for (const error of logos) await error.repair()
  const remaining = (await findErrors(store)).all
  if (remaining.length > 0)
    throw new CommandError(`This is still wrong:\n${remaining.map(({ message }) => message).join('\n')}`)
}

function countRecords({ read }: Store): string {
  const { jobs, categories, terms, plans, users } = read
  const counts = [jobs, categories, terms, plans, users].map(table => `${table.name}: ${table.count}`)
  return `Looked at everything (${counts.join(', ')})`
}
