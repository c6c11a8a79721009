import { isUnnamed } from '../../base/company.ts'
import { formatMoney, formatSalary } from '../../base/money.ts'
import { formatPlace } from '../../base/place.ts'
import type { Board } from '../../board.ts'
import { monogramColour, monogramOf } from '../../images/monogram.ts'
import type { JobSummary } from '../../search/jobSummary.ts'
import { listedAt } from '../../store/jobStatus.ts'
import { ARRANGEMENT_NAMES, type JobRow } from '../../store/rows.ts'
import { presentFields } from '../jobs/present.ts'
import { machineDate, shortDate } from './view.ts'

export type JobCard = ReturnType<typeof presentJobCard>

/** Returns a job or a draft for templates: the API's fields, and what only a page shows. */
export function presentJobCard(board: Board, job: JobRow) {
  const { store, links } = board
  const presented = presentFields(job, store.read, links)
  return {
    ...presented,
    path: `/jobs/${job.id}`,
    // The URL is relative, because visitors may use another host than the base URL's.
    logo_path: job.logo === '' ? '' : `/logos/${job.logo}`,
    monogram: monogramOf(job.company),
    hue: monogramColour(job.company),
    is_unnamed: isUnnamed(job.company),
    place: formatPlace(job.location),
    // Readers get one word for everything that a plan marks its jobs with, except the colour.
    is_featured: presented.plan?.pin === true || presented.plan?.badge === true,
    arrangement_name: ARRANGEMENT_NAMES[job.arrangement],
    ...salaryOf(job),
    posted: { at: machineDate(listedAt(job)), text: shortDate(listedAt(job)) },
  }
}

/** Returns the cards of those jobs that still exist. */
export const cardsOf = (board: Board, jobs: readonly Pick<JobSummary, 'id'>[]) =>
  jobs.flatMap(({ id }) => {
    const job = board.store.read.jobs.get(id)
    return job ? [presentJobCard(board, job)] : []
  })

/** Returns the salary as text, and the part of that text that is the amount, for the script to format. */
function salaryOf({ salary, salaryCurrency, salaryPeriod }: JobRow) {
  if (salary === null) return { salary_text: '', salary_money: '' }
  return {
    salary_text: formatSalary(salary, salaryCurrency, salaryPeriod),
    salary_money: formatMoney(salary, salaryCurrency),
  }
}
