import { formatMoney, formatSalary } from '../../base/money.ts'
import { ARRANGEMENT_NAMES } from '../../base/names.ts'
import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'
import { presentJob } from '../jobs/present.ts'
import { longDate, machineDate } from './dates.ts'

const HUES = 8

/** A job as templates know it: as the API shows it, and with what only eyes need. */
export function presentJobCard(board: Board, job: JobRow) {
  const { store, links } = board
  return {
    ...presentJob(job, store.read, links),
    path: `/jobs/${job.id}`,
    // the page may be reached by another host than that of the board's links
    logo_path: job.logo === '' ? '' : `/logos/${job.logo}`,
    monogram: monogramOf(job.company),
    hue: Bun.hash.crc32(job.company) % HUES,
    arrangement_name: ARRANGEMENT_NAMES[job.arrangement],
    ...salaryOf(job),
    posted: { at: machineDate(job.createdAt), text: longDate(job.createdAt) },
  }
}

export type JobCard = ReturnType<typeof presentJobCard>

/** The salary as people write it, and the part of it that is the money alone. */
function salaryOf({ salary, salaryCurrency, salaryPeriod }: JobRow) {
  if (salary === null) return { salary_text: '', salary_money: '' }
  return {
    salary_text: formatSalary(salary, salaryCurrency, salaryPeriod),
    salary_money: formatMoney(salary, salaryCurrency),
  }
}

/** The first letters of a company's first two words, in place of a logo. */
function monogramOf(company: string): string {
  const words = company.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  return words
    .slice(0, 2)
    .map(word => [...word].slice(0, 1).join(''))
    .join('')
    .toUpperCase()
}
