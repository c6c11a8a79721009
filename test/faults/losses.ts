import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import { Store } from '../../src/store/store.ts'
import { TestHost } from '../helpers/host.ts'
import type { Load } from './load.ts'

/** Yields acknowledged writes that a data directory has lost, and its errors. */
export async function lossesOf(data: string, load: Load): Promise<string[]> {
  const store = await Store.open(data)
  try {
    const faults = store.findIntegrityErrors().map(({ message: what }) => what)
    return [
      ...faults,
      ...lostJobs(store, load),
      ...lostCategories(store, load),
      ...lostLogos(store, data),
      ...twice(load),
      ...gapsInJournal(store),
    ]
  } finally {
    await store.close()
  }
}

/** Yields the errors that the check finds after the next start. */
export async function findingsOf(data: string): Promise<string> {
  const host = new TestHost()
  const status = await run(COMMANDS, ['check', '--data', data], host)
  return status === 0 ? '' : host.out + host.err
}

function* lostJobs({ read }: Store, { jobs, categories }: Load) {
  for (const [id, { title, open, category }] of jobs) {
    const state = categories.get(category)
    const found = read.jobs.get(id)?.title
    const may = [...(state === 'gone' ? [] : [title]), ...open, ...(state === 'there' ? [] : [undefined])]
    if (!may.includes(found)) yield `job ${id} is ${found}, and should be ${may.join(' or ')}`
  }
}

function* lostCategories({ read }: Store, { categories }: Load) {
  for (const [id, state] of categories)
    if (state !== 'going' && read.categories.has(id) !== (state === 'there'))
      yield `category ${id} should be ${state}`
}

function* lostLogos({ read }: Store, data: string) {
  const files = new Set(readdirSync(join(data, 'logos')))
  for (const { id, logo } of read.jobs.all())
    if (logo !== '' && !files.has(logo)) yield `job ${id} lacks its logo`
}

function* twice({ ids }: Load) {
  if (new Set(ids).size !== ids.length) yield 'an id was assigned twice'
}

/** Yields an error if an entry is missing, or the journal doesn't end with the last job. */
function* gapsInJournal({ read }: Store) {
  const entries = read.journal.all()
  for (const [index, { id }] of entries.entries())
    if (id !== index + 1) yield `entry ${index + 1} of the journal is missing`
  const created = entries.filter(({ type }) => type === 'job.created').map(({ jobId }) => jobId)
  for (const { id } of read.jobs.all()) if (!created.includes(id)) yield `job ${id} is not in the journal`
}
