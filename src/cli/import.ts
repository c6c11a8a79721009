import { floorToSecond } from '../base/clock.ts'
import { OptionError, UsageError } from '../config/errors.ts'
import * as values from '../config/values.ts'
import { download } from '../features/imports/download.ts'
import { readerOf } from '../features/imports/format.ts'
import { Importer, type ImportResult } from '../features/imports/importer.ts'
import type { CreatedRecords } from '../features/imports/recordWriter.ts'
import { type ImportSource, SourceFile } from '../features/imports/source.ts'
import { LogoFiles } from '../images/logoFiles.ts'
import { CLI } from '../store/journal/journalRow.ts'
import { Store } from '../store/store.ts'
import { command, CommandError } from './command.ts'
import { ImportProgress } from './importProgress.ts'

const DEFAULT_PLAN = 'Imported'

const DETAILS = `
FILE is a JSON array, JSON Lines (an object on each line), or CSV with a header. The format is detected automatically.
URL is the /jobs.json of another board with this API; the pages that its Link headers name are read too.

Rows have the fields of POST /jobs.json. Category, term and plan can be names (category, term, plan) or ids
(category_id, term_id, plan_id). Missing ones are created, a plan with price 0 and period 0, and archived, so that
nobody else can post on it until you activate it. created_at is kept; a job's period starts with the import. Jobs are
active at once and have no owner. logo is a picture in base64; logos on the service of a URL are fetched. Importing a
file twice creates duplicates.

Importing an export restores its jobs unchanged. Accounts and subscribers are imported only with --with-accounts; new
administrators are listed, and accounts need a new password. From a URL, accounts and subscribers are never imported.

Every row with errors is listed, and nothing is imported. With --keep-going, the other rows are imported; the command
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
      const source = local ?? (await fetchAll(from, progress))
      const logos = await LogoFiles.open(config.data)
      const task = { ...source, defaultPlan, withAccounts, now: floorToSecond(clock()) }
      const importer = new Importer(store, logos, task, progress)
      const result = await runImport(importer, flags['keep-going'], store)
      progress.clear()
      stdout.write(summary(importer, result, isRemote))
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
        `Nothing was imported: ${importer.refused} of ${importer.rows} rows have errors. Correct them, or add --keep-going to import the others.`,
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

/** @throws UsageError if the URL contains a password, which everyone on the machine could read */
function isUrl(from: string): boolean {
  if (!/^https?:\/\//i.test(from)) return false
  const url = URL.parse(from)
  if (!url) throw new UsageError([`${from} isn't a valid URL.`])
  if (url.username !== '' || url.password !== '')
    throw new UsageError(['The URL must not contain a user name or password.'])
  return true
}

const fetchAll = (url: string, progress: ImportProgress) =>
  download(url, bytes => progress.update('Downloading', bytes))

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

const rows = (number: number) => count(number, 'row', 'rows')

function summary(
  { refused, skipped, foreignLogos }: Importer,
  { imported, created }: ImportResult,
  isRemote: boolean,
): string {
  const all = rows(imported + refused)
  const lines = [
    refused === 0 ? `Imported ${all}.` : `Imported ${imported} of ${all}.`,
    ...createdLines(created),
  ]
  if (skipped > 0)
    lines.push(
      `Skipped ${count(skipped, 'account or subscriber', 'accounts and subscribers')}${isRemote ? '' : '. Import them with --with-accounts'}.`,
    )
  if (foreignLogos > 0) lines.push(`Skipped the logos of ${rows(foreignLogos)}: they are on another host.`)
  return lines.map(line => `${line}\n`).join('')
}

/** Returns a line for each kind of record that was created. Names are quoted, because they can contain commas. */
const createdLines = ({
  categories,
  terms,
  plans,
  archivedPlans,
  administrators,
  users,
  subscribers,
}: CreatedRecords): string[] => [
  ...createdLine(categories, 'category', 'categories'),
  ...createdLine(terms, 'term', 'terms'),
  ...createdLine(plans, 'plan', 'plans'),
  ...createdLine(archivedPlans, 'archived plan', 'archived plans'),
  ...(archivedPlans.length > 0
    ? ['Nobody else can post on an archived plan. Activate it with PUT /plans/{id}/activate.json.']
    : []),
  ...createdLine(administrators, 'administrator', 'administrators'),
  ...createdLine(users, 'account', 'accounts'),
  ...(administrators.length + users.length > 0
    ? ['New accounts have no password. Set one with corkboard user password EMAIL.']
    : []),
  ...(subscribers.length > 0 ? [`Created ${count(subscribers.length, 'subscriber', 'subscribers')}.`] : []),
]

const createdLine = (names: readonly string[], one: string, many: string) =>
  names.length === 0
    ? []
    : [`Created ${count(names.length, one, many)}: ${names.map(name => `"${name}"`).join(', ')}.`]
