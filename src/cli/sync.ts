import { OPERATOR } from '../base/caller.ts'
import type { Clock } from '../base/clock.ts'
import { errorMessage } from '../base/error.ts'
import { UsageError } from '../config/errors.ts'
import { fetchInPieces } from '../features/imports/download.ts'
import { SourceFile } from '../features/imports/source.ts'
import { presentResult } from '../features/sources/present.ts'
import { failureText, isFruitless, recordRun, summaryOf } from '../features/sources/runs.ts'
import type { SyncQuery, SyncResult } from '../features/sources/schema.ts'
import { Synchronization } from '../features/sources/synchronization.ts'
import { Outbox } from '../mail/outbox.ts'
import { CLI } from '../store/journal/journalRow.ts'
import { Store } from '../store/store.ts'
import { StoreError } from '../store/storeError.ts'
import { isSourceName } from '../validation/textFields.ts'
import { command, CommandError } from './command.ts'
import type { Output } from './host.ts'
import { isUrl } from './import.ts'
import { ImportProgress } from './importProgress.ts'
import { boardUrl, sendSet } from './remoteSync.ts'
import { writeResult } from './syncSummary.ts'

const DETAILS = `
FILE or URL is the whole set: a JSON array or JSON Lines of postings with the fields of POST /jobs.json and an external_id,
at most 20,000. Category, term and plan can be names (category, term, plan), which must exist, or ids. A title of over 64
characters is cut, and the whole title put above the description.

With --board, the set is sent to a running board, with the access token in CORKBOARD_TOKEN, which needs jobs:write or
sources:NAME. Otherwise the jobs in the data directory are changed, whose server must not be running: they have no owner,
unless the source has one.

Jobs are created, updated and reopened, and at last those are closed that the set doesn't have. Postings with errors are
listed, and their jobs stay as they are; so do jobs that somebody has edited, filled or closed on the board. Nothing is
changed if the set is incomplete, empty, or has fewer than half of the open jobs of the source where these are 10 or
more: --force closes the others. The exit status is 1 if nothing could be done, also if every posting has errors.`.trim()

export const syncCommand = command({
  name: 'sync',
  activity: 'synchronizing',
  summary: 'bring the jobs of a source in step with it',
  details: DETAILS,
  args: ['FILE|URL'],
  flags: {
    source: { value: 'NAME', help: 'the name of the source (required)' },
    board: { value: 'URL', help: 'the URL of a running board, which may be on another machine' },
    'dry-run': { help: 'only show what would be done' },
    force: { help: 'close what is missing even if that is a lot' },
  },
  options: ['data', 'token'],
  run: async ({ args: [from], flags, config, clock, stdout, stderr }) => {
    const source = readSource(flags.source)
    const board = flags.board === undefined ? undefined : boardUrl(flags.board)
    if (board && config.token === undefined)
      throw new UsageError(['--board requires an access token in CORKBOARD_TOKEN or CORKBOARD_TOKEN_FILE.'])
    const options = { dry_run: flags['dry-run'], force: flags.force }
    const progress = new ImportProgress(stderr)
    const file = await openSet(from, progress)
    try {
      const result = board
        ? await sendSet({ board, token: config.token ?? '', source, options }, file, progress)
        : await syncFolder({ folder: config.data, clock, source, options }, file, progress)
      progress.clear()
      report(result, options, stdout, stderr)
    } finally {
      progress.clear()
      file.close()
    }
  },
})

function readSource(name: string | undefined): string {
  if (name === undefined) throw new UsageError(['sync requires --source NAME.'])
  if (!isSourceName(name))
    throw new UsageError([
      '--source must have 1 to 64 characters: a to z, 0 to 9, dots, hyphens and underscores.',
    ])
  return name
}

/** Opens a file, or downloads a URL into a temporary one. */
async function openSet(from: string, progress: ImportProgress): Promise<SourceFile> {
  if (!isUrl(from)) return await SourceFile.open(from)
  const file = SourceFile.createSpool(from)
  try {
    await fetchInPieces(from, 'follow', async piece => {
      await file.append(piece)
      progress.update('Downloading', file.size)
    })
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

interface FolderTask {
  readonly folder: string
  readonly clock: Clock
  readonly source: string
  readonly options: SyncQuery
}

/** Changes the jobs in a data directory that no server has open. */
async function syncFolder(
  { folder, clock, source, options }: FolderTask,
  file: SourceFile,
  progress: ImportProgress,
): Promise<SyncResult> {
  const store = await openStore(folder, clock)
  const startedAt = clock()
  const services = { clock, config: { approve: 'none' }, mail: { outbox: new Outbox(false, clock) } } as const
  const synchronization = new Synchronization({
    store,
    services,
    caller: OPERATOR,
    source,
    file,
    isDryRun: options.dry_run,
    force: options.force,
    countJob: () => {},
    // Nobody else uses the store meanwhile.
    slice: Infinity,
    write: (change, actor = CLI, size) => store.write(change, { actor, size }),
    pause: () => progress.pause(),
    onRead: (activity, done, total) => progress.update(activity, done, total),
  })
  const record = (failed: boolean, message: string) => {
    const end = { startedAt, now: clock(), failed, message }
    return store.write(tables => recordRun(tables, source, synchronization, end))
  }
  try {
    await synchronization.run()
    const message = summaryOf(synchronization)
    if (!options.dry_run) await record(isFruitless(synchronization), message)
    return presentResult(synchronization, message)
  } catch (error) {
    if (!options.dry_run) await record(true, failureText(errorMessage(error), synchronization))
    throw error
  } finally {
    await store.close()
  }
}

async function openStore(folder: string, clock: Clock): Promise<Store> {
  try {
    return await Store.open(folder, { clock, actor: CLI })
  } catch (error) {
    if (!(error instanceof StoreError) || !error.message.includes('is in use')) throw error
    throw new CommandError(`${error.message} To send the set to a running board, use --board URL.`)
  }
}

/** @throws CommandError if every posting has errors */
function report(result: SyncResult, { dry_run: isDryRun }: SyncQuery, stdout: Output, stderr: Output) {
  writeResult(result, isDryRun, stdout, stderr)
  const { created, updated, unchanged, reopened, closed, detached, refused } = result
  const done = created + updated + unchanged + reopened + closed + detached.length
  if (done === 0 && refused.length > 0)
    throw new CommandError('Nothing was changed: every posting has errors.')
}
