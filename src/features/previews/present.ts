import { formatSalary } from '../../base/money.ts'
import { formatPlace } from '../../base/place.ts'
import type { Config } from '../../config/config.ts'
import type { Card } from '../../images/card.ts'
import { ARRANGEMENT_NAMES, type JobRow, type LabelRow, type PlanRow } from '../../store/rows.ts'
import type { TableReaders } from '../../store/tables.ts'

/** The records that a job's card is made from, in addition to the job. A draft can be without them. */
interface Parents {
  readonly term: LabelRow | undefined
  readonly plan: PlanRow | undefined
}

export const parentsOf = (job: JobRow, tables: TableReaders): Parents => ({
  term: tables.terms.get(job.termId),
  plan: tables.plans.get(job.planId),
})

/** Returns the contents of a job's card. */
export const presentCard = (job: JobRow, { term, plan }: Parents, { name, accent }: Config): Card => ({
  board: name,
  accent,
  title: job.title,
  company: job.company,
  location: formatPlace(job.location),
  salary: job.salary === null ? '' : formatSalary(job.salary, job.salaryCurrency, job.salaryPeriod),
  arrangement: ARRANGEMENT_NAMES[job.arrangement],
  term: term?.name ?? '',
  highlight: plan?.highlight ?? false,
})

/**
 * Returns a hash of everything that a job's image shows.
 * @param cardVersion changes whenever the images of all jobs do
 */
export function previewVersion(job: JobRow, { term, plan }: Parents, cardVersion: string): string {
  const { title, company, location, salary, salaryCurrency, salaryPeriod, arrangement, logo } = job
  const pay = salary === null ? null : [salary, salaryCurrency, salaryPeriod]
  const contents = [
    title,
    company,
    location,
    pay,
    arrangement,
    logo,
    term?.name,
    plan?.highlight,
    cardVersion,
  ]
  return Bun.hash.wyhash(JSON.stringify(contents)).toString(36)
}
