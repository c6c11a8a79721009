import type { Importer, ImportResult } from '../features/imports/importer.ts'
import type { CreatedRecords } from '../features/imports/recordWriter.ts'
import { rows } from '../features/imports/rowCount.ts'
import type { ImportSource } from '../features/imports/source.ts'
import type { WordPressJobs } from '../features/imports/wordPress.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

export function summary(
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

/** Returns what is special about the jobs of a WordPress site. */
export function siteLines(source: ImportSource | WordPressJobs): string {
  const { known = 0, endless = 0 }: Partial<WordPressJobs> = source
  return [
    ...(known > 0 ? [`Left out ${count(known, 'job', 'jobs')} that were imported before.\n`] : []),
    ...(endless > 0
      ? [
          `The site doesn't show when ${count(endless, 'job ends', 'jobs end')}. They end with the plan's period.\n`,
        ]
      : []),
  ].join('')
}
