import { floorToSecond } from '../base/clock.ts'
import { OptionError, UsageError } from '../config/errors.ts'
import * as values from '../config/values.ts'
import { download } from '../features/imports/download.ts'
import { readerOf } from '../features/imports/format.ts'
import { Importer, type ImportResult } from '../features/imports/importer.ts'
import { rows, rowsWithErrors } from '../features/imports/rowCount.ts'
import { type ImportSource, SourceFile } from '../features/imports/source.ts'
import { readWordPress, type WordPressJobs } from '../features/imports/wordPress.ts'
import { findWordPress } from '../features/imports/wordPressSite.ts'
import { LogoFiles } from '../images/logoFiles.ts'
import { CLI } from '../store/journal/journalRow.ts'
import { Store } from '../store/store.ts'
import { command, CommandError } from './command.ts'
import { ImportProgress } from './importProgress.ts'
import { siteLines, summary } from './importSummary.ts'

const DEFAULT_PLAN = 'Imported'

const DETAILS = `
FILE is a JSON array, JSON Lines (an object on each line), or CSV with a header. The format is detected automatically.
URL is the /jobs.json of another board with this API; the pages that its Link headers name are read too. Or it is a
WordPress site with WP Job Manager, see below.

Rows have the fields of POST /jobs.json. Category, term and plan can be names (category, term, plan) or ids
(category_id, term_id, plan_id). Missing ones are created, a plan with price 0 and period 0, and archived, so that
nobody else can post on it until you activate it. created_at is kept; a job's period starts with the import. Jobs are
active at once and have no owner. logo is a picture in base64; logos on the service of a URL are fetched. Importing a
file twice creates duplicates. description_html can replace description.

Importing an export restores its jobs unchanged. Accounts and subscribers are imported only with --with-accounts; new
administrators are listed, and accounts need a new password. From a URL, accounts and subscribers are never imported.

From WordPress, the jobs that visitors see are read, with categories, types, companies, logos and, where the site shows
them, their ends. What can't be taken is listed for each job. Featured jobs get the plan "Featured", and jobs whose end
isn't shown that of --plan. Jobs that were imported before are left out.

--dry-run checks every row, and imports nothing. Every row with errors is listed, and nothing is imported. With --keep-going, the other rows are imported; the command
fails if there are none. The server must not be running.`.trim()

export const importCommand = command({
  name: 'import',
  activity: 'importing',
  summary: 'import jobs',
  details: DETAILS,
  args: ['FILE|URL'],
  flags: {
    plan: { value: 'NAME', help: `the plan of rows without a plan (${DEFAULT_PLAN})` },
    'with-accounts': { help: 'import accounts and subscribers too' },
    'dry-run': { help: 'only check the rows' },
    'keep-going': { help: 'import the rows without errors if others have some' },
  },
  options: ['data'],
  run: async ({ args: [from], flags, config, clock, stdout, stderr }) => {
    const defaultPlan = readPlan(flags.plan)
    const progress = new ImportProgress(stderr)
    const withAccounts = flags['with-accounts']
    const isRemote = isUrl(from)
    if (isRemote && withAccounts)
      throw new UsageError(['--with-accounts requires a file: from a URL, accounts are never imported.'])
    const local = isRemote ? undefined : await openFile(from)
    const store = await Store.open(config.data, { clock, actor: CLI })
    try {
      const now = floorToSecond(clock())
      const source = local ?? (await fetchAll(from, { tables: store.read, defaultPlan, now }, progress))
      const logos = await LogoFiles.open(config.data)
      const importer = new Importer(store, logos, { ...source, defaultPlan, withAccounts, now }, progress)
      if (flags['dry-run']) {
        stdout.write(await dryRun(importer, source))
        return
      }
      const result = await runImport(importer, flags['keep-going'], store)
      progress.clear()
      stdout.write(summary(importer, result, isRemote) + siteLines(source))
      if (result.imported === 0 && importer.refused > 0)
        throw new CommandError('Nothing was imported: every row has errors.')
      if (importer.refused > 0) stderr.write(`Skipped ${rows(importer.refused)} with errors.\n`)
    } finally {
      progress.clear()
      await store.close()
    }
  },
})

/** Imports all rows, or none if any has errors; with `keepGoing`, those without errors. */
async function runImport(importer: Importer, keepGoing: boolean, store: Store): Promise<ImportResult> {
  try {
    await importer.check(keepGoing)
    if (importer.refused > 0 && !keepGoing)
      throw new CommandError(
        `Nothing was imported: ${rowsWithErrors(importer.refused, importer.rows)}. Correct them, or add --keep-going to import the others.`,
      )
    return await importer.storeAll((change, size) => store.write(change, { size }))
  } finally {
    await importer.close()
  }
}

/** Opens a file and checks its format, before a data directory is created for it. */
async function openFile(path: string): Promise<ImportSource> {
  const file = await SourceFile.open(path)
  readerOf(file)
  return { files: [file], origin: undefined }
}

function readPlan(given = DEFAULT_PLAN): string {
  const name = values.name(given)
  if (name instanceof OptionError) throw new UsageError([`--plan ${name.sentence}.`])
  return name
}

/** Returns whether an argument is a URL. @throws UsageError if the URL contains a password, which everyone on the machine could read */
export function isUrl(from: string): boolean {
  if (!/^https?:\/\//i.test(from)) return false
  const url = URL.parse(from)
  if (!url) throw new UsageError([`${from} isn't a valid URL.`])
  if (url.username !== '' || url.password !== '')
    throw new UsageError(['The URL must not contain a user name or password.'])
  return true
}

type ImportTarget = Pick<Parameters<typeof readWordPress>[1], 'tables' | 'defaultPlan' | 'now'>

/** Reads the jobs of a WordPress site, or downloads those of another board. */
async function fetchAll(
  url: string,
  target: ImportTarget,
  progress: ImportProgress,
): Promise<ImportSource | WordPressJobs> {
  const api = await findWordPress(url)
  if (api === undefined) return await download(url, bytes => progress.update('Downloading', bytes))
  return await readWordPress(api, {
    ...target,
    onNote: (place, title, note) => progress.onNote(place, title, note),
    onProgress: (jobs, total = jobs) => progress.update('Reading', jobs, total),
  })
}

/** Checks every row, and returns what an import would do. @throws CommandError if some have errors */
async function dryRun(importer: Importer, source: ImportSource): Promise<string> {
  try {
    await importer.check(true, true)
  } finally {
    await importer.close()
  }
  const { rows: all, refused, skipped } = importer
  const ready = `${rows(all - skipped - refused)} can be imported.`
  if (refused > 0)
    throw new CommandError(`${ready} ${rows(refused)} ${refused === 1 ? 'has' : 'have'} errors.`)
  return `${ready}\n${siteLines(source)}`
}
