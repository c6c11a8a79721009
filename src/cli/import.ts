import { join } from 'node:path'
import { floorToSecond } from '../base/clock.ts'
import { OptionError, UsageError } from '../config/errors.ts'
import * as values from '../config/values.ts'
import { LOGO_FOLDER, LogoFiles } from '../images/logoFiles.ts'
import { Store } from '../store/store.ts'
import { command, CommandError } from './command.ts'
import { download } from './imports/download.ts'
import { readerOf } from './imports/format.ts'
import { Importer, type ImportResult } from './imports/importer.ts'
import { Progress } from './imports/progress.ts'
import type { CreatedRecords } from './imports/recordWriter.ts'
import { type Source, SourceFile } from './imports/source.ts'

const DEFAULT_PLAN = 'Imported'

const DETAILS = `
FILE is a JSON array, JSON Lines (an object on each line), or CSV with a header; URL is the /jobs.json of another
service with this interface, and pages that follow it by Link are read too. The format shows by the content.

A row has the fields of POST /jobs.json. Category, term and plan go by name (category, term, plan) or by id
(category_id, term_id, plan_id); a name that is not known is made, a plan with price 0 and period 0. created_at is
kept, and a job's period counts from now. The jobs are active at once and have no owner. logo is a picture in base64;
logos that the service of a URL keeps come along. Importing a file twice creates its jobs twice.

A file that export wrote restores its jobs as they were. Its accounts and subscribers are imported only with
--with-accounts, and each new administrator is named; accounts need a new password. From a URL, accounts and subscribers
are never imported.

Every row at fault is named, and nothing is imported; with --keep-going the others are, which is no failure unless there
are none. The server must not be running.`.trim()

export const importCommand = command({
  name: 'import',
  summary: 'imports jobs',
  details: DETAILS,
  args: ['FILE|URL'],
  flags: {
    plan: { value: 'NAME', help: `the plan of rows that name none (${DEFAULT_PLAN})` },
    'with-accounts': { help: 'imports the accounts and subscribers of a file too' },
    'keep-going': { help: 'imports the other rows where some are refused' },
  },
  options: ['data'],
  run: async ({ args: [from], flags, config, clock, stdout, stderr }) => {
    const defaultPlan = readPlan(flags.plan)
    const progress = new Progress(stderr)
    const withAccounts = flags['with-accounts']
    const isRemote = isUrl(from)
    if (isRemote && withAccounts)
      throw new UsageError(['--with-accounts requires a file: from a URL, accounts are never imported.'])
    const local = isRemote ? undefined : openFile(from)
    const store = await Store.open(config.data)
    try {
      const source = local ?? (await fetchAll(from, progress))
      const logos = await LogoFiles.open(join(config.data, LOGO_FOLDER))
      const task = { ...source, defaultPlan, withAccounts, now: floorToSecond(clock()) }
      const result = await new Importer(store, logos, task, progress).run(flags['keep-going'])
      progress.clear()
      stdout.write(summary(result, isRemote))
      if (result.imported === 0 && result.refused > 0) throw new CommandError('Every row was refused.')
      if (result.refused > 0) stderr.write(`Refused: ${rows(result.refused)}.\n`)
    } finally {
      progress.clear()
      await store.close()
    }
  },
})

/** A file that is of no use is refused before there is a data directory. */
function openFile(path: string): Source {
  const file = SourceFile.open(path)
  readerOf(file)
  return { files: [file], origin: undefined }
}

function readPlan(given = DEFAULT_PLAN): string {
  const name = values.name(given)
  if (name instanceof OptionError) throw new UsageError([`--plan ${name.sentence}.`])
  return name
}

/** @throws WrongUsage if it holds a password, which all who share a machine could read */
function isUrl(from: string): boolean {
  if (!/^https?:\/\//i.test(from)) return false
  const url = URL.parse(from)
  if (!url) throw new UsageError([`${from} is no URL.`])
  if (url.username !== '' || url.password !== '')
    throw new UsageError(['The URL may hold no user name and no password.'])
  return true
}

const fetchAll = (url: string, progress: Progress) =>
  download(url, bytes => progress.update('Fetching', bytes))

const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`)

function summary(
  { imported, refused, skipped: leftOut, created: made, foreignLogos: logosElsewhere }: ImportResult,
  isRemote: boolean,
): string {
  const all = rows(imported + refused)
  const lines = [refused === 0 ? `Imported ${all}.` : `Imported ${imported} of ${all}.`, ...madeLines(made)]
  if (leftOut > 0)
    lines.push(
      `Left out ${leftOut === 1 ? '1 account or subscriber' : `${leftOut} accounts and subscribers`}${isRemote ? '' : ': import them with --with-accounts'}.`,
    )
  if (logosElsewhere > 0)
    lines.push(`Left behind the logos of ${rows(logosElsewhere)}: they are at another address.`)
  return lines.map(line => `${line}\n`).join('')
}

/** A line for each sort of thing that was made; names are quoted, since there may be commas in them. */
const madeLines = ({ categories, terms, plans, administrators, users, subscribers }: CreatedRecords) => [
  ...madeLine(categories, 'category', 'categories'),
  ...madeLine(terms, 'term', 'terms'),
  ...madeLine(plans, 'plan', 'plans'),
  ...madeLine(administrators, 'administrator', 'administrators'),
  ...madeLine(users, 'account', 'accounts'),
  ...(administrators.length + users.length > 0
    ? ['New accounts have no password: set one with corkboard user password EMAIL.']
    : []),
  ...(subscribers.length > 0
    ? [`Made ${subscribers.length} ${subscribers.length === 1 ? 'subscriber' : 'subscribers'}.`]
    : []),
]

const madeLine = (names: readonly string[], one: string, many: string) =>
  names.length === 0
    ? []
    : [
        `Made ${names.length} ${names.length === 1 ? one : many}: ${names.map(name => `"${name}"`).join(', ')}.`,
      ]
